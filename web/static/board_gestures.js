// Fingers on the board: two enlarge it, one moves the enlarged board, a double tap shows all of it again. Only the view
// changes; the server does not know of it.

import { element } from "./page_data.js";

/** @typedef {{ x: number, y: number }} Point in pixels */
/** @typedef {Point & { scale: number }} Shown the scale of the board, and its offset */
/** @typedef {Point & { apart: number, shown: Shown }} Hold the place of the fingers, and the view of the board then */

const MOST = 6;
const STILL = 8; // pixels that a finger may move and still tap
const TWICE = 300; // milliseconds between the taps of a double tap
const NEAR = 24;
/** @type {Shown} */
const ALL = { scale: 1, x: 0, y: 0 };

/** The board; the page without a connection may have none. @type {SVGSVGElement} */
let squares;
let shown = ALL;
/** The state when the last finger went down or up. @type {Hold | null} */
let begun = null;
let moved = false;
let tap = { time: -Infinity, x: 0, y: 0 };
/** @type {Map<number, Point>} */
const fingers = new Map();
// A style sheet of its own: the security policy forbids style attributes in swapped parts.
const sheet = new CSSStyleSheet();
sheet.replaceSync("#squares { transform-origin: 0 0; touch-action: pan-x pan-y; } #board {}");
document.adoptedStyleSheets.push(sheet);
const [looks, frame] = [...sheet.cssRules].map((rule) => /** @type {CSSStyleRule} */ (rule).style);

/** @param {number} value @param {number} least @param {number} most */
const within = (value, least, most) => Math.min(Math.max(value, least), most);
/** @param {Point} one @param {Point} other */
const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** @param {Shown} to */
const show = ({ scale, x, y }) => {
  const { clientWidth: wide, clientHeight: high } = squares;
  const large = scale > 1;
  shown = large ? { scale, x: within(x, wide * (1 - scale), 0), y: within(y, high * (1 - scale), 0) } : ALL;
  looks.transform = large ? `translate(${shown.x}px, ${shown.y}px) scale(${scale})` : "";
  looks.touchAction = large ? "none" : "pan-x pan-y";
  frame.overflow = large ? "clip" : "";
  document.dispatchEvent(new Event("bastide:enlarged"));
};

// --- fingers -------------------------------------------------------------------------------------------------------

/** @returns {Hold | null} */
const hold = () => {
  const [one, other = one] = [...fingers.values()];
  if (!one) return null;
  const { left, top } = squares.getBoundingClientRect();
  const middle = { x: (one.x + other.x) / 2 - left + shown.x, y: (one.y + other.y) / 2 - top + shown.y };
  return { ...middle, apart: far(one, other), shown };
};
/** @param {PointerEvent} event */
const down = (event) => {
  if (!fingers.size) moved = false;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  begun = hold();
};
/** @param {PointerEvent} event */
const move = (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const now = { x: event.clientX, y: event.clientY };
  if (!moved && far(before, now) < STILL) return;
  fingers.set(event.pointerId, now);
  if (fingers.size < 2 && shown.scale === 1) return;
  moved = true;
  const held = hold();
  if (!begun || !held) return;
  const scale = begun.apart ? within((begun.shown.scale * held.apart) / begun.apart, 1, MOST) : shown.scale;
  const ratio = scale / begun.shown.scale;
  show({ scale, x: held.x - (begun.x - begun.shown.x) * ratio, y: held.y - (begun.y - begun.shown.y) * ratio });
};
/** @param {PointerEvent} event */
const up = (event) => {
  if (!fingers.delete(event.pointerId)) return;
  begun = hold();
  if (fingers.size || moved || shown.scale === 1 || event.type === "pointercancel") return;
  const now = { time: event.timeStamp, x: event.clientX, y: event.clientY };
  const twice = now.time - tap.time < TWICE && far(now, tap) < NEAR;
  tap = now;
  if (!twice) return;
  moved = true;
  show(ALL);
};
addEventListener("pointermove", move);
addEventListener("pointerup", up);
addEventListener("pointercancel", up);
// A gesture that moved the board chooses no cell.
addEventListener(
  "click",
  (event) => {
    if (!moved || !event.detail || !squares.contains(/** @type {Node} */ (event.target))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true
);

// --- a new board, a new size of the window, the focus --------------------------------------------------------------

const adopt = () => {
  const board = element("squares");
  if (!board || board === squares) return;
  const same = squares?.getAttribute("viewBox") === board.getAttribute("viewBox");
  squares = board;
  fingers.clear();
  board.addEventListener("pointerdown", down);
  // The browser must not handle two fingers, nor drag a cell as a link.
  board.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), {
    passive: false
  });
  board.addEventListener("dragstart", (event) => event.preventDefault());
  show(same ? shown : ALL);
};
/** @param {FocusEvent} event */
const reach = ({ target }) => {
  if (!(target instanceof Element)) return;
  if (shown.scale === 1 || !squares.contains(target) || !target.matches(":focus-visible")) return;
  const [cell, seen] = [target, element("board")].map((each) => each.getBoundingClientRect());
  const inside =
    cell.left >= seen.left && cell.right <= seen.right && cell.top >= seen.top && cell.bottom <= seen.bottom;
  if (inside) return;
  const across = seen.left + seen.width / 2 - cell.left - cell.width / 2;
  const along = seen.top + seen.height / 2 - cell.top - cell.height / 2;
  show({ ...shown, x: shown.x + across, y: shown.y + along });
};
// Not on the board itself: an element that listens for the focus becomes a tab stop.
document.addEventListener("focusin", reach);
document.addEventListener("bastide:settled", adopt);
addEventListener("resize", () => squares && show(shown));
adopt();
