// Arrow keys move from cell to cell, and the whole board is one tab stop. Without this script, each cell is a tab stop.

import { element, pageData, withModifier } from "./page_data.js";

/** @typedef {SVGAElement & { firstElementChild: SVGGraphicsElement }} Cell a link around what is drawn of a cell */

/** @type {Readonly<Record<string, [number, number]>>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const cellsOfBoard = () => /** @type {Cell[]} */ ([...document.querySelectorAll("#cells a")]);
/** @param {Cell} cell */
const boxOf = (cell) => cell.firstElementChild.getBBox();

document.addEventListener("keydown", (event) => {
  const target = /** @type {Partial<Element>} */ (event.target);
  const cell = /** @type {Cell | null | undefined} */ (target.closest?.("#cells a"));
  if (!cell || !(event.key in STEPS) || withModifier(event)) return;
  const { board } = pageData();
  const cells = cellsOfBoard();
  let [across, down] = STEPS[event.key];
  for (let left = board?.turn ?? 0; left > 0; left--) [across, down] = [down, -across];
  const next = board?.free ? nearest(cells, cell, across, down) : beside(cells, cell, across, down);
  event.preventDefault();
  if (!next) return;
  stopAt(cells, next);
  next.focus({ preventScroll: true });
});

/**
 * On a board with rows: the next cell in this direction.
 * @param {Cell[]} cells @param {Cell} from @param {number} across @param {number} down
 */
const beside = (cells, from, across, down) => {
  const box = boxOf(from);
  return cells.find((other) => {
    const at = boxOf(other);
    return at.x === box.x + across * box.width && at.y === box.y + down * box.height;
  });
};
/**
 * On a board without rows: the nearest cell that lies more in this direction than in any other.
 * @param {Cell[]} cells @param {Cell} from @param {number} across @param {number} down
 */
const nearest = (cells, from, across, down) => {
  const box = boxOf(from);
  let found = null;
  let least = Infinity;
  for (const cell of cells) {
    const at = boxOf(cell);
    const ahead = (at.x - box.x) * across + (at.y - box.y) * down;
    const aside = Math.abs((at.x - box.x) * down) + Math.abs((at.y - box.y) * across);
    if (ahead > 0 && ahead >= aside && ahead + aside < least) [found, least] = [cell, ahead + aside];
  }
  return found;
};

/** @param {Cell[]} cells @param {Cell | undefined} stop */
const stopAt = (cells, stop) => {
  for (const cell of cells) {
    const value = cell === stop ? "0" : "-1";
    if (cell.getAttribute("tabindex") !== value) cell.setAttribute("tabindex", value);
  }
};
const oneStop = () => {
  const cells = cellsOfBoard();
  const focused = cells.find((cell) => cell === document.activeElement);
  const chosen = cells.find((cell) => cell.hasAttribute("aria-current"));
  stopAt(cells, focused ?? chosen ?? cells[Math.floor(cells.length / 2)]);
};
document.addEventListener("bastide:settled", oneStop);
if (element("board")) oneStop();
