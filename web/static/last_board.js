// Stores the last board that this phone showed, for the offline page. A phone stores only one.

import { element, pageData } from "./page_data.js";

/** @typedef {import("./store.js").Store} Store */

const BOARDS = "bastide.board.";

/** Store the board, without ghosts and marks on cells. @param {Store} store @param {string} table */
export const keepBoard = (store, table) => {
  const board = /** @type {HTMLElement | undefined} */ (element("board")?.cloneNode(true));
  if (!board || pageData().past) return;
  for (const each of board.querySelectorAll("[data-ghost], #ghosts, #under > *, #over > *")) each.remove();
  for (const cell of board.querySelectorAll("#cells a")) {
    cell.removeAttribute("aria-current");
    cell.classList.remove("waits", "may");
  }
  for (const other of store.names().filter((name) => name.startsWith(BOARDS))) store.set(other, null);
  store.set(BOARDS + table, { board: board.outerHTML, symbols: element("symbols").outerHTML });
};

/** @param {Store} store @param {string} table */
export const showBoard = (store, table) => {
  const { board, symbols } = /** @type {LastBoard | null} */ (store.get(BOARDS + table)) ?? {};
  if (!board) return;
  const page = new DOMParser().parseFromString(`${symbols}<div id="table">${board}</div>`, "text/html");
  element("last-board").replaceChildren(...page.body.childNodes);
  document.dispatchEvent(new Event("bastide:settled"));
};
