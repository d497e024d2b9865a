// Improves the pages with a script. Everything also works without: links are links and forms are forms.
import { element, pageData, withModifier } from "./page_data.js";

const PATIENCE = 2500;

// --- the settings of htmx, which sends nothing before the page is loaded -------------------------------------------

// A form with errors comes back with 4xx and its errors; Back loads the page again.
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

let strokes = ""; // the cells that a brush has painted without a response yet
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
  // A later tap replaces this request, which then fails: that is no error. A brush paints the cells of both, and each
  // request repeats the painted cells until the server responds.
  const send = () => htmx.ajax("GET", href, swap).then(told, later);
  send();
});

// --- a table sends only new parts: the request lists the parts of the page, and their common data is set here ------

document.addEventListener("htmx:configRequest", ({ detail }) => {
  const { elt, target, headers } = detail;
  detail.path = detail.path.split("#")[0]; // the response contains the target of the fragment; no scrolling there
  detail.news = elt.id === "poll"; // in all scripts, this marks a poll for news, which no player requested
  if (!target?.dataset.mark) return;
  const groups = [...target.querySelectorAll("#board g[data-mark] > g")].map((group) => group.id);
  const parts = [target, .../** @type {NodeListOf<HTMLElement>} */ (target.querySelectorAll("[data-mark]"))].map(
    (part) => part.dataset.mark
  );
  headers["Bastide-Has"] = [...parts, ...groups].join(" ");
});
// Each part replaces the one with its id; a layer of the board only gets its new groups. All new elements are complete
// before the page is laid out. The part with the focus comes first, since moving the focus also lays out the page.
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
/** The new page data, with the `site` that the page has already. @param {Element} part */
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

// --- the address contains the choice: Back undoes it in one step, and a reload keeps it ----------------------------

const VIEW = ["zoom", "before", "step", "round"];
let over = history.state?.over; // the history entry before this one has no choice
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
const remember = () => over && history.replaceState({ ...history.state, over }, ""); // takes a phone two milliseconds
document.addEventListener("htmx:pushedIntoHistory", remember);
document.addEventListener("htmx:replacedInHistory", remember);

// --- after a swap: settle the page, unless the swap of its parts did -----------------------------------------------

let inParts = false;
document.addEventListener("htmx:afterSettle", () => {
  if (!inParts) settle();
  inParts = false;
});

// --- a tap shows at once: the tapped control is busy until the server responds -------------------------------------

/** @type {Element | null | undefined} */
let pressed;
/** The pending request. @type {{ xhr: XMLHttpRequest, posts: boolean } | null} */
let asked = null;
let failed = false; // the last response was 429 or 5xx
let replaced = false; // another request replaces it
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
  asked = { xhr, posts: requestConfig.verb === "post" || requestConfig.path.includes("done=") }; // or after a form
  const tapped = /** @type {Element | null | undefined} */ (target)?.closest("a, button");
  press(submitter ?? tapped ?? elt.querySelector("button") ?? elt);
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  if (xhr !== asked?.xhr) return;
  asked = null;
  failed = xhr.status === 429 || xhr.status >= 500;
  press(null);
  // After a failure, drop the waiting taps that enter something. Those that only look are still done.
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

// --- a tap while something is entered waits for the response, and is then done on the new page ---------------------

/** @typedef {HTMLElement & { form?: TableForm }} Control */
/** The waiting taps: the id and the text of each control. @type {[id: string, says: string][]} */
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
    // A double tap does not send the same form twice; but two taps on undo are two steps.
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
  // A control with another text by now is not the tapped one.
  if (says(control) === meant) control?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  waited = false;
  tapOn(); // unless a request is pending again
};

// --- a page with a board loads one more script after itself, and retries until it succeeds: see board.js -----------

const { board, away } = pageData().site ?? /** @type {Site} */ ({});
let tries = 0; // some browsers cache the failure of a script's address: each try has a new address
const fetchBoard = () =>
  import(`${board}#${++tries}`).catch(() => {
    const bar = element("trouble");
    bar.textContent = away;
    bar.hidden = false;
    setTimeout(fetchBoard, PATIENCE);
  });
if (board) addEventListener("load", fetchBoard);

// --- a form of a whole page is sent once; days and hours are in the reader's time zone -----------------------------

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
    if (!time.dataset.style) continue; // the server has written how long ago it was
    time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, {
      [/** @type {string} */ (time.dataset.style)]: time.dataset.length
    });
  }
};
settle();
