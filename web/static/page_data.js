// What every script needs of its page: the elements by their ids, and what the server tells scripts, as one piece of JSON.

/** @type {ElementById} */
export const element = /** @type {any} */ ((/** @type {string} */ id) => document.getElementById(id));

/**
 * What the server tells the scripts of a page; nothing on a page that has no need of it.
 * @returns {Partial<PageData>}
 */
export const pageData = (page = document) => JSON.parse(page.getElementById("page-data")?.textContent || "{}");

/** Whether a tap or key asks for something of the browser's own. @param {MouseEvent | KeyboardEvent} event */
export const withModifier = (event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
