// Functions for every script: elements by their ids, and the server's data for scripts, which is one piece of JSON.

/** @type {ElementById} */
export const element = /** @type {any} */ ((/** @type {string} */ id) => document.getElementById(id));

/**
 * The server's data for the scripts of a page; empty on a page without any.
 * @returns {Partial<PageData>}
 */
export const pageData = (page = document) => JSON.parse(page.getElementById("page-data")?.textContent || "{}");

/** Whether a tap or key is meant for the browser itself. @param {MouseEvent | KeyboardEvent} event */
export const withModifier = (event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
