// Moves the focus: after a swap, into the new panel for keys, and by a skip link without a history entry.

import { element, withModifier } from "./page_data.js";

// After a swap the focus stays where it was, or moves to the new part.
let within = ""; // the id of the element that gets the focus if its own is gone
document.addEventListener("htmx:beforeSwap", () => {
  const focus = document.activeElement;
  within = focus?.closest("#menu") ? "more" : focus?.closest("#table") ? "panel" : "";
});
document.addEventListener("htmx:afterSettle", () => {
  if (within && !document.activeElement?.closest("#table")) element(within)?.focus({ preventScroll: true });
  within = "";
});

// After a change of the tab by keys, the focus moves into the new panel, not behind it.
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const tab = document.activeElement?.closest("#tabs :focus-visible");
  if (tab && tab.id === detail.requestConfig?.elt.id) element("panel").focus({ preventScroll: true });
});

document.addEventListener("click", (event) => {
  const skip = /** @type {Element} */ (event.target).closest("a[href^='#']");
  /** @type {HTMLElement | null} */
  const there = skip && document.querySelector(skip.getAttribute("href") ?? "");
  if (!there || withModifier(event)) return;
  event.preventDefault();
  /** @type {NodeListOf<HTMLElement>} */
  const controls = there.querySelectorAll("a, button");
  // Of several buttons, the last one is the main one.
  (there.matches("[tabindex]") ? there : [...controls].at(-1))?.focus();
});
