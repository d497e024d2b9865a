// After a swap: what was tapped stays under the finger, and what was asked for is in sight. The panel scrolls where it and
// the board fit on the screen, else the page does.

import { element, pageData } from "./page_data.js";

/** @typedef {{ top: number, bottom: number }} Span from where to where, in pixels of the screen */

const FIRST = ".ask, .kind, .take, .answer, .together, .button, .choice, input, a[id]"; // what can be chosen
const BARS = ".tabs, .onward, .actions"; // what keeps to the lower edge

/** @param {Element} one */
const spanOf = (one) => one.getBoundingClientRect();
/** @param {Element | null | undefined} one */
const shown = (one) => Boolean(one?.getClientRects().length && one.checkVisibility?.() !== false);
/** @param {ParentNode | null} within @param {string} what @returns {Element | undefined} */
const first = (within, what) => [...(within?.querySelectorAll(what) ?? [])].find(shown);
const below = () => /** @type {HTMLElement} */ (element("panel")?.closest(".below"));
const panelScrolls = () => getComputedStyle(below()).overflowY === "auto";
/** @param {number} top */
const scroll = (top) => (panelScrolls() ? below() : window).scrollBy({ top, behavior: "instant" });

/** What is free for the panel: not the bars below it, nor the board where that stays above it. @returns {Span} */
const room = () => {
  const panel = spanOf(below());
  let { top, bottom } = panelScrolls() ? panel : { top: 0, bottom: innerHeight };
  const stays = (/** @type {Element} */ one) => getComputedStyle(one).position === "sticky" && shown(one);
  const over = (/** @type {DOMRect} */ { left, right }) => left < panel.right && right > panel.left;
  for (const bar of [...document.querySelectorAll(BARS)].filter(stays))
    if (over(spanOf(bar))) bottom = Math.min(bottom, spanOf(bar).top);
  const board = element("board");
  if (!panelScrolls() && stays(board) && over(spanOf(board))) top = spanOf(board).height;
  return { top, bottom };
};

/** @param {Element} from @param {Element} [to] @returns {Span} */
const span = (from, to = from) => ({ top: spanOf(from).top, bottom: Math.max(spanOf(from).bottom, spanOf(to).bottom) });
/** The next question with its first answer, the outcome with its first reason, or an opened row. @returns {Span | null} */
const answer = () => {
  const panel = element("panel");
  const next = [...document.querySelectorAll("[data-next]")].filter(shown).at(-1);
  if (next) return span(next, first(next.parentElement, ".answers > li"));
  const trouble = first(below(), ".note.trouble, .toast");
  if (trouble) return span(trouble);
  const verdict = first(panel, ".verdict");
  if (verdict) return span(verdict, first(panel, ".reasons .says"));
  const entry = first(panel, ".entry");
  return entry ? span(entry.closest("li") ?? entry) : null;
};
/** What begins the panel, with the first thing to choose. @returns {Span} */
const beginning = () => span(first(below(), "*") ?? below(), first(element("panel"), FIRST));
/** No more than is needed; of what is higher than the room, the beginning. @param {Span} what */
const reveal = ({ top, bottom }) => {
  const free = room();
  scroll(Math.min(Math.max(bottom - free.bottom, 0), top - free.top));
};

/** What was tapped, and how far down it was. @type {{ id?: string, top: number } | null} */
let held = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig } }) => {
  const control = document.querySelector("#table [aria-busy]");
  held = requestConfig.news || !below() ? null : { id: control?.id, top: control ? spanOf(control).top : 0 };
});
document.addEventListener("htmx:afterSettle", () => {
  if (!held || !below()) return;
  const control = element(held.id ?? "");
  const stays = shown(control);
  const inPanel = stays && below().contains(control);
  if (panelScrolls() && !inPanel) below().scrollTop = 0;
  else if (stays) scroll(spanOf(control).top - held.top);
  held = null;
  const what = answer() ?? (inPanel ? null : beginning());
  if (what) reveal(what);
});

// A page that is loaded begins with what its address asks for.
if (below() && !scrollY && !pageData().counts) {
  const what = answer();
  if (what) reveal(what);
}
