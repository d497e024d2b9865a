// What the pages gain with a script. Everything also works without: links are links and forms are forms.
import { element, pageData, withModifier } from "./page_data.js";

const PATIENCE = 2500;

// --- how htmx asks: before the page is there it asks nothing ------------------------------------------------------

// Forms that are wrong come back with 4xx and what is wrong; Back loads the page anew.
Object.assign(window.htmx?.config ?? {}, {
  includeIndicatorStyles: false,
  allowEval: false,
  defaultSettleDelay: 0,
  historyCacheSize: 0,
  refreshOnHistoryMiss: true,
  scrollIntoViewOnBoost: false,
  timeout: 1e4,
  responseHandling: [
    { code: "[23]04", swap: false },
    { code: "[23]..|4([01].|2[0-8])", swap: true },
    { code: "[45]..", swap: false, error: true }
  ]
});

// --- the board: a tap on a cell swaps the table ------------------------------------------------------------------

let strokes = ""; // the cells that a brush has touched and the server has not told of
document.addEventListener("click", (event) => {
  const { htmx } = window;
  const cell = /** @type {Element} */ (event.target).closest("#cells a");
  if (!cell || withModifier(event) || !htmx) return;
  event.preventDefault();
  const swap = { source: "#table", target: "#table", swap: "outerHTML", event };
  const href = /** @type {string} */ (cell.getAttribute("href")).replace(/(?<=\bpaint=)[^&]+/, (key) => {
    strokes += (strokes && ";") + key;
    return strokes;
  });
  const mine = strokes;
  const later = () => mine && setTimeout(() => strokes === mine && send(), PATIENCE);
  const told = () => {
    if (failed) return later();
    if (strokes === mine) strokes = "";
    tapOn();
  };
  // A later tap takes the place of this one, which then fails: nothing is amiss. A brush touches the cells of both, and
  // what it has touched is sent until it is answered.
  const send = () => htmx.ajax("GET", href, swap).then(told, later);
  send();
});

// --- a table sends what is new only: which parts the page has is told, and what they have in common is set here ----

document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { elt, target, headers } = detail;
  detail.path = detail.path.split("#")[0]; // the part that is meant is in what comes; the page is not moved to it
  detail.news = elt.id === "poll"; // here and in all scripts, this tells a question for news from what somebody asks
  if (!target?.dataset.mark) return;
  const groups = [...target.querySelectorAll("#board g[data-mark] > g")].map((group) => group.id);
  const parts = [target, .../** @type {NodeListOf<HTMLElement>} */ (target.querySelectorAll("[data-mark]"))].map(
    (part) => part.dataset.mark
  );
  headers["Bastide-Has"] = [...parts, ...groups].join(" ");
});
// Each part takes the place of the one with its id; of the board's layers, only what is new is put in. All is said of
// the new elements before the page is laid out. What takes the focus along comes first, for that lays it out, too.
/** @param {DocumentFragment} fragment */
const swapParts = (fragment) => {
  const came = /** @type {HTMLElement[]} */ (
    [...fragment.children].flatMap((part) => (part.id ? part : [...part.children]))
  );
  /** @param {Element} part */
  const focused = ({ id }) => /** @type {any} */ (element(id)?.contains(document.activeElement));
  for (const part of came.sort((one, other) => focused(other) - focused(one))) {
    const old = element(part.id);
    if (old?.matches("g[data-mark]")) swapLayer(old, part);
    else {
      if (part.id === "page-data") part.textContent = withSite(part);
      for (const place of part.querySelectorAll("[data-kept]"))
        place.replaceWith(/** @type {Element} */ (element(place.id)));
      old?.replaceWith(part);
    }
  }
  settle();
  inParts = true;
  return came.filter((part) => part instanceof HTMLElement);
};
/** What came of the page's data, with what the page has of it already. @param {Element} part */
const withSite = (part) => JSON.stringify({ site: pageData().site, ...JSON.parse(part.textContent) });
/** @param {HTMLElement} layer @param {HTMLElement} part */
const swapLayer = (layer, { children, dataset }) => {
  const groups = /** @type {HTMLElement[]} */ ([...children]).map((group) =>
    "kept" in group.dataset ? /** @type {Element} */ (element(group.id)) : group
  );
  for (const group of [...layer.children]) if (!groups.includes(group)) group.remove();
  groups.forEach((group, at) => {
    if (layer.children[at] !== group) layer.insertBefore(group, layer.children[at]);
  });
  layer.dataset.mark = dataset.mark;
};
window.htmx?.defineExtension("parts", {
  handleSwap: (/** @type {string} */ style, /** @type {Element} */ _, /** @type {DocumentFragment} */ fragment) =>
    style === "parts" && swapParts(fragment)
});
const inCommon = () => {
  const { look, version, board } = pageData();
  if (look) {
    element("table").className = look;
    element("table").dataset.version = String(version);
  }
  const chosen = board?.chosen ?? [];
  for (const cell of document.querySelectorAll("#squares [aria-current]"))
    if (!chosen.includes(cell.id)) cell.removeAttribute("aria-current");
  for (const id of chosen) element(id)?.setAttribute("aria-current", "true");
};

// --- the address says what is chosen: Back takes it back in one step, and a page that is loaded again has it still --

const VIEW = ["zoom", "before", "step", "round"];
let over = history.state?.over; // this entry of the history stands over one with nothing chosen
document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { history: update, requestConfig } }) => {
  if (update.type === "push") return;
  const [here, there] = [new URL(location.href), new URL(update.path, location.href)];
  const pushes = requestConfig.elt.closest("[hx-push-url]")?.getAttribute("hx-push-url") === "true";
  const leaves = pushes && there.pathname !== here.pathname;
  const chooses =
    !over && [...there.searchParams.keys()].some((name) => !here.searchParams.has(name) && !VIEW.includes(name));
  if (!leaves && !chooses) return;
  update.type = "push";
  over = !leaves;
});
const remember = () => over && history.replaceState({ ...history.state, over }, ""); // it costs a phone two milliseconds
document.addEventListener("htmx:pushedIntoHistory", remember);
document.addEventListener("htmx:replacedInHistory", remember);

// --- after a swap: what the page says of itself, unless its parts have said it -------------------------------------

let inParts = false;
document.addEventListener("htmx:afterSettle", () => {
  if (!inParts) settle();
  inParts = false;
});

// --- a tap answers at once: what was tapped is busy until the server has spoken -----------------------------------

/** @type {Element | null | undefined} */
let pressed;
/** The request that is under way. @type {{ xhr: XMLHttpRequest, posts: boolean } | null} */
let asked = null;
let failed = false; // the server could not answer the last one, or not now
let replaced = false; // another comes in its place
/** @param {Element | null} control */
const press = (control) => {
  pressed?.removeAttribute("aria-busy");
  pressed = control;
  pressed?.setAttribute("aria-busy", "true");
  document.body.classList.toggle("waiting", Boolean(pressed));
};
document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr, requestConfig } }) => {
  if (requestConfig.news) return;
  const { submitter, target } = requestConfig.triggeringEvent ?? {};
  asked = { xhr, posts: requestConfig.verb === "post" || requestConfig.path.includes("done=") }; // what a form did, too
  const tapped = /** @type {Element | null | undefined} */ (target)?.closest("a, button");
  press(submitter ?? tapped ?? elt.querySelector("button") ?? elt);
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr !== asked?.xhr) return;
  asked = null;
  failed = xhr.status === 429 || xhr.status >= 500;
  press(null);
  // Nothing is entered after what has failed. What only looks is done all the same.
  const lost = !strokes && (xhr.status ? xhr.status >= 400 : !replaced);
  taps = taps.filter(([id]) => {
    const control = /** @type {Control | null} */ (element(id));
    return !lost || !control?.form || control.removeAttribute("aria-busy");
  });
  setTimeout(tapOn);
  replaced = false;
});
document.addEventListener(
  "htmx:abort",
  () => {
    replaced = true;
  },
  true
);

// --- a tap while something is entered waits for the answer, and is then done on the page that came ----------------

/** @typedef {HTMLElement & { form?: TableForm }} Control */
/** What was tapped, by its id, and what it said. @type {[id: string, says: string][]} */
let taps = [];
let waited = false;
/** @param {Control | null} control */
const says = (control) => [control?.form?.elements.move?.value, control?.querySelector("span")?.textContent].join();
/** @param {Element} control */
const waits = (control) =>
  taps.length ||
  (strokes ? !control.getAttribute("href")?.includes("paint=") : asked && (asked.posts || pageData().counts));
document.addEventListener(
  "click",
  (event) => {
    /** @type {Control | null} */
    const control = /** @type {Element} */ (event.target).closest("#table :is(a, button)[id]:not([hx-boost=false])");
    if (!control || withModifier(event) || waited || !waits(control)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // What is sent is not sent twice by a double tap. Two steps back are two.
    if (control.id === pressed?.id && asked?.posts && !/^(un|re)do$/.test(control.id)) return;
    control.setAttribute("aria-busy", "true");
    taps.push([control.id, says(control)]);
  },
  true
);
const tapOn = () => {
  const [id, meant] = (!asked && !strokes && taps.shift()) || [];
  if (!id) return;
  const control = element(id);
  control?.removeAttribute("aria-busy");
  waited = true;
  // What says something else by now is not what was tapped.
  if (says(control) === meant) control?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  waited = false;
  tapOn(); // unless the server is asked again
};

// --- a page with a board has more, which comes when the page is there and is asked for until it comes: see board.js ---

const { board, away } = pageData().site ?? /** @type {Site} */ ({});
let tries = 0; // some browsers remember of an address that a script did not come: each try has one of its own
const fetchBoard = () =>
  import(`${board}#${++tries}`).catch(() => {
    const bar = element("trouble");
    bar.textContent = away;
    bar.hidden = false;
    setTimeout(fetchBoard, PATIENCE);
  });
if (board) addEventListener("load", fetchBoard);

// --- a form of a whole page is sent once; days and hours are those of the reader ------------------------------------------

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.closest("#table") || event.defaultPrevented) return;
  if (form.dataset.sent) event.preventDefault();
  form.dataset.sent = "yes";
  press(event.submitter);
});
addEventListener("pageshow", () => {
  press(null);
  for (const form of document.forms) delete form.dataset.sent;
});

const settle = () => {
  inCommon();
  const { leads } = pageData();
  if (leads) import(leads).catch(() => {});
  document.dispatchEvent(new Event("bastide:settled"));
  for (const time of document.querySelectorAll("time")) {
    if (!time.dataset.style) continue; // how long ago it was is said already
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, {
      [/** @type {string} */ (time.dataset.style)]: time.dataset.length
    });
  }
};
settle();
