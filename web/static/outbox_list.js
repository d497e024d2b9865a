// The list of moves that wait for the connection, and the moves to choose from meanwhile, which came with the table.

import { conflicts } from "./conflict.js";
import { choicesOf, FEW, inCommon, part, waysOn } from "./narrow_moves.js";
import { find, make, slot } from "./dom.js";
import { drawGhosts } from "./ghosts.js";
import { element } from "./page_data.js";

/** @typedef {import("./narrow_moves.js").Way} Way */

/** @param {Connection} connection @returns {OutboxList} */
export default (connection) => {
  const { outbox, ahead, words, files, mine, take, ofMove } = connection;
  const parts = element("offline-parts");
  /** @param {string} id */
  const copy = (id) => /** @type {HTMLElement} */ (parts.content.getElementById(id)?.cloneNode(true));
  document.head.append(make("link", { rel: "stylesheet", href: files.style }));
  const box = document.body.appendChild(copy("outbox"));
  const details = /** @type {HTMLDetailsElement} */ (find(box, "details"));
  /** @param {string | null | undefined} trouble */
  const sentence = (trouble) => words[trouble ?? ""] ?? trouble ?? "";
  const conflict = conflicts(connection, copy, sentence);

  // --- choosing: each step is a list of moves, and Back shows the one before ---------------------------------------

  /** The moves to choose from, step by step. @type {LegalMove[][]} */
  let steps = [];
  const all = () => {
    const kept = new Set(
      outbox.entries.flatMap(({ fields }) => fields).map(([name, value]) => name === "move" && value)
    );
    return ahead().moves.filter(([notation]) => !kept.has(notation));
  };
  const open = () => {
    details.open = true;
    element("outbox-moves").scrollIntoView({ block: "nearest" });
  };
  // Moves that begin at a cell come before those that only go there, and replace them if there are many.
  /** @param {LegalMove[]} moves @param {string} cell */
  const touching = (moves, cell) => {
    const found = moves.filter(([, , , cells]) => cells.includes(cell));
    const [first, others] = [true, false].map((begins) =>
      found.filter(([, , , cells]) => (cells[0] === cell) === begins)
    );
    return first.length && found.length > FEW ? first : [...first, ...others];
  };
  /** @type {OutboxList["choose"]} */
  const choose = (at, kind, known) => {
    const now = steps.at(-1) ?? [];
    const there = at ? touching(now, at) : [];
    const asked = all().filter(([, , of]) => !kind || of === kind);
    steps =
      there.length && there.length < now.length ? [...steps, there] : [known ?? (at ? touching(asked, at) : asked)];
    element("outbox-says").textContent = "";
    choices();
    open();
  };
  /** @param {LegalMove[][]} next */
  const step = (...next) => {
    steps = next;
    choices();
    (element("outbox-moves").querySelector("button") ?? element("outbox-back")).focus({ preventScroll: true });
  };
  /** @param {Way} way */
  const wayButton = ({ some: [first, ...others], label }) => {
    const moves = [first, ...others].map(({ move }) => move);
    const onclick = () => (others.length ? step(...steps, moves) : take(ofMove(first.move[0])));
    const fields = { type: "button", className: "button small", textContent: label, onclick };
    return make("li", {}, make("button", { ...fields, ariaLabel: others.length ? label : first.full }));
  };
  const choices = () => {
    const items = choicesOf(steps.at(-1) ?? all());
    const found = items.length ? waysOn(items, ahead().kinds) : [];
    const none = steps.length ? words.nothing : "";
    element("outbox-legal").textContent = items.length ? words[ahead().some ? "someLegal" : "legal"] : none;
    const shortened = found.some(({ some, label }) => label !== some[0].text);
    const shared = items[0]?.alike ? items[0].move[1] : shortened ? part(items[0], 0, inCommon(items)) : "";
    element("outbox-so-far").textContent = shared && `${shared} …`;
    element("outbox-moves").replaceChildren(...found.map(wayButton));
    element("outbox-back").hidden = !steps.length;
    ring();
  };
  element("outbox-back").onclick = () => step(...steps.slice(0, -1));
  element("outbox-typed").onsubmit = (event) => {
    event.preventDefault();
    const field = element("outbox-move");
    take(ofMove(field.value.trim()));
    field.value = "";
  };
  let rung = false;
  const ring = () => {
    if (box.hidden && !rung) return; // nothing to show or to clear: do not delay the response
    rung = !box.hidden;
    const kept = new Set(outbox.entries.flatMap(({ cells }) => cells));
    const now = steps.at(-1) ?? [];
    const may = new Set(
      now.flatMap(([, , , cells]) => cells).filter((cell) => now.some(([, , , cells]) => !cells.includes(cell)))
    );
    settle();
    drawGhosts(box.hidden ? [] : outbox.entries);
    for (const cell of document.querySelectorAll("#cells a")) {
      cell.classList.toggle("waits", kept.has(cell.id.slice(2)));
      cell.classList.toggle("may", may.has(cell.id.slice(2)));
    }
  };
  const known = () => {
    element("outbox-known").replaceChildren(
      ...ahead().moves.map(([value, textContent]) => make("option", { value, textContent }))
    );
    if (!steps.length) choices();
  };

  // --- a player's actions on entries -------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const target = /** @type {Partial<Element>} */ (event.target);
    const what = /** @type {HTMLElement | null | undefined} */ (target.closest?.("[data-do]"))?.dataset.do;
    const key = /** @type {HTMLElement | null | undefined} */ (target.closest?.("[data-key]"))?.dataset.key;
    const entry = outbox.entries.find((other) => other.key === key);
    if (what && !entry) element("conflict")?.remove(); // settled in another window
    if (!what || !entry) return;
    if (what === "look") conflict.open(entry);
    else if (what === "seat") outbox.passOn(entry.key);
    else {
      conflict.decide(entry, what);
      if (what === "change") details.open = false;
    }
  });

  // --- the list ----------------------------------------------------------------------------------------------------

  /** @param {HTMLElement} place @param {Entry} entry */
  const drawWho = (place, entry) => {
    const name = ahead().seats?.find(([other]) => other === entry.seat)?.[1];
    place.hidden =
      !ahead().seats?.length || !entry.fields.some(([field]) => field === "move") || (mine !== null && !name);
    slot(place, "token").className = `token ${name ? `seat-${entry.seat}` : "off"}`;
    slot(place, "name").textContent = `${name ?? ""}${entry.sure && name ? "" : "?"}`;
    if (mine !== null) place.replaceWith(make("span", { className: "who", hidden: place.hidden }, ...place.childNodes));
  };
  /** @param {Entry} entry @param {number} at */
  const drawEntry = (entry, at) => {
    const item = copy("outbox-entry");
    item.removeAttribute("id");
    item.dataset.key = entry.key;
    slot(item, "what").textContent = entry.what;
    find(item, "[data-do=look]").hidden = !entry.trouble || at > 0; // only for the first
    if (entry.trouble === "before") slot(item, "hint").textContent = words.before;
    drawWho(find(item, "[data-do=seat]"), entry);
    return item;
  };
  // The box stands above the other bars at the lower edge of the screen: the tabs, or the actions of a verdict.
  const settle = () => {
    const bars = [...document.querySelectorAll("#tabs, [data-sight~=verdict] ~ #actions")].map((bar) =>
      bar.getBoundingClientRect()
    );
    const tops = bars
      .filter(({ top, bottom }) => top > innerHeight / 2 && bottom > innerHeight - 2)
      .map(({ top }) => top);
    const { style } = document.documentElement;
    style.setProperty("--over", `${innerHeight - Math.min(innerHeight, ...tops)}px`);
    style.setProperty("--line", `${find(box, "summary").offsetHeight}px`);
  };
  addEventListener("resize", settle);
  // Redraw only changes: a finger may be on the list, and a new element gets no tap.
  let listed = "";
  /** @param {Entry[]} entries */
  const list = (entries) => {
    const now = JSON.stringify([entries, ahead().seats]);
    if (now === listed) return;
    find(box, "ol").replaceChildren(...entries.map(drawEntry));
    element("outbox-says").textContent = "";
    listed = now;
  };
  /** @type {OutboxList["draw"]} */
  const draw = (entries, shown, gone) => {
    if (box.hidden && !shown && !entries.length) return;
    placeOnce(entries);
    box.hidden = !shown;
    document.body.classList.toggle("offline", shown);
    slot(box, "away").hidden = !gone;
    slot(box, "says").textContent = summary(entries);
    list(entries);
    ring();
  };
  /** @param {Entry[]} entries */
  const summary = ([first, ...others]) => {
    if (first?.changing) return `${words.change} ${first.what}`;
    if (first?.trouble) return words.stopped;
    return first ? `${words.some} ${others.length + 1}` : words.none;
  };
  // A queued move must not be placed again.
  /** @param {Entry[]} entries */
  const placeOnce = (entries) => {
    const place = element("place");
    const form = /** @type {TableForm | null | undefined} */ (place?.form);
    if (place && form) place.disabled = entries.some(({ key }) => key === form.elements.key?.value);
  };
  /** @param {string} word */
  const say = (word) => {
    element("outbox-says").textContent = words[word];
    details.open = true;
  };
  // After queueing, the board shows the move, and the list is folded to one line.
  const taken = () => {
    steps = [];
    choices();
    details.open = !element("table");
  };
  details.open = !element("table");
  if (element("table")) {
    element("table").before(copy("waits")); // for other tables: this one's are in the box
    import(files.waits);
  }
  return { draw, choose, known, ring, say, taken, conflict: conflict.open };
};
