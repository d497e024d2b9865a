// The connection of a table's page: says when it is away, and keeps moves until they can be sent. What is not entered waits
// until a player decides. To send them has a script of its own (sending.js), and so have the list of what waits and what
// can be chosen meanwhile (outbox.js).
"use strict";

(() => {
  const SILENCE = 1400; // ms without an answer: with a question every 1.5 s, it is said within three seconds
  const PATIENCE = 2500; // ms until what waits is tried again
  const IDLE = 500; // ms without a tap until the moves to choose from are fetched
  const LONGEST = 10000; // ms for which one answer is waited for
  const BUSY = 429;
  const element = (id) => document.getElementById(id);
  const bar = element("trouble");
  const [path, id] = location.pathname.match(/^.*\/t\/([A-Za-z0-9_-]{22})/) ?? [];
  const live = !element("offline-parts"); // a page of the service, and not the one that is shown without a connection

  // --- what is kept in this phone: the moves that wait, by table and role, and those to choose from ------------------

  let writes = true;
  const memory = {};
  const keep = (name, value) => {
    memory[name] = value;
    try {
      if (value) localStorage.setItem(name, JSON.stringify(value));
      else localStorage.removeItem(name);
    } catch {
      writes = false;
    }
  };
  const read = {}; // what was read last, and what it says: it is asked for at every answer
  const kept = (name) => {
    try {
      if (!writes) return memory[name];
      const text = localStorage.getItem(name);
      if (read[name]?.text !== text) read[name] = { text, value: JSON.parse(text) };
      return read[name].value;
    } catch {
      return memory[name];
    }
  };
  const AHEAD = `bastide.ahead.${id}`;
  const ahead = () => kept(AHEAD) ?? { moves: [] };
  const role = bar.dataset.role ?? ahead().role;
  const plays = live ? "plays" in bar.dataset : Boolean(role);
  const WAITS = `bastide.waits.${id}.${role}`;
  const waits = () => kept(WAITS) ?? [];
  let box = null; // the list of what waits, as soon as its script is there
  let sender = null; // and what sends it
  const flying = new Set(); // keys of what htmx has sent and was not answered yet
  const keepAll = (entries) => {
    keep(WAITS, entries.length ? entries : null);
    draw();
  };
  const edit = (key, change) => keepAll(waits().map((entry) => (entry.key === key ? { ...entry, ...change } : entry)));
  const BEFORE = "before"; // the trouble of what was kept after something that has changed since
  // A move means what it says only after those before it: whatever follows this one waits until somebody looked at it.
  const stopAfter = (key, entries) => {
    const place = entries.findIndex((entry) => entry.key === key);
    return entries.map((entry, at) => (place >= 0 && at > place ? { ...entry, trouble: entry.trouble ?? BEFORE } : entry));
  };
  // Whoever came after it, comes after what it came after.
  const remove = (key) => {
    const gone = waits().find((entry) => entry.key === key);
    const rest = stopAfter(key, waits()).filter((entry) => entry.key !== key);
    if (gone) keepAll(rest.map((entry) => (entry.after === key ? { ...entry, after: gone.after, version: gone.version } : entry)));
  };
  const again = (key, now, seat) => {
    const changed = waits().find((entry) => entry.key === key).version !== now;
    if (changed) keepAll(stopAfter(key, waits()));
    edit(key, { trouble: null, changing: false, version: now, after: null, seat: mine ?? seat, sure: true });
  };
  const add = (entry) => {
    const entries = waits();
    const [first, ...others] = entries;
    if (first?.changing) {
      const [, ...stopped] = stopAfter(first.key, [first, ...others]);
      keepAll(seated([{ ...entry, after: null }, ...stopped.map((other) => (other.after === first.key ? { ...other, after: entry.key } : other))]));
    } else if (entries.every((other) => other.key !== entry.key)) {
      keepAll(seated([...entries, { ...entry, after: entries.at(-1)?.key ?? null }]));
    }
  };

  // --- whose move each is: certain of the first, of what follows a move that was legal then, and where a player said so

  const mine = /^(host|watch)$/.test(role) ? null : role;
  const dueIn = (page) => page.querySelector("#players .due .token")?.className.match(/seat-(\S+)/)?.[1] ?? null;
  const seats = () => ahead().seats?.map(([seat]) => seat) ?? [];
  const seated = (entries) => entries.reduce((done, entry) => [...done, entry.sure ? entry : { ...entry, ...following(done.at(-1)) }], []);
  const following = (before) => {
    if (mine) return { seat: mine, sure: true };
    if (!before) return { seat: ahead().version === version() ? ahead().due : dueIn(document), sure: true };
    const all = seats();
    const place = all.indexOf(before.seat);
    return { seat: (place >= 0 && before.shift !== null && all[(place + before.shift) % all.length]) || null, sure: Boolean(before.sure && before.exact) };
  };
  // A player says whose move it is: the next one, or that nobody knows.
  const seat = (key) => {
    const all = [...seats(), null];
    const next = (entry) => all[(all.indexOf(entry.seat) + 1) % all.length];
    keepAll(seated(waits().map((entry) => (entry.key === key ? { ...entry, seat: next(entry), sure: true } : entry))));
  };
  // By how many seats the turn goes on with a move that was legal when the table was last seen.
  const shiftOf = (notation) => {
    const [from, to] = [ahead().due, named(notation)[4]].map((seat) => seats().indexOf(seat));
    return from < 0 || to < 0 ? null : (to - from + seats().length) % seats().length;
  };

  // --- what is made into something that waits ------------------------------------------------------------------------

  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const version = () => Number(element("table")?.dataset.version ?? ahead().version);
  const named = (notation) => ahead().moves.find(([known]) => known === notation) ?? [notation, notation, "", []];
  const made = (key, action, fields, meant, what, moves) => ({
    key, action, fields, version: meant, what,
    cells: moves.flatMap((move) => named(move)[3]),
    shift: moves.length === 1 ? shiftOf(moves[0]) : null,
    exact: ahead().version === meant && !waits().length,
  });
  const ofMove = (notation) => {
    const key = newKey();
    return made(key, `${path}/play`, [["version", version()], ["key", key], ["move", notation]], version(), said(notation), [notation]);
  };
  const ofForm = (form, button) => {
    const fields = [...new FormData(form, button)];
    const given = Object.fromEntries(fields);
    const moves = fields.filter(([name]) => name === "move").map(([, notation]) => notation);
    const single = moves.length === 1 && ahead().moves.some(([known]) => known === moves[0]);
    const read = form.closest("#panel")?.querySelector(".verdict .what")?.textContent.trim();
    const what = single ? said(moves[0]) : moves.length === 1 && read ? read : (button ?? form).textContent.trim() || moves.join(", ");
    return made(given.key, form.getAttribute("action"), fields, Number(given.version), what, moves);
  };
  const said = (notation) => {
    const [, what, , , , apart] = named(notation);
    return apart ? `${what} (${apart})` : what;
  };
  const isUndo = (entry) => entry.action.endsWith("/rewind");

  let away = !live || !navigator.onLine;
  let silent = false;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#table") || form.getAttribute("method") !== "post" || !form.elements.key || form.dataset.now === "" || !plays) return;
    const entry = ofForm(form, event.submitter);
    const others = waits().filter((other) => other.key !== entry.key);
    if (!away && (!others.length || isUndo(entry))) {
      flying.add(entry.key);
      setTimeout(() => flying.delete(entry.key) && flush(), LONGEST + PATIENCE);
      return others.length ? undefined : add(entry); // kept before it is sent, in case that no answer ever comes
    }
    event.preventDefault();
    event.stopPropagation();
    if (isUndo(entry) && others.length) return box?.say("undo");
    take(entry);
  }, true);
  const take = (entry) => {
    add(entry);
    box?.taken();
    flush();
  };

  // A tap without a connection: what was legal there when the table was last seen.
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.("#table a[href]");
    if (!link || !away || !plays || !box) return;
    const there = new URL(link.getAttribute("href"), location.href);
    const [at, kind, move] = ["at", "kind", "move"].map((name) => there.searchParams.get(name));
    if (there.pathname !== path || !(at ?? kind ?? move)) return;
    event.preventDefault();
    event.stopPropagation();
    box.choose(at, kind, move && ahead().moves.length ? [named(move)] : null);
  }, true);

  // --- sending has a script of its own; until that is there, nothing is sent, and nothing is lost ---------------------

  let timer = 0;
  const later = (pause = PATIENCE) => {
    clearTimeout(timer);
    timer = setTimeout(flush, pause);
  };
  const flush = () => (live ? sender?.() : probe());
  // It is in the log: what comes after it was meant for the version that it made.
  const enteredAs = (gone, made) => keepAll(waits().filter(({ key }) => key !== gone).map((other) => (other.after === gone ? { ...other, after: null, version: made } : other)));
  const answered = (key, made) => (made ? enteredAs(key, made) : remove(key));
  // The page that is shown without a connection sends nothing itself: the table's own does, as soon as it is there.
  const probe = () => fetch(location.href, { method: "HEAD", signal: AbortSignal.timeout?.(LONGEST) }).then(() => location.reload(), () => later());

  // --- what is shown -------------------------------------------------------------------------------------------------

  const trouble = (word) => {
    const text = word && (element("outbox")?.dataset[word] ?? bar.dataset[word] ?? bar.dataset.away);
    bar.textContent = text || "";
    bar.hidden = !text;
  };
  const draw = () => {
    const gone = away || silent;
    const entries = waits().filter(({ key }) => gone || !flying.has(key));
    if (gone && live) trouble(entries.length && plays ? "unsent" : "away");
    else if (!entries.length || entries[0].trouble) trouble(null); // what has stopped is not sent again by itself
    box?.draw(entries, plays && (gone || entries.length > 0), gone);
  };

  // --- what htmx hears of the connection -----------------------------------------------------------------------------

  const lost = () => {
    away = true;
    if (waits().length || !live) later();
  };
  const found = () => (away = false);
  const asksForNews = (event) => event.detail.requestConfig.news;
  const keyOf = (event) => event.detail.requestConfig?.parameters?.key;
  let waiting = 0;
  let rest = 0;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (asksForNews(event) && Date.now() < rest) return event.preventDefault();
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      silent = true;
      draw();
    }, SILENCE);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    clearTimeout(waiting);
    const { status } = event.detail.xhr ?? { status: 0 };
    flying.delete(keyOf(event));
    if (status === BUSY) return busy(event);
    if (status === 0 || status >= 500) return waits().length ? later() : undefined;
    [away, silent] = [false, false];
    const key = keyOf(event);
    if (key) answered(key, Number(event.detail.xhr.getResponseHeader("Bastide-Done")));
    draw();
    if (waits().length && !waits()[0].trouble) flush();
  });
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, () => {
      lost();
      draw();
    });
  }
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.xhr.status < 500) return;
    lost();
    draw();
  });
  // Too many at once: a move is sent again when the server takes it, and questions for news rest until then.
  const busy = (event) => {
    const pause = 1000 * (Number(event.detail.xhr.getResponseHeader("Retry-After")) || 1);
    if (asksForNews(event)) rest = Date.now() + pause;
    else trouble(waits().length ? "held" : "busy");
    if (waits().length) later(pause);
  };
  document.addEventListener("htmx:afterSettle", () => {
    box?.ring();
    foresee();
  });
  addEventListener("offline", () => {
    away = true;
    draw();
  });
  addEventListener("online", () => flush());
  addEventListener("storage", (event) => event.key === WAITS && draw());

  // --- while all is well: the words for when it is not, the moves to choose from, and the page that is shown then -----

  let soon = 0;
  const foresee = () => {
    clearTimeout(soon);
    if (live && plays && (ahead().left || ahead().version !== version())) soon = setTimeout(fetchAhead, IDLE);
  };
  const fetchAhead = async () => {
    try {
      const answer = await fetch(`${path}/ahead`);
      if (!answer.ok) return;
      keep(AHEAD, { ...(await answer.json()), role });
      for (const other of Object.keys(localStorage)) if (other.startsWith("bastide.ahead.") && other !== AHEAD) keep(other, { ...kept(other), moves: [], left: true });
      box?.known();
    } catch {
      // Then those of before are what there is.
    }
  };
  // Some browsers remember of an address that a script did not come: each try has one of its own.
  let tries = 0;
  const script = (address) => import(`${address}#${(tries += 1)}`).then((module) => module.default);
  const parts = async () => {
    if (!element("offline-parts")) {
      const page = new DOMParser().parseFromString(await (await fetch(bar.dataset.offline)).text(), "text/html");
      document.body.append(document.adoptNode(page.getElementById("offline-parts")));
    }
    const { outbox, sending } = element("offline-parts").dataset;
    const [list, sends] = await Promise.all([script(outbox), script(sending)]);
    box ??= list({ path, waits, ahead, before: BEFORE, changes: !mine, dueIn, remove, again, edit, seat, flush, inLog: (entry) => sender.inLog(entry), take, ofMove, lost, draw });
    sender ??= sends({ path, waits, edit, enteredAs, dueIn, flying, longest: LONGEST, busy: BUSY, trouble, later, found, lost, draw, conflict: box.conflict });
  };
  // The service worker lets the page be loaded again; how far that goes here is said.
  const install = async () => {
    let how = writes ? "plain" : "lost";
    try {
      if (live) await navigator.serviceWorker.register(`${bar.dataset.worker}?page=${encodeURIComponent(bar.dataset.offline)}`);
      if (writes) how = "kept";
    } catch {
      // Without https there is none.
    }
    for (const hint of element("outbox").querySelectorAll("[data-when]")) hint.hidden = hint.dataset.when !== how;
  };
  const start = async () => {
    draw();
    await parts();
    if (live) keep(AHEAD, { ...ahead(), role });
    draw();
    box.known();
    foresee();
    if (element("table-waits")) element("table-waits").hidden = !plays;
    if (!live || waits().length) flush();
    await install();
  };
  // Where no table is played, there is only the banner.
  const begin = () => start().catch(() => setTimeout(begin, PATIENCE));
  if (bar.dataset.offline || !live) begin();
  else trouble(""); // that this script was long in coming is over
})();
