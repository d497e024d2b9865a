// News keep what somebody has typed, chosen or unfolded. Taps and reloads keep the lines of a count unfolded.
import { element } from "./page_data.js";

/** @typedef {"checked" | "defaultChecked" | "defaultValue" | "name" | "type" | "value"} OfInputs */
/** @typedef {HTMLElement & Partial<Pick<HTMLInputElement, OfInputs>>} Input */
/** @typedef {Input & { options?: HTMLOptionsCollection, open?: boolean }} Field a field of any kind, or a `details` */

/** @type {Map<string, Field>} */
let begun = new Map();
/** @returns {Field[]} */
const fields = () =>
  [...document.querySelectorAll(":is(#panel, #curve) :is(input, select, textarea, details)")].map(asField);
/** @param {Element} it */
const asField = (it) => /** @type {Field} */ (it);
/** @param {Field} it */
const nameOf = (it) =>
  [it.id, it.name, it.options ? "" : it.getAttribute("value"), it.firstElementChild?.textContent].join();
/** @param {Field} it */
const touched = (it) => {
  if (it.tagName === "DETAILS") return true;
  if (it.options) return [...it.options].some((choice) => choice.selected !== choice.defaultSelected);
  return it.type !== "hidden" && (it.value !== it.defaultValue || it.checked !== it.defaultChecked);
};
/** Whether it is the open lines of a count, which every tap keeps. @param {Field} it */
const followsTaps = ({ id, open }) => id === "lines" && open;
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const some = fields().filter(detail.requestConfig.news ? touched : followsTaps);
  begun = new Map(some.map((it) => [nameOf(it), it]));
});
document.addEventListener("bastide:settled", () => {
  for (const it of begun.size ? fields() : []) {
    const { open, value, checked } = begun.get(nameOf(it)) ?? it;
    Object.assign(it, open === undefined ? { value, checked } : { open });
  }
  begun.clear();
});
/** @param {Event} event */
const remember = ({ target }) => {
  const { id, open } = asField(/** @type {Element} */ (target));
  if (id === "lines") history.replaceState({ ...history.state, lines: open }, "");
};
document.addEventListener("toggle", remember, true);
if (history.state?.lines) element("lines")?.setAttribute("open", "");
