// A photo of the table under the board, to copy the position by taps. Loaded only on pages to enter a position. No code
// here sends it: it is stored in this tab's own storage, which the browser empties with the tab.
import { element, pageData } from "./page_data.js";
import { convex, matrix, projection } from "./projection.js";

/** @typedef {import("./projection.js").Point} Point */
/**
 * The photo under the board. `source`: the corners as fractions of the photo; `target`: their places in units of the
 * board's cells, whatever its rotation and visible part; `turn`: the quarter turns when the first corner was at the top
 * left. `mode`: "pick", the player puts the corners on the photo; "fit", the player moves them with it; "laid", the
 * player taps cells. `cover`: the opacity of the board, in per cent.
 * @typedef {{ game: string | undefined, mode: "pick" | "fit" | "laid", source: Point[], target: Point[], turn: number | undefined, cover: number }} Layout
 */

const IMAGE = "photo";
const LAYOUT = "photo-layout";
const LARGEST = 1600; // pixels of the longer side: enough to see a piece, and small enough for the storage of a tab
const QUALITY = 0.8;
const REACH = 22; // pixels from the middle of a handle to its edge
/** @type {Readonly<Record<string, Point>>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const LEAP = 10; // pixels of a step with Shift
/** Clockwise from the top left, as all four corners here. @type {Point[]} */
const FRAME = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 1]
];
const INSET = FRAME.map(([x, y]) => /** @type {Point} */ ([0.1 + 0.8 * x, 0.1 + 0.8 * y]));
/** @param {number} least @param {number} value @param {number} most */
const between = (least, value, most) => Math.max(least, Math.min(value, most));

// --- the photo under the board -------------------------------------------------------------------------------------

/** Undefined without a photo, like the image. @type {Layout} */
let layout;
/** @type {HTMLImageElement} */
let image;
let kept = true;
let open = false;
/** The board whose size is observed. @type {Element | null} */
let watched = null;

const under = document.createElement("div");
under.className = "photo-under";
const over = document.createElement("div");
over.className = "photo-corners";
over.append(element("photo-corners").content);
const handles = /** @type {HTMLElement[]} */ ([...over.children]);

// How fingers have enlarged and moved the board.
const enlarged = () => new DOMMatrix(getComputedStyle(element("squares")).transform);
const quarters = () => pageData().board?.turn ?? 0;
// From units of the cells to pixels of the board's place. Safari's getScreenCTM ignores the enlargement by fingers.
const laidOut = () => {
  const [{ x, y, width, height }, style] = [element("squares").viewBox.baseVal, getComputedStyle(element("squares"))];
  const [wide, high] = [parseFloat(style.width), parseFloat(style.height)];
  const scale = Math.min(wide / width, high / height);
  const middle = enlarged()
    .translate(wide / 2, high / 2)
    .scale(scale)
    .rotate(90 * quarters());
  return middle.translate(-x - width / 2, -y - height / 2);
};
/** @param {DOMMatrix} map @param {Point} point @returns {Point} */
const through = (map, [x, y]) => {
  const at = map.transformPoint({ x, y });
  return [at.x, at.y];
};
/** @param {Point} point */
const pixels = (point) => through(laidOut(), point);
/** @param {Point} point */
const units = (point) => through(laidOut().inverse(), point);
// The photo without distortion, as large as fits, and enlarged like the board.
const flat = () => {
  const { width, height } = element("board").getBoundingClientRect();
  const { a, e, f } = enlarged();
  const scale = Math.min(width / image.naturalWidth, height / image.naturalHeight);
  const [wide, high] = [image.naturalWidth * scale, image.naturalHeight * scale];
  return { left: e + (a * (width - wide)) / 2, top: f + (a * (height - high)) / 2, wide: a * wide, high: a * high };
};
/** @returns {Point[]} */
const pins = () => {
  if (layout.mode !== "pick") return layout.target.map(pixels);
  const { left, top, wide, high } = flat();
  return layout.source.map(([x, y]) => [left + x * wide, top + y * high]);
};
/** @param {Point[]} corners @param {number} by */
const turned = (corners, by) => corners.map((_, at) => /** @type {Point} */ (corners.at((at - by) % 4)));
// The corners of the cells if they lie in rows, else those of the board; first the visible top left.
const edges = () => {
  const { x, y, width, height } = element(pageData().board?.free ? "ground" : "cells").getBBox();
  const corners = FRAME.map(([across, down]) => /** @type {Point} */ ([x + across * width, y + down * height]));
  return turned(corners, quarters());
};
// After a rotation of the board, another corner is the first.
const follow = () => {
  const turn = quarters();
  if (layout.mode === "pick" || layout.turn === turn) return;
  const by = turn - (layout.turn ?? unturn());
  Object.assign(layout, { source: turned(layout.source, by), target: turned(layout.target, by), turn });
  keep();
};
// An older layout: its corners were relative to the visible part of the board, not to the cells.
const unturn = () => {
  const { x, y, width, height } = element("squares").viewBox.baseVal;
  const [across, down] = [x + width / 2, y + height / 2];
  const map = new DOMMatrix()
    .translate(across, down)
    .rotate(-90 * quarters())
    .translate(-across, -down);
  Object.assign(layout, { target: layout.target.map((point) => through(map, point)), turn: quarters() });
  return quarters();
};

const show = () => {
  const controls = element("photo");
  const mine = Boolean(layout && controls && layout.game === pageData().game);
  const mode = mine ? layout.mode : "none";
  document.body.dataset.photo = mode;
  if (!controls) return;
  controls.open = open;
  /** @type {NodeListOf<HTMLElement>} */
  const parts = controls.querySelectorAll("[data-when]");
  for (const part of parts) part.hidden = !part.dataset.when?.split(" ").includes(mode);
  element("photo-lost").hidden = !mine || kept;
  if (!mine) {
    under.remove();
    over.remove();
    return;
  }
  element("photo-cover").value = String(layout.cover);
  document.body.style.setProperty("--cover", String(layout.cover / 100));
  if (!under.isConnected) element("board").prepend(under);
  if (!over.isConnected) element("board").append(over);
  follow();
  place();
  if (watched === element("squares")) return;
  watched = element("squares");
  resized.disconnect();
  resized.observe(watched);
};
const place = () => {
  const { width, height } = element("board").getBoundingClientRect();
  const at = pins();
  /** @type {Point[]} */
  const from = layout.source.map(([x, y]) => [x * image.naturalWidth, y * image.naturalHeight]);
  image.style.transform = matrix(projection(from, at));
  over.style.touchAction = getComputedStyle(element("squares")).touchAction;
  handles.forEach((handle, corner) => {
    const [x, y] = at[corner];
    const [left, top] = [between(REACH, x, width - REACH), between(REACH, y, height - REACH)];
    Object.assign(handle.style, { left: `${left}px`, top: `${top}px` });
    handle.style.setProperty("--aside", `${x - left}px`); // a handle stays on the board, its mark on the corner
    handle.style.setProperty("--below", `${y - top}px`);
  });
};
const again = () => {
  if (image?.isConnected) place();
};
const resized = new ResizeObserver(again);
document.addEventListener("bastide:enlarged", again);

// --- storage in this tab -------------------------------------------------------------------------------------------

const keep = () => {
  try {
    sessionStorage.setItem(LAYOUT, JSON.stringify(layout));
  } catch {
    kept = false; // no room, or no storage
  }
};
const forget = () => {
  image?.remove();
  [layout, image] = /** @type {any} */ ([]);
  try {
    for (const name of [IMAGE, LAYOUT]) sessionStorage.removeItem(name);
  } catch {
    // Without storage, there is nothing to remove.
  }
};
/** @param {string} address */
const picture = async (address) => {
  const found = new Image();
  found.alt = "";
  found.draggable = false;
  found.src = address;
  await found.decode();
  image?.remove();
  image = found;
  under.append(image);
};
const restore = async () => {
  try {
    const [address, said] = [sessionStorage.getItem(IMAGE), sessionStorage.getItem(LAYOUT)];
    if (!address || !said) return;
    await picture(address);
    layout = JSON.parse(said);
    open = layout.mode !== "laid";
  } catch {
    forget();
  }
};

// Drawn again, smaller: this drops the metadata of the file, such as its place.
/** @param {File} file */
const read = async (file) => {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LARGEST / Math.max(bitmap.width, bitmap.height));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.max(1, Math.round(bitmap.width * scale)),
    height: Math.max(1, Math.round(bitmap.height * scale))
  });
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return canvas.toDataURL("image/jpeg", QUALITY);
};
/** @param {HTMLInputElement} input */
const choose = async (input) => {
  const file = input.files?.[0];
  if (!file) return;
  try {
    const address = await read(file);
    await picture(address);
    kept = true;
    try {
      sessionStorage.setItem(IMAGE, address);
    } catch {
      kept = false;
    }
    begin();
  } catch {
    element("photo-failed").hidden = false;
  }
};
/** At the top, the board and the controls are below each other. */
const toTop = () => {
  scrollTo({ top: 0 });
  element("below")?.scrollTo({ top: 0 });
};
const begin = () => {
  layout = { game: pageData().game, mode: "pick", source: INSET, target: [], turn: undefined, cover: 50 };
  element("photo-failed").hidden = true;
  element("menu")?.hidePopover();
  open = true;
  keep();
  show();
  toTop();
};

// --- taps, keys and fingers --------------------------------------------------------------------------------------

/** @param {number} corner @param {Point} to */
const move = (corner, [x, y]) => {
  const { left, top, wide, high } = flat();
  const picks = layout.mode === "pick";
  /** @type {Point} */
  const there = picks ? [between(0, (x - left) / wide, 1), between(0, (y - top) / high, 1)] : units([x, y]);
  const moved = (picks ? layout.source : layout.target).with(corner, there);
  if (!convex(moved)) return;
  layout[picks ? "source" : "target"] = moved;
  place();
};
/** The corner that a finger holds. @type {{ corner: number, pointer: number, x: number, y: number } | null} */
let held = null;
// Gestures beside the dots go to the board below, to enlarge and move it. False if the board has handled the event.
/** @param {MouseEvent} event */
const pass = (event) => {
  const Same = /** @type {typeof MouseEvent} */ (event.constructor);
  return element("squares").dispatchEvent(new Same(event.type, event));
};
/** The number of the corner of an event; -1 beside the corners. @param {Event} event */
const cornerOf = ({ target }) => handles.findIndex((handle) => handle.contains(/** @type {Node} */ (target)));
over.addEventListener("touchstart", (event) => event.touches.length > 1 && event.preventDefault(), { passive: false });
over.addEventListener("pointerdown", (event) => {
  const corner = cornerOf(event);
  if (corner >= 0) element("photo-first").hidden = true;
  else if (!held) pass(event);
  if (corner < 0 || held) return;
  const [x, y] = pins()[corner];
  held = { corner, pointer: event.pointerId, x: x - event.clientX, y: y - event.clientY };
  handles[corner].setPointerCapture(event.pointerId);
});
over.addEventListener("pointermove", (event) => {
  if (held?.pointer === event.pointerId) move(held.corner, [event.clientX + held.x, event.clientY + held.y]);
});
/** @param {PointerEvent} event */
const release = (event) => {
  if (held?.pointer !== event.pointerId) return;
  held = null;
  keep();
};
over.addEventListener("pointerup", release);
over.addEventListener("pointercancel", release);
// A tap beside the dots is meant for a cell, which takes none yet: the text on the corners says so.
over.addEventListener("click", (event) => {
  if (cornerOf(event) >= 0 || !pass(event)) return;
  open = true;
  element("photo").open = true;
  element("photo-first").hidden = false;
  toTop();
});
over.addEventListener("keydown", (event) => {
  const corner = cornerOf(event);
  if (corner < 0 || !(event.key in STEPS)) return;
  event.preventDefault();
  const [x, y] = pins()[corner];
  const [across, down] = STEPS[event.key].map((step) => step * (event.shiftKey ? LEAP : 1));
  move(corner, [x + across, y + down]);
  keep();
});

/** The action of each button. @type {Readonly<Record<string, () => unknown>>} */
const DONE = {
  "photo-lay": () => Object.assign(layout, { mode: "fit", target: edges(), turn: quarters() }),
  "photo-done": () => {
    layout.mode = "laid";
    open = false;
    toTop();
  },
  "photo-move": () => {
    layout.mode = "fit";
  },
  "photo-reset": () => begin(),
  "photo-remove": () => forget()
};
document.addEventListener("click", (event) => {
  /** @type {HTMLElement | null} */
  const button = /** @type {Element} */ (event.target).closest("#photo button");
  if (!button) return;
  element("photo-first").hidden = true;
  DONE[button.id]();
  if (layout) keep();
  show();
  // If the tapped button is hidden now, the focus moves to the next one.
  if (!button.hidden) return;
  /** @type {NodeListOf<HTMLElement>} */
  const controls = element("photo").querySelectorAll(open ? "input, button" : "summary");
  [...controls].find((each) => !each.closest("[hidden]"))?.focus({ preventScroll: true });
});
document.addEventListener("change", (event) => {
  const input = /** @type {HTMLInputElement} */ (event.target);
  if (input.id === "photo-file") choose(input);
  if (input.id === "photo-cover") keep();
});
document.addEventListener("input", (event) => {
  const input = element("photo-cover");
  if (event.target !== input) return;
  layout.cover = Number(input.value);
  document.body.style.setProperty("--cover", String(layout.cover / 100));
});
document.addEventListener(
  "toggle",
  (event) => {
    const folded = element("photo");
    if (folded && event.target === folded) open = folded.open;
  },
  true
);

document.addEventListener("htmx:afterSwap", show);
document.addEventListener("htmx:afterSettle", show);
restore().then(show);
