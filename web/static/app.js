// What the pages gain with a script. Everything also works without: links are links and forms are forms.
"use strict";

(() => {
  const PATIENCE = 2500;
  const NEWS = "[hx-trigger^='every']";
  const element = (id) => document.getElementById(id);
  const reduced = (event) => event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button > 0;

  // --- the board: a tap on a cell swaps the table, arrow keys move from cell to cell -------------------------------

  let strokes = ""; // the cells that a brush has touched and the server has not told of
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("a.cell");
    if (!cell || reduced(event) || !window.htmx) return;
    event.preventDefault();
    const swap = { source: "#table", target: "#table", swap: "outerHTML", event };
    const href = cell.getAttribute("href").replace(/\bpaint=([^&]+)/, (_, key) => `paint=${(strokes += (strokes && ";") + key)}`);
    const mine = strokes;
    const told = () => {
      if (strokes === mine) strokes = "";
    };
    // A later tap takes the place of this one, which then fails: nothing is amiss. A brush touches the cells of both.
    window.htmx.ajax("GET", href, swap).then(told, told);
  });

  const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.("a.cell");
    if (!cell || !(event.key in STEPS) || reduced(event)) return;
    const box = cell.firstElementChild.getBBox();
    const cells = [...element("squares").querySelectorAll("a.cell")];
    let [across, down] = STEPS[event.key];
    for (let turn = element("squares").dataset.turn ?? 0; turn > 0; turn--) [across, down] = [down, -across];
    const next = element("squares").dataset.row === "0" ? towards(cells, box, across, down) : cells.find((other) => {
      const at = other.firstElementChild.getBBox();
      return at.x === box.x + across * box.width && at.y === box.y + down * box.height;
    });
    event.preventDefault();
    if (next) focusCell(next);
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

  // One stop for the tab key on the whole board; the arrow keys go on from there.
  const focusCell = (cell) => {
    for (const other of element("squares").querySelectorAll("a.cell")) other.setAttribute("tabindex", other === cell ? "0" : "-1");
    cell.focus({ preventScroll: true });
  };
  const oneStop = () => {
    const cells = [...(element("squares")?.querySelectorAll("a.cell") ?? [])];
    const stop = cells.find((cell) => cell === document.activeElement) ?? cells.find((cell) => cell.hasAttribute("aria-current")) ?? cells[Math.floor(cells.length / 2)];
    for (const cell of cells) assign(cell, "tabindex", cell === stop ? "0" : "-1");
  };
  const assign = (cell, name, value) => {
    if (cell.getAttribute(name) === value) return;
    if (value === null) cell.removeAttribute(name);
    else cell.setAttribute(name, value);
  };

  // --- a table sends what is new only: which parts the page has is told, and what they have in common is set here ----

  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, target, headers } = event.detail;
    if (!target?.dataset.mark || elt.matches(NEWS)) return;
    const groups = [...target.querySelectorAll("#board g[data-mark] > g")].map((group) => group.id);
    const parts = [target, ...target.querySelectorAll("[data-mark]")].map((part) => part.dataset.mark);
    headers["Bastide-Has"] = [...parts, ...groups].join(" ");
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.target.id === "panel") inCommon();
  });
  const inCommon = () => {
    const { look, version } = element("panel")?.dataset ?? {};
    if (look) {
      element("table").className = look;
      element("table").dataset.version = version;
    }
    const chosen = element("over")?.dataset.chosen.split(" ") ?? [];
    for (const cell of element("squares")?.querySelectorAll("a.cell") ?? []) assign(cell, "aria-current", chosen.includes(cell.id) ? "true" : null);
  };

  // --- the address says what is chosen: Back takes it back in one step, and a page that is loaded again has it still --

  const VIEW = ["zoom", "before", "step", "round"];
  let over = Boolean(history.state?.over); // this entry of the history stands over one with nothing chosen
  document.addEventListener("htmx:beforeHistoryUpdate", ({ detail: { history: update, requestConfig } }) => {
    if (update.type === "push") return;
    const [here, there] = [new URL(location.href), new URL(update.path, location.href)];
    const pushes = requestConfig.elt.closest("[hx-push-url]")?.getAttribute("hx-push-url") === "true";
    const leaves = pushes && there.pathname !== here.pathname;
    const chooses = !over && [...there.searchParams.keys()].some((name) => !here.searchParams.has(name) && !VIEW.includes(name));
    if (!leaves && !chooses) return;
    update.type = "push";
    over = !leaves;
  });
  const remember = () => history.replaceState({ ...history.state, over }, "");
  for (const name of ["htmx:pushedIntoHistory", "htmx:replacedInHistory"]) document.addEventListener(name, remember);

  // --- after a swap: the focus stays where it was, or goes to what has come ----------------------------------------

  let focused = false;
  document.addEventListener("htmx:beforeSwap", () => {
    focused = Boolean(document.activeElement?.closest?.("#table"));
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.parentElement?.closest("#table")) return; // a part of it: the table itself is told, too
    settle(); // before the focus is set, which lays the page out
    if (focused && document.activeElement === document.body) element("panel")?.focus({ preventScroll: true });
    focused = false;
    // What is asked next is not left below the edge of the screen; the outcome stands in the bar.
    [...document.querySelectorAll("[data-next]")].at(-1)?.scrollIntoView({ block: "nearest" });
  });

  // --- a tap answers at once: what was tapped is busy until the server has spoken -----------------------------------

  let pressed = null;
  let answering = null;
  const press = (control) => {
    pressed?.removeAttribute("aria-busy");
    pressed = control;
    pressed?.setAttribute("aria-busy", "true");
    document.body.classList.toggle("waiting", Boolean(pressed));
  };
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, xhr, requestConfig } }) => {
    if (elt.matches(NEWS)) return;
    const { submitter, target } = requestConfig.triggeringEvent ?? {};
    answering = xhr;
    press(submitter ?? target?.closest("a, button") ?? elt.querySelector("button") ?? elt);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr === answering) press(null);
  });

  // --- the connection has a script of its own, which comes when the page is there and is asked for until it comes ---

  const connect = () => {
    const bar = element("trouble");
    const script = document.createElement("script");
    script.src = bar.dataset.script;
    script.onerror = () => {
      bar.textContent = bar.dataset.away;
      bar.hidden = false;
      setTimeout(connect, PATIENCE);
    };
    document.head.append(script);
  };
  if (element("trouble")) addEventListener("load", connect);

  // --- fingers on the board have one, too; without it a tap is a tap all the same -----------------------------------

  if (element("board")) addEventListener("load", () => import(element("board").dataset.hands).catch(() => {}));

  // --- joining by a link: the key stands behind the #, which the server never sees ---------------------------------

  const join = () => {
    const key = location.hash.slice(1);
    const form = element("join");
    const table = location.pathname.match(/^\/[gt]\/[A-Za-z0-9_-]{22}/); // or a group
    if (!table || !/^[A-Za-z0-9_-]{16,64}$/.test(key)) return;
    if (!form) return location.replace(table[0] + "/join#" + key);
    history.replaceState(null, "", location.pathname);
    form.elements.key.value = key;
    form.elements.by.value = "link";
    form.submit();
  };
  addEventListener("hashchange", join); // a link that is pasted into an open page of its table
  join();

  // --- the screen stays on at a table; a form of a whole page is sent once; times are those of the reader ----------

  const awake = async () => {
    if (!element("table") || document.visibilityState !== "visible") return;
    try {
      await navigator.wakeLock?.request("screen");
    } catch {
      // A phone that saves its battery says no.
    }
  };
  document.addEventListener("visibilitychange", awake);
  document.addEventListener("submit", (event) => {
    const form = event.target;
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
    oneStop();
    for (const time of document.querySelectorAll("time[datetime]")) {
      time.textContent = new Date(time.dateTime).toLocaleTimeString(document.documentElement.lang, { hour: "numeric", minute: "2-digit" });
    }
  };
  settle();
  awake();
})();
