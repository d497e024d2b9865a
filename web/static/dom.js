// Makes elements, and finds elements that certainly exist within another.

/** @param {ParentNode} root @param {string} selector */
export const find = (root, selector) => /** @type {HTMLElement} */ (root.querySelector(selector));

/** The element that the server has marked for a script to fill. @param {ParentNode} root @param {string} name */
export const slot = (root, name) => find(root, `[data-slot=${name}]`);

/** @param {string} tag @param {object} fields @param {(Node | string)[]} inside */
export const make = (tag, fields, ...inside) => {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...inside);
  return made;
};
