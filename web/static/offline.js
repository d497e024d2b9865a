// The connection of a table's page: reports its loss, and stores moves until they can be sent (outbox.js). A move that
// the server rejects waits until a player decides. Other scripts send the moves (sending.js), and show the list of
// waiting moves and the moves to choose from (outbox_list.js).

import { keepBoard, showBoard } from "./last_board.js";
import { ghostOf, Outbox } from "./outbox.js";
import { element, pageData } from "./page_data.js";
import { Store } from "./store.js";

const PATIENCE = 2500; // ms until waiting moves are sent again
const IDLE = 5000; // ms without a tap until the moves to choose from are fetched again
const LONGEST = 10000; // ms until a request times out
const BUSY = 429;
const bar = element("trouble");
const site = pageData().site ?? /** @type {Site} */ ({});
const [path = "", id] = location.pathname.match(/^.*\/t\/([A-Za-z0-9_-]{22})/) ?? [];
const live = !element("offline-parts"); // a page of the service, not the offline page

// --- stored in this phone: the waiting moves, by table and role, and the moves to choose from ----------------------

const store = Store.ofBrowser();
const AHEAD = `bastide.ahead.${id}`;
const ahead = () => /** @type {Ahead | null} */ (store.get(AHEAD)) ?? { moves: [] };
const role = site.role ?? ahead().role;
const mine = (live ? site.seat : ahead().seat) ?? null;
const plays = Boolean(live ? site.plays : (ahead().plays ?? role));
const WAITS = `bastide.waits.${id}.${role}`;
const outbox = new Outbox(store, WAITS, {
  mine,
  due: () => (live ? pageData().due : ahead().due),
  seats: () => ahead().seats?.map(([seat]) => seat) ?? []
});
/** The list of waiting moves, once its script is loaded. @type {OutboxList | null} */
let list = null;
/** The sender of waiting moves, once its script is loaded. @type {Sender | null} */
let sender = null;
/** The keys of the forms that htmx has sent without a response yet. @type {Set<string | undefined>} */
const flying = new Set();

// --- entries for the outbox, from a move or a form -----------------------------------------------------------------

const newKey = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const version = () => Number(pageData().version ?? ahead().version);
/** @param {string} notation @returns {LegalMove} */
const moveOf = (notation) =>
  ahead().moves.find(([known]) => known === notation) ?? [notation, notation, "", [], null, ""];
/** @param {string} notation */
const wordsOf = (notation) => {
  const [, what, , , , apart] = moveOf(notation);
  return apart ? `${what} (${apart})` : what;
};
/** @param {Pick<Entry, "key" | "action" | "fields" | "version" | "what">} sent @param {string[]} moves @returns {Entry} */
const entryOf = (sent, moves) => {
  const [then] = moves.length === 1 ? moves.map((notation) => moveOf(notation)[4]) : [];
  return {
    ...sent,
    cells: moves.flatMap((notation) => moveOf(notation)[3]),
    ghost: moves.length === 1 ? ghostOf(ahead(), moves[0]) : null,
    passes: (then && ahead().passes?.[then]) || null,
    exact: ahead().version === sent.version && !outbox.entries.length
  };
};
/** @param {string} notation */
const ofMove = (notation) => {
  const [key, meant] = [newKey(), version()];
  /** @type {Entry["fields"]} */
  const fields = Object.entries({ version: meant, key, move: notation });
  return entryOf({ key, action: `${path}/play`, fields, version: meant, what: wordsOf(notation) }, [notation]);
};
/** @param {HTMLFormElement} form @param {HTMLElement | null} button */
const ofForm = (form, button) => {
  const fields = /** @type {[string, string][]} */ ([...new FormData(form, button)]);
  const given = Object.fromEntries(fields);
  const moves = fields.filter(([name]) => name === "move").map(([, notation]) => notation);
  const single = moves.length === 1 && ahead().moves.some(([known]) => known === moves[0]);
  const read = moves.length === 1 && form.closest("#panel") && pageData().move;
  const what = single ? wordsOf(moves[0]) : read || (button ?? form).textContent.trim() || moves.join(", ");
  const action = form.getAttribute("action") ?? "";
  return entryOf({ key: given.key, action, fields, version: Number(given.version), what }, moves);
};
/** @param {Entry} entry */
const isUndo = (entry) => entry.action.endsWith("/rewind");

let away = !live || !navigator.onLine;
let silent = !bar.hidden; // rest.js shows the bar until this script is loaded
document.addEventListener(
  "submit",
  (event) => {
    const form = /** @type {TableForm} */ (event.target);
    const enters = form.closest("#table") && form.getAttribute("method") === "post" && form.elements.key;
    if (!enters || form.dataset.now === "" || !plays) return;
    const entry = ofForm(form, event.submitter);
    const others = outbox.entries.filter((other) => other.key !== entry.key);
    if (!away && (!others.length || isUndo(entry))) {
      flying.add(entry.key);
      setTimeout(() => flying.delete(entry.key) && flush(), LONGEST + PATIENCE);
      if (!others.length) outbox.add(entry); // before it is sent, in case no response ever comes
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    if (isUndo(entry) && others.length) return list?.say("undo");
    take(entry);
  },
  true
);
/** @param {Entry} entry */
const take = (entry) => {
  outbox.add(entry);
  list?.taken();
  flush();
};

// A tap without a connection: offer the moves that were legal there at the last response, if it is about moves.
/** @param {Event} event @param {EventTarget | null} tapped @returns {boolean | undefined} */
const choose = (event, tapped) => {
  const link = /** @type {Partial<Element> | null} */ (tapped)?.closest?.("#table a[href]");
  if (!link || !away || !plays || !list) return;
  const there = new URL(link.getAttribute("href") ?? "", location.href);
  const [at, kind, move] = ["at", "kind", "move"].map((name) => there.searchParams.get(name));
  if (there.pathname !== path || !(at ?? kind ?? move)) return;
  event.preventDefault();
  event.stopPropagation();
  list.choose(at, kind, move && ahead().moves.length ? [moveOf(move)] : null);
  return true;
};
document.addEventListener("click", (event) => choose(event, event.target), true);

// --- sending has a script of its own; until it is loaded, nothing is sent, and nothing is lost ---------------------

/** @type {Timer} */
let timer;
const later = (pause = PATIENCE) => {
  clearTimeout(timer);
  timer = setTimeout(flush, pause);
};
const flush = () => (live ? sender?.() : probe());
// The offline page sends nothing itself: the table's own page does, once it loads.
const probe = () =>
  fetch(location.href, { method: "HEAD", signal: AbortSignal.timeout?.(LONGEST) }).then(
    () => location.reload(),
    () => later()
  );

// --- the banner and the list ---------------------------------------------------------------------------------------

/** The texts, once they are loaded. @type {Record<string, string>} */
let words = {};
/** @param {string | null} word */
const trouble = (word) => {
  const text = word && (words[word] ?? (word === "unsent" ? site.unsent : site.away));
  bar.textContent = text || "";
  bar.hidden = !text;
};
const draw = () => {
  const gone = away || silent;
  const entries = outbox.entries.filter(({ key }) => gone || !flying.has(key));
  if (gone && live) trouble(entries.length && plays ? "unsent" : "away");
  else if (!entries.length || entries[0].trouble) trouble(null); // a stopped entry is not sent automatically
  list?.draw(entries, plays && (gone || entries.length > 0), gone);
};
outbox.addEventListener("change", draw);

// --- the state of the connection, from htmx ------------------------------------------------------------------------

const lost = () => {
  away = true;
  if (outbox.entries.length || !live) later();
};
const found = () => {
  away = false;
};
/** @param {HtmxEvent} event */
const asksForNews = (event) => event.detail.requestConfig.news;
let rest = 0;
document.addEventListener("htmx:beforeRequest", (event) => {
  if (asksForNews(event) && Date.now() < rest) event.preventDefault();
});
document.addEventListener("bastide:silent", () => {
  silent = true;
  draw();
});
document.addEventListener("htmx:afterRequest", (event) => {
  const { xhr, requestConfig } = event.detail;
  const [status, key] = [xhr?.status ?? 0, requestConfig?.parameters?.key];
  flying.delete(key);
  if (status === BUSY) return busy(event);
  if (status === 0 || status >= 500) {
    if (outbox.entries.length) later();
    return;
  }
  [away, silent] = [false, false];
  const made = Number(xhr.getResponseHeader("Bastide-Done"));
  if (key && made) outbox.enter(key, made);
  else if (key) outbox.remove(key);
  draw();
  const [first] = outbox.entries;
  if (first && !first.trouble) flush();
});
/** A tap whose request fails chooses offline, as the next one will. @param {HtmxEvent} event */
const drawLost = (event) => {
  lost();
  draw();
  const { elt, requestConfig } = event.detail;
  if (asksForNews(event)) return;
  const { path: asked, parameters, triggeringEvent } = requestConfig;
  if (choose(event, triggeringEvent?.target ?? elt) || outbox.entries.some(({ key }) => key === parameters.key)) return;
  // An undo beside waiting moves is not queued: it would undo the wrong move. Log, score and menu wait for nobody.
  list?.say(asked.endsWith("/rewind") ? "undo" : "page");
};
document.addEventListener("htmx:sendError", drawLost);
document.addEventListener("htmx:timeout", drawLost);
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.status >= 500) drawLost(event);
});
// After a 429, moves and polls for news wait as long as the server asks.
/** @param {HtmxEvent} event */
const busy = (event) => {
  const pause = 1000 * (Number(event.detail.xhr.getResponseHeader("Retry-After")) || 1);
  if (asksForNews(event)) rest = Date.now() + pause;
  else trouble(outbox.entries.length ? "held" : "busy");
  if (outbox.entries.length) later(pause);
};
document.addEventListener("htmx:afterSettle", () => {
  list?.ring();
  foresee();
});
addEventListener("offline", () => {
  away = true;
  draw();
});
addEventListener("online", () => flush());
addEventListener("storage", (event) => event.key === WAITS && draw());

// --- while connected: fetch the texts, the moves to choose from, and the offline page ------------------------------

/** @type {Timer} */
let soon;
const foresee = (pause = IDLE) => {
  clearTimeout(soon);
  if (live && plays && (ahead().left || ahead().version !== version())) soon = setTimeout(fetchAhead, pause);
};
const fetchAhead = async () => {
  try {
    const answer = await fetch(`${path}/ahead`);
    if (!answer.ok) return;
    store.set(AHEAD, { ...(await answer.json()), role, seat: mine, plays });
    for (const other of store.names().filter((name) => name.startsWith("bastide.ahead.") && name !== AHEAD)) {
      store.set(other, { .../** @type {Ahead | null} */ (store.get(other)), moves: [], left: true });
    }
    list?.known();
  } catch {
    // Then the earlier moves stay.
  }
};
// When the page is hidden, store its board for the offline page.
if (live && site.offline) {
  const keep = () => keepBoard(store, id);
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.hidden && keep());
}

// Some browsers cache the failure of a script's address: each try has a new address.
let tries = 0;
/** @param {string} address @returns {Promise<any>} */
const script = (address) => import(`${address}#${++tries}`).then((module) => module.default);
const parts = async () => {
  let page = document;
  if (live) page = new DOMParser().parseFromString(await (await fetch(site.offline ?? "")).text(), "text/html");
  const data = /** @type {PageData} */ (pageData(page));
  if (!element("offline-parts")) {
    document.body.append(document.adoptNode(/** @type {Element} */ (page.getElementById("offline-parts"))));
  }
  const [makeList, makeSender] = await Promise.all([script(data.files.list), script(data.files.sending)]);
  words = data.words;
  /** @type {Connection} */
  const connection = {
    path,
    outbox,
    ahead,
    words,
    files: data.files,
    mine,
    flush,
    take,
    ofMove,
    lost,
    found,
    draw,
    trouble,
    later,
    flying,
    longest: LONGEST,
    busy: BUSY,
    inLog: async (entry) => Boolean(await sender?.inLog(entry))
  };
  list ??= /** @type {OutboxList} */ (makeList(connection));
  sender ??= /** @type {Sender} */ (makeSender(connection, list.conflict));
};
// The service worker allows a reload without a connection; a hint says whether that works here.
const install = async () => {
  let how = store.lasts ? "plain" : "lost";
  try {
    if (live) await navigator.serviceWorker.register(`${site.worker}?page=${encodeURIComponent(site.offline ?? "")}`);
    if (store.lasts) how = "kept";
  } catch {
    // Without HTTPS there is no service worker.
  }
  /** @type {NodeListOf<HTMLElement>} */
  const hints = element("outbox").querySelectorAll("[data-when]");
  for (const hint of hints) hint.hidden = hint.dataset.when !== how;
};
const start = async () => {
  if (!live && !element("table")) showBoard(store, id);
  draw();
  await parts();
  if (live) store.set(AHEAD, { ...ahead(), role, seat: mine, plays });
  draw();
  list?.known();
  foresee(0);
  const hint = element("table-waits");
  if (hint) hint.hidden = !plays;
  if (!live || outbox.entries.length) flush();
  await install();
};
// Without a table in play, there is only the banner.
/** @returns {Promise<unknown>} */
const begin = () => start().catch(() => setTimeout(begin, PATIENCE));
if (site.offline || !live) begin();
else trouble(""); // clear the notice that this script was late
