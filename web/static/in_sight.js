// After a swap: the tapped control stays under the finger, and the requested part is in sight. The panel scrolls if it
// and the board fit on the screen, else the page does.

import { element, pageData } from "./page_data.js";

// Templates mark elements in `data-sight`: lists of `choices` or `reasons`, blocks to show `whole` or in whole `parts`,
// a `bar`, and the requested part: a message (`told`), a `verdict` or an `entry`.
const CHOICES = "#panel [data-sight~=choices] :is(a, button, span)[id]";
const BLOCKS = "[data-sight~=whole], [data-sight~=parts] > *"; // none is cut at the upper edge
const BARS = "#tabs, #actions, [data-sight~=bar]"; // bars at the lower edge

/** @param {Element} one */
const spanOf = (one) => one.getBoundingClientRect();
/** @param {Element} one */
const sticks = (one) => getComputedStyle(one).position === "sticky";
/** @param {Element | null | undefined} one */
const shown = (one) => Boolean(one?.getClientRects().length && one.checkVisibility?.() !== false);
/** Whether it is visible in the flow, not only for screen readers or with the focus. @param {Element} one */
const inFlow = (one) => shown(one) && getComputedStyle(one).position !== "absolute";
/** @param {ParentNode | null} within @param {string} what @returns {Element | undefined} */
const first = (within, what) => [...(within?.querySelectorAll(what) ?? [])].find(shown);
const below = () => element("below");
const panelScrolls = () => getComputedStyle(below()).overflowY === "auto";
const spare = document.createElement("div");
/** Scroll; a panel that is too short gets room at its end, above the bar at the lower edge. @param {number} top */
const scroll = (top) => {
  const scrolls = panelScrolls();
  const before = below().scrollTop;
  (scrolls ? below() : window).scrollBy({ top, behavior: "instant" });
  const missing = scrolls ? top - (below().scrollTop - before) : 0;
  if (missing < 1) return;
  const height = spare.isConnected ? spanOf(spare).height : 0;
  spare.style.blockSize = `${height}px`;
  const bar = [...document.querySelectorAll(`#panel > :is(${BARS})`)].find(sticks);
  (bar ? element("panel") : below()).append(spare);
  const free = Math.max((bar ? spanOf(bar).top : spanOf(below()).bottom) - spanOf(spare).bottom, 0);
  spare.style.blockSize = `${height + missing + free}px`;
  below().scrollBy({ top: missing, behavior: "instant" });
};

/** Whether it keeps its place on the screen when the page scrolls. @param {Element} one */
const stays = (one) => {
  const holder = one.closest("#cells") ? element("board") : one.closest(BARS);
  return Boolean(holder && sticks(holder));
};

/** The free area for the panel: without the bars below it, and without a board that stays above it. */
const room = () => {
  const panel = spanOf(below());
  let { top, bottom } = panelScrolls() ? panel : { top: 0, bottom: innerHeight };
  const over = (/** @type {DOMRect} */ { left, right }) => left < panel.right && right > panel.left;
  for (const bar of [...document.querySelectorAll(BARS)].filter(shown).filter(sticks))
    if (over(spanOf(bar))) bottom = Math.min(bottom, spanOf(bar).top);
  const board = element("board");
  if (!panelScrolls() && sticks(board) && over(spanOf(board))) top = spanOf(board).height;
  // The controls that lead through a game stay at the upper edge.
  for (const bar of [...document.querySelectorAll("#reel, #ways")].filter(shown).filter(sticks))
    top = Math.max(top, Math.min(spanOf(bar).bottom, top + spanOf(bar).height));
  return { top, bottom };
};

/** The elements to show of the requested part; if there is too little room, the last of them.
 * @typedef {(Element | undefined)[]} Sight */
/** The open questions and their first answers, or the first one alone, which matters most; the outcome and what it
 * needs or its first reason; the disputed move and the form; or an opened row and as many of its actions as fit.
 * @param {boolean} all @returns {Sight | null} */
const answer = (all) => {
  const panel = element("panel");
  const open = [...document.querySelectorAll("[data-next]")].filter(shown).reverse();
  if (open.length)
    return (all ? open : open.slice(-1)).flatMap((next) => [
      first(next.parentElement, "[data-sight~=choices] > li"),
      next
    ]);
  const trouble = first(below(), "[data-sight~=told]");
  if (trouble) return [trouble];
  const send = first(panel, "#raise");
  if (send) return [first(panel, "#disputed"), send];
  const verdict = first(panel, "[data-sight~=verdict]");
  if (verdict)
    return [
      verdict,
      first(panel, "#needs > li, [data-sight~=reasons] > li:first-child > p") ?? element("why") ?? undefined
    ];
  const entry = first(panel, "[data-sight~=entry]");
  if (!entry) return null;
  const actions = [...(first(entry, "#actions")?.children ?? [])].reverse();
  return [...actions, entry.closest("li")?.firstElementChild ?? first(entry, "h2")];
};
/** The first element of the panel, and the first choice. @returns {Sight} */
const beginning = () => [[...below().querySelectorAll(":not(#notes, #panel)")].find(inFlow), first(document, CHOICES)];
/** @param {Sight} sight */
const reveal = (sight) => {
  const spans = sight.filter(shown).map((one) => spanOf(/** @type {Element} */ (one)));
  if (!spans.length) return;
  const free = room();
  const top = Math.min(...spans.map((span) => span.top));
  const bottom = Math.max(...spans.map((span) => span.bottom));
  const most = top - free.top;
  const least = Math.min(Math.max(bottom - free.bottom, 0), most);
  if (spans.length > 1 && bottom - top > free.bottom - free.top) reveal(sight.slice(1));
  else if (least) scroll(Math.min(least + cutAbove(free.top + least), most));
};
/** The visible rest of a block that a scroll would cut at the upper edge. @param {number} edge */
const cutAbove = (edge) => {
  const cut = [...below().querySelectorAll(BLOCKS)].map(spanOf).find(({ top, bottom }) => top < edge && bottom > edge);
  return cut ? cut.bottom - edge : 0;
};

/** The tapped control, its vertical position, and the scroll position of the panel. */
let held = { id: "", top: 0, scrolled: 0 };
let asked = false;
document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig } }) => {
  asked = Boolean(below()) && !requestConfig.news;
  const control = document.querySelector("#table [aria-busy]");
  if (asked) held = { id: control?.id ?? "", top: control ? spanOf(control).top : 0, scrolled: below().scrollTop };
});
const place = () => {
  if (!below()) return;
  spare.remove();
  const there = element(held.id);
  const control = shown(there) ? there : null;
  const opens = !control || Boolean(control.closest("#cells, #tabs")); // a tap that changes the panel's content
  if (panelScrolls() && (!below().contains(control) || stays(/** @type {Element} */ (control))))
    below().scrollTop = opens ? 0 : held.scrolled;
  else if (control && !stays(control)) scroll(spanOf(control).top - held.top); // keep it under the finger
  reveal(answer(opens) ?? (opens ? beginning() : []));
};
/** Move a panel's style sheet to the page: the next panel of its kind has it at once, without a layout shift. */
const adoptStyles = () => {
  for (const link of document.querySelectorAll("#panel link")) {
    if (document.head.querySelector(`link[href="${link.getAttribute("href")}"]`)) link.remove();
    else {
      if (asked) link.addEventListener("load", place, { once: true });
      document.head.append(link);
    }
  }
};
document.addEventListener("htmx:afterSettle", () => {
  adoptStyles();
  if (asked) place();
  asked = false;
});

const LINES = 144; // px of an unfolded part
/** Bring an unfolded part at the lower edge into sight: its first lines, below its head. @param {Element} fold */
const unfold = (fold) => {
  const free = room();
  const head = spanOf(fold.children[0]);
  const bottom = Math.min(head.bottom + LINES, spanOf(fold).bottom);
  scroll(Math.max(Math.min(bottom - free.bottom, head.top - free.top), 0));
};
document.addEventListener("click", ({ target }) => {
  const fold = /** @type {HTMLDetailsElement} */ (/** @type {Element} */ (target).closest("summary")?.parentElement);
  if (!fold || !below()?.contains(fold)) return;
  fold.addEventListener("toggle", () => fold.open && unfold(fold), { once: true });
});

// When the board becomes larger or smaller, the open part stays in sight.
document.addEventListener("change", ({ target }) => {
  if (/** @type {Element} */ (target).id === "unfold" && below()) reveal(answer(true) ?? []);
});

// A new page begins with the part that its address requests.
if (below() && !scrollY && !pageData().counts) reveal(answer(true) ?? []);
