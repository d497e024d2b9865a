// Improves pages other than a table's: the form that opens one, taps that move nothing, and links to send.
import "./join_by_link.js";
import { element, pageData } from "./page_data.js";

// --- opening a table: keep what is typed while new fields are requested, and request them again --------------------

/** @param {HTMLElement} form */
const filled = (form) =>
  new URLSearchParams(/** @type {any} */ (new FormData(/** @type {HTMLFormElement} */ (form)))).toString();
let sent = "";
/** @type {string[]} */
let unfolded = [];
document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target.id === "opening") sent = filled(event.detail.target);
});
document.addEventListener("htmx:beforeSwap", (event) => {
  const form = event.detail.target;
  if (form.id !== "opening") return;
  unfolded = [...form.querySelectorAll("details[open]")].map(({ id }) => id);
  if (filled(form) === sent) return;
  event.detail.shouldSwap = false;
  window.htmx?.trigger(event.detail.requestConfig.elt, "change");
});
// Unfolded parts stay unfolded: else the page could end above the tapped control.
document.addEventListener("htmx:afterSwap", () => {
  for (const id of unfolded) element(id)?.setAttribute("open", "");
  unfolded = [];
});

// --- the tapped control of a form stays under the finger, even if fields above it change ---------------------------

/** The tapped control, its text and its position. @type {[id: string, says: string | undefined, top: number] | null} */
let held = null;
/** @param {Element} control */
const where = (control) => control.getBoundingClientRect().top;
/** @param {Element} control */
const says = (control) => control.querySelector("span")?.textContent;
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig } }) => {
  const { activeElement } = document;
  const typed = requestConfig.triggeringEvent?.type === "change" && activeElement?.id;
  const control = typed ? activeElement : document.querySelector("[aria-busy]");
  held = control?.closest("#opening") ? [control.id, says(control), where(control)] : null;
});
document.addEventListener("htmx:afterSettle", () => {
  const [id, said, before = 0] = held ?? [];
  const control = element(id);
  if (control && says(control) === said) scrollBy({ top: where(control) - before, behavior: "instant" });
  held = null;
});

// --- scroll an unfolded part at the lower edge into sight; beside a board, the board's script does that ------------

const LINES = 96; // px of an unfolded part
document.addEventListener("click", ({ target }) => {
  const head = /** @type {Element} */ (target).closest("main summary:not(#below *)");
  const fold = /** @type {HTMLDetailsElement} */ (head?.parentElement);
  const reveal = () => {
    const { top, bottom } = fold.getBoundingClientRect();
    const end = Math.min(bottom, /** @type {Element} */ (head).getBoundingClientRect().bottom + LINES);
    if (fold.open) scrollBy({ top: Math.max(Math.min(end - innerHeight, top), 0), behavior: "instant" });
  };
  fold?.addEventListener("toggle", reveal, { once: true });
});

// --- the default of a day in a form is the reader's day ------------------------------------------------------------

const { at, words } = pageData();
/** @type {NodeListOf<HTMLInputElement>} */
const days = document.querySelectorAll("input[name=day]");
for (const field of at ? days : []) {
  const there = new Date(at ?? "").toLocaleDateString("sv"); // in the format of ISO 8601
  if (field.value === field.defaultValue) field.value = there;
}

// --- sending a link ----------------------------------------------------------------------------------------------

const shareable = () => {
  /** @type {NodeListOf<HTMLElement>} */
  const buttons = document.querySelectorAll("[data-share]");
  for (const button of buttons) button.hidden = !navigator.share && !navigator.clipboard;
};
document.addEventListener("click", async (event) => {
  /** @type {HTMLElement | null} */
  const button = /** @type {Element} */ (event.target).closest("[data-share]");
  if (!button) return;
  const field = /** @type {HTMLInputElement | HTMLTextAreaElement} */ (element(button.dataset.share));
  const what = field.value;
  try {
    if (navigator.share) await navigator.share(field.matches("textarea") ? { text: what } : { url: what });
    else {
      await navigator.clipboard.writeText(what);
      button.querySelector("span")?.replaceChildren(words?.copied ?? "");
    }
  } catch {
    field.select();
  }
});
document.addEventListener("htmx:afterSettle", shareable);
shareable();
