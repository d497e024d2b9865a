// Where the focus goes: after a swap, by keys into what has come, and by a skip link without a step in the history.

import { element, withModifier } from "./page_data.js";

// After a swap it stays where it was, or goes to what has come.
let within = ""; // of what it was in, the id of what comes next
document.addEventListener("htmx:beforeSwap", () => {
  const focus = document.activeElement;
  within = focus?.closest("#menu") ? "more" : focus?.closest("#table") ? "panel" : "";
});
document.addEventListener("htmx:afterSettle", () => {
  if (within && !document.activeElement?.closest("#table")) element(within)?.focus({ preventScroll: true });
  within = "";
});

// Who changes the tab by keys goes on in what has come, and not behind it.
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
  // Of several buttons, the last one is what the others lead up to.
  (there.matches("[tabindex]") ? there : [...controls].at(-1))?.focus();
});
