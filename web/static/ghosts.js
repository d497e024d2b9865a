// Draws waiting moves on the board as ghosts.

import { element } from "./page_data.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string | null>} attributes */
const svg = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value ?? "");
  return made;
};
/** A picture on a cell. @param {string} cell @param {string} picture */
const ghost = (cell, picture) => {
  const place = element(`c-${cell}`)?.querySelector("rect");
  if (!place) return [];
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => place.getAttribute(name));
  const made = svg("svg", { class: "ghost", x, y, width, height, viewBox: "0 0 100 100", overflow: "visible" });
  made.innerHTML = picture;
  return [made];
};
/** The cells and the picture of a move, for its player. @param {Entry} entry @returns {[string, string][]} */
export const piecesOf = ({ seat, ghost: it }) => {
  const picture = it?.pictures[seat ?? ""] ?? Object.values(it?.pictures ?? {})[0];
  return picture ? (it?.cells ?? []).map((cell) => [cell, picture]) : [];
};
/** Draws waiting moves below the cells; the move in the panel is a ghost already. @param {Entry[]} entries */
export const drawGhosts = (entries) => {
  element("ghosts")?.remove();
  const looked = /** @type {TableForm | null | undefined} */ (element("place")?.form)?.elements.key?.value;
  const pieces = entries.filter(({ key }) => key !== looked).flatMap(piecesOf);
  const found = pieces.flatMap(([cell, picture]) => ghost(cell, picture));
  if (!found.length) return;
  const layer = svg("g", { id: "ghosts", "aria-hidden": "true" });
  layer.append(...found);
  element("cells")?.before(layer);
};
