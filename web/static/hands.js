// What a page with a board asks for once it is there. Fingers on the board: two enlarge it, one moves what is enlarged, a
// double tap shows all of it again; the board is only shown otherwise, and the server knows nothing of it. Keys: arrows go
// from cell to cell. News of other phones take nothing away that is typed. The screen stays on.

// Days are those of this browser's time zone, also where no script says them: in files, and among the results.
document.cookie = `zone=${Intl.DateTimeFormat().resolvedOptions().timeZone}; path=/; max-age=31536000; samesite=lax`;

const MOST = 6;
const STILL = 8; // pixels within which a finger has not moved
const TWICE = 300; // milliseconds between the taps of a double tap
const NEAR = 24;
const ALL = { scale: 1, x: 0, y: 0 };

let squares = null;
let shown = ALL; // by how much the board is larger, and by how many pixels it lies off its place
let begun = null; // how it lay when the last finger came or went, and where the fingers were
let moved = false;
let tap = { time: -Infinity, x: 0, y: 0 };
const fingers = new Map();
// A sheet of its own, for what is swapped in may have no style written into it. With large text, what a verdict comes to
// has all its words, and covers nothing.
const sheet = new CSSStyleSheet();
sheet.replaceSync(`#squares { transform-origin: 0 0; touch-action: pan-x pan-y; } #board {}
  .panel, .question { position: relative; }
  @media (max-width: 16rem) { .verdict ~ .actions { position: static; } .in-short > :nth-child(2) { -webkit-line-clamp: none; } }`);
document.adoptedStyleSheets.push(sheet);
const [looks, frame] = [...sheet.cssRules].map((rule) => rule.style);

const within = (value, least, most) => Math.min(Math.max(value, least), most);
const reduced = (event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

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

const hold = () => {
  const [one, other = one] = [...fingers.values()];
  if (!one) return null;
  const { left, top } = squares.getBoundingClientRect();
  const middle = { x: (one.x + other.x) / 2 - left + shown.x, y: (one.y + other.y) / 2 - top + shown.y };
  return { ...middle, apart: far(one, other), shown };
};
const down = (event) => {
  if (!fingers.size) moved = false;
  fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  begun = hold();
};
const move = (event) => {
  if (!fingers.has(event.pointerId)) return;
  const before = fingers.get(event.pointerId);
  const now = { x: event.clientX, y: event.clientY };
  if (!moved && far(before, now) < STILL) return;
  fingers.set(event.pointerId, now);
  if (fingers.size < 2 && shown.scale === 1) return;
  moved = true;
  const held = hold();
  const scale = begun.apart ? within((begun.shown.scale * held.apart) / begun.apart, 1, MOST) : shown.scale;
  const ratio = scale / begun.shown.scale;
  show({ scale, x: held.x - (begun.x - begun.shown.x) * ratio, y: held.y - (begun.y - begun.shown.y) * ratio });
};
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
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, up);
// What moved the board chooses no cell.
addEventListener(
  "click",
  (event) => {
    if (!moved || !event.detail || !squares.contains(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// --- a board that comes in place of another, a window of another size, the keyboard ----------------------------------

const adopt = () => {
  const board = document.getElementById("squares");
  if (!board || board === squares) return;
  const same = squares?.getAttribute("viewBox") === board.getAttribute("viewBox");
  squares = board;
  fingers.clear();
  board.addEventListener("pointerdown", down);
  // Two fingers are not the browser's, and no cell is dragged away as a link.
  board.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
  board.addEventListener("dragstart", (event) => event.preventDefault());
  show(same ? shown : ALL);
};
const reach = ({ target }) => {
  if (shown.scale === 1 || !squares.contains(target) || !target.matches(":focus-visible")) return;
  const [cell, seen] = [target, squares.parentElement].map((each) => each.getBoundingClientRect());
  const inside = cell.left >= seen.left && cell.right <= seen.right && cell.top >= seen.top && cell.bottom <= seen.bottom;
  if (inside) return;
  const across = seen.left + seen.width / 2 - cell.left - cell.width / 2;
  const along = seen.top + seen.height / 2 - cell.top - cell.height / 2;
  show({ ...shown, x: shown.x + across, y: shown.y + along });
};
// Not on the board itself: what listens there for the focus becomes a stop of the tab key.
document.addEventListener("focusin", reach);
document.addEventListener("htmx:afterSettle", adopt);
addEventListener("resize", () => show(shown));
adopt();

// --- arrow keys go from cell to cell -----------------------------------------------------------------------------------

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.("a.cell");
  if (!cell || !(event.key in STEPS) || reduced(event)) return;
  const { row, turn = 0 } = squares.dataset;
  const box = cell.firstElementChild.getBBox();
  const cells = [...squares.querySelectorAll("a.cell")];
  let [across, down] = STEPS[event.key];
  for (let left = turn; left > 0; left--) [across, down] = [down, -across];
  const next = row === "0" ? towards(cells, box, across, down) : cells.find((other) => {
    const at = other.firstElementChild.getBBox();
    return at.x === box.x + across * box.width && at.y === box.y + down * box.height;
  });
  event.preventDefault();
  if (!next) return;
  stopAt(cells, next);
  next.focus({ preventScroll: true });
});
// Where cells lie anywhere: the nearest one that lies rather in this direction than in any other.
const towards = (cells, box, across, down) => {
  let nearest = null;
  let least = Infinity;
  for (const cell of cells) {
    const at = cell.firstElementChild.getBBox();
    const ahead = (at.x - box.x) * across + (at.y - box.y) * down;
    const aside = Math.abs((at.x - box.x) * down) + Math.abs((at.y - box.y) * across);
    if (ahead > 0 && ahead >= aside && ahead + aside < least) [nearest, least] = [cell, ahead + aside];
  }
  return nearest;
};
// One stop for the tab key on the whole board. Without this script, each cell is one.
const assign = (cell, value) => cell.getAttribute("tabindex") === value || cell.setAttribute("tabindex", value);
const stopAt = (cells, stop) => cells.forEach((cell) => assign(cell, cell === stop ? "0" : "-1"));
const oneStop = () => {
  const cells = [...document.querySelectorAll("#squares a.cell")];
  stopAt(cells, cells.find((cell) => cell === document.activeElement) ?? cells.find((cell) => cell.hasAttribute("aria-current")) ?? cells[Math.floor(cells.length / 2)]);
};
document.addEventListener("bastide:settled", oneStop);
oneStop();

// --- cells that were painted faster than the server answered are a step back each ---------------------------------------

document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { requestConfig } }) => {
  const [, before, painted, after] = requestConfig.path.match(/^(.*\bpaint=)([^&]+)(.*)$/) ?? [];
  const cells = painted?.split(";") ?? [];
  for (let n = 1; n < cells.length; n++) history.pushState({ htmx: true }, "", before + cells.slice(0, n).join(";") + after);
});

// --- news take nothing away that somebody has begun: what is typed, chosen or unfolded -----------------------------------

let begunBefore = new Map();
const fields = () => [...document.querySelectorAll(":is(#panel, #curve) :is(input, select, textarea, details)")];
const key = (it) => [it.id, it.name, it.options ? "" : it.getAttribute("value"), it.firstElementChild?.textContent].join();
const touched = (it) => {
  if (it.matches("details")) return true;
  if (it.options) return [...it.options].some((choice) => choice.selected !== choice.defaultSelected);
  return it.type !== "hidden" && (it.value !== it.defaultValue || it.checked !== it.defaultChecked);
};
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  begunBefore = new Map(detail.requestConfig.news ? fields().filter(touched).map((it) => [key(it), it]) : []);
});
document.addEventListener("bastide:settled", () => {
  for (const it of begunBefore.size ? fields() : []) {
    const { open, value, checked } = begunBefore.get(key(it)) ?? it;
    Object.assign(it, open === undefined ? { value, checked } : { open });
  }
  begunBefore.clear();
});

// --- who changes the tab by keys goes on in what has come, and not behind it ------------------------------------------

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  const tab = document.activeElement?.closest(".tab:focus-visible");
  if (tab && tab.id === detail.requestConfig?.elt.id) document.getElementById("panel").focus({ preventScroll: true });
});

// --- a skip link moves the focus, and adds no step to the history -------------------------------------------------------

document.addEventListener("click", (event) => {
  const skip = event.target.closest("a.skip");
  const there = skip && document.querySelector(skip.getAttribute("href"));
  if (!there || reduced(event)) return;
  event.preventDefault();
  // Of several buttons, the last one is what the others lead up to.
  (there.matches("[tabindex]") ? there : [...there.querySelectorAll("a, button")].at(-1))?.focus();
});

// --- the screen stays on at a table --------------------------------------------------------------------------------

const awake = async () => {
  if (document.visibilityState !== "visible") return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // A phone that saves its battery says no.
  }
};
document.addEventListener("visibilitychange", awake);
awake();
