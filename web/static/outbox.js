// The moves that wait for the connection, as a list; what can be chosen meanwhile, narrowed down step by step; and what was
// not entered, with both boards. No rule is here: all choices are moves that were sent with the table.

const FEW = 8; // so many moves need no narrowing
const MANY = 12; // so many ways lead on from a step at most
const LONG = 40; // letters, from which on a move is said by what tells it from the others
const element = (id) => document.getElementById(id);
const make = (tag, fields, ...inside) => {
  const made = Object.assign(document.createElement(tag), fields);
  made.append(...inside);
  return made;
};

// --- a list of moves, narrowed down by what is said of them ----------------------------------------------------------

const grouped = (items, key) => {
  const found = new Map();
  for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
  return [...found.values()];
};
// Moves as they are said: where the same is said of all, by what tells them apart.
const spoken = (moves) => {
  const alike = moves.length > 1 && moves.every(([, what]) => what === moves[0][1]);
  return moves.map((move) => {
    const text = alike ? move[5] || move[0] : move[1];
    return { move, text, alike, full: alike ? `${move[1]} (${text})` : text, words: [...text.matchAll(/[\p{L}\p{N}’-]+|\S/gu)] };
  });
};
const inCommon = (items) => {
  const [{ words }] = items;
  const end = words.findIndex(([word], at) => items.some((other) => other.words[at]?.[0] !== word));
  return end < 0 ? words.length : end;
};
const branches = (items) => {
  const from = inCommon(items);
  return grouped(items, ({ words }) => words[from]?.[0]);
};
const larger = (some, others) => (others.length > some.length ? others : some);
const byWords = (items) => {
  let found = branches(items);
  for (;;) {
    const largest = found.reduce(larger);
    const parts = branches(largest);
    if (parts.length < 2 || found.length + parts.length > FEW + 1) break;
    found = found.flatMap((some) => (some === largest ? parts : [some]));
  }
  return found;
};
// Where too many ways lead on: the first and the last of each, as in a dictionary.
const inRows = (some) => {
  const items = [...some].sort((one, other) => one.text.localeCompare(other.text, undefined, { numeric: true }));
  const size = Math.max(FEW, Math.ceil(items.length / FEW));
  return Array.from({ length: Math.ceil(items.length / size) }, (_, row) => items.slice(row * size, (row + 1) * size));
};
// What is said from a word on to another one, without what belongs to the words around it.
const part = ({ text, words }, from, to = words.length) => {
  const said = (to > from ? text.slice(words[from].index, words[to]?.index) : "").replace(/^[\s(,;:–]+|[\s(,;:–]+$/g, "");
  return said.includes("(") ? said : said.replace(")", "");
};
const narrowed = (items, kinds) => {
  const from = items[0].alike ? 0 : inCommon(items);
  const long = items.some(({ text }) => text.length > LONG);
  const alone = (item) => ({ some: [item], label: (long && part(item, from)) || item.text });
  const each = (some, label) => (some.length > 1 ? { some, label: label() } : alone(some[0]));
  if (items.length <= FEW) return grouped(items, ({ text }) => text).map((some) => each(some, () => `${alone(some[0]).label} …`));
  const ofKinds = grouped(items, ({ move }) => move[2]);
  if (ofKinds.length > 1) return ofKinds.map((some) => each(some, () => kinds?.[some[0].move[2]] ?? some[0].move[2]));
  const found = byWords(items);
  if (found.length <= MANY) return found.map((some) => each(some, () => `${part(some[0], from, inCommon(some))} …`));
  return inRows(items).map((some) => each(some, () => `${part(some[0], from)} … ${part(some.at(-1), from)}`));
};

// --- the box -----------------------------------------------------------------------------------------------------------

export default ({ path, waits, ahead, before, changes, dueIn, remove, again, edit, seat, flush, inLog, take, ofMove, lost, draw }) => {
  const parts = element("offline-parts");
  const copy = (id) => parts.content.getElementById(id).cloneNode(true);
  document.head.append(make("link", { rel: "stylesheet", href: parts.dataset.style }));
  const box = document.body.appendChild(copy("outbox"));
  const [details, typed] = [box.querySelector("details"), element("outbox-typed")];
  const words = box.dataset;
  const told = (trouble) => words[trouble] ?? trouble;
  const roomy = matchMedia("(min-height: 641px)");

  // --- choosing: each step is a list of moves, and Back goes to the one before ----------------------------------------

  let steps = [];
  const all = () => ahead().moves.filter(([notation]) => !waits().some(({ fields }) => fields.some(([name, value]) => name === "move" && value === notation)));
  const open = () => {
    details.open = true;
    element("outbox-moves").scrollIntoView({ block: "nearest" });
  };
  // What begins at a cell comes before what only goes there, and takes its place where there is much.
  const touching = (moves, cell) => {
    const found = moves.filter(([, , , cells]) => cells.includes(cell));
    const [first, others] = [true, false].map((begins) => found.filter(([, , , cells]) => (cells[0] === cell) === begins));
    return first.length && found.length > FEW ? first : [...first, ...others];
  };
  const choose = (at, kind, known) => {
    const now = steps.at(-1) ?? [];
    const there = touching(now, at);
    const asked = all().filter(([, , of]) => !kind || of === kind);
    steps = there.length && there.length < now.length ? [...steps, there] : [known ?? (at ? touching(asked, at) : asked)];
    choices();
    open();
  };
  const step = (...next) => {
    steps = next;
    choices();
    (element("outbox-moves").querySelector("button") ?? element("outbox-back")).focus({ preventScroll: true });
  };
  const choices = () => {
    const items = spoken(steps.at(-1) ?? all());
    const found = items.length ? narrowed(items, ahead().kinds) : [];
    const button = ({ some: [first, ...others], label }) => {
      const onclick = () => (others.length ? step(...steps, [first, ...others].map(({ move }) => move)) : take(ofMove(first.move[0])));
      return make("li", {}, make("button", { type: "button", className: "button small", textContent: label, ariaLabel: others.length ? label : first.full, onclick }));
    };
    element("outbox-legal").textContent = items.length ? words[ahead().some ? "someLegal" : "legal"] : steps.length ? words.nothing : "";
    const shortened = found.some(({ some, label }) => label !== some[0].text);
    const shared = items[0]?.alike ? items[0].move[1] : shortened ? part(items[0], 0, inCommon(items)) : "";
    element("outbox-so-far").textContent = shared && `${shared} …`;
    element("outbox-moves").replaceChildren(...found.map(button));
    element("outbox-back").hidden = !steps.length;
    ring();
  };
  element("outbox-back").onclick = () => step(...steps.slice(0, -1));
  typed.onsubmit = (event) => {
    event.preventDefault();
    const field = element("outbox-move");
    take(ofMove(field.value.trim()));
    field.value = "";
  };
  let rung = false;
  const ring = () => {
    if (box.hidden && !rung) return; // nothing is shown, and nothing was: an answer of the server is not held up
    rung = !box.hidden;
    const kept = new Set(waits().flatMap(({ cells }) => cells));
    const now = steps.at(-1) ?? [];
    const may = new Set(now.flatMap(([, , , cells]) => cells).filter((cell) => now.some(([, , , cells]) => !cells.includes(cell))));
    settle();
    for (const cell of document.querySelectorAll("#squares a.cell")) {
      cell.classList.toggle("waits", kept.has(cell.id.slice(2)));
      cell.classList.toggle("may", may.has(cell.id.slice(2)));
    }
  };
  const known = () => {
    element("outbox-known").replaceChildren(...ahead().moves.map(([value, textContent]) => make("option", { value, textContent })));
    if (!steps.length) choices();
  };

  // --- what was not entered: both boards, and what becomes of it ------------------------------------------------------

  const boardAt = async (address) => {
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    const board = page.getElementById("squares");
    board?.querySelector("#cells")?.remove();
    for (const each of board?.querySelectorAll("[id]") ?? []) each.removeAttribute("id");
    board?.removeAttribute("id");
    board?.setAttribute("role", "img");
    const due = [...page.querySelectorAll("#players .due .name")].map((name) => name.textContent).join(", ");
    return { board, due, seat: dueIn(page), version: Number(page.getElementById("table")?.dataset.version) };
  };
  const conflict = async (entry) => {
    if (element("conflict")) return;
    const dialog = copy("conflict");
    const move = new URLSearchParams({ move: entry.fields.find(([name]) => name === "move")?.[1] ?? "" });
    dialog.dataset.key = entry.key;
    dialog.querySelector(".what").textContent = entry.what;
    dialog.querySelector(".note").textContent = told(entry.trouble);
    // What the rules refuse would be refused again; what came too late may be meant still.
    const first = dialog.querySelector(`[data-do=${entry.ruled ? "change" : "again"}]`);
    first.classList.add("good");
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    try {
      const now = await boardAt(path);
      if (now.version > entry.version && (await inLog(entry))) {
        dialog.remove();
        draw();
        return flush();
      }
      const meant = now.version > entry.version ? `/then?entry=${entry.version + 1}&${move}` : `?${move}`;
      show(dialog, "now", now.board);
      show(dialog, "meant", move.get("move") ? (await boardAt(path + meant)).board : null);
      dialog.querySelector(".due").hidden = !now.due;
      dialog.querySelector(".due b").textContent = now.due;
      Object.assign(dialog.dataset, { version: now.version, seat: now.seat ?? "" });
      if (!waits().some((other) => other.key === entry.key)) return dialog.remove(); // it was settled meanwhile
      dialog.showModal();
      first.focus();
    } catch {
      dialog.remove(); // away again: the list says that there is something to see
      lost();
      draw();
    }
  };
  const show = (dialog, name, board) => {
    const place = dialog.querySelector(`[data-board=${name}]`);
    place.closest("section").hidden = !board;
    place.replaceChildren(...(board ? [document.adoptNode(board)] : []));
  };
  document.addEventListener("click", ({ target }) => {
    const { do: what } = target.closest?.("[data-do]")?.dataset ?? {};
    const key = target.closest?.("[data-key]")?.dataset.key;
    const entry = waits().find((other) => other.key === key);
    if (what && !entry) element("conflict")?.remove(); // settled in another window
    if (!what || !entry) return;
    if (what === "look") return conflict(entry);
    if (what === "seat") return seat(key);
    const { version, seat: due } = element("conflict")?.dataset ?? {};
    element("conflict")?.remove(); // at once: the next one may be shown
    if (what === "drop") remove(key);
    else if (what === "again") again(key, Number(version), due || null);
    else edit(key, { changing: true });
    if (what === "change") details.open = false;
    else flush();
  });

  // --- what is shown --------------------------------------------------------------------------------------------------

  const drawWho = (place, entry) => {
    const name = ahead().seats?.find(([other]) => other === entry.seat)?.[1];
    place.hidden = !ahead().seats?.length || !entry.fields.some(([field]) => field === "move") || (!changes && !name);
    place.querySelector(".token").className = `token ${name ? `seat-${entry.seat}` : "off"}`;
    place.querySelector(".name").textContent = `${name ?? ""}${entry.sure && name ? "" : "?"}`;
    if (!changes) place.replaceWith(make("span", { className: "who", hidden: place.hidden }, ...place.childNodes));
  };
  const drawEntry = (entry, at) => {
    const item = copy("outbox-entry");
    item.removeAttribute("id");
    item.dataset.key = entry.key;
    item.querySelector(".what").textContent = entry.what;
    item.querySelector("[data-do=look]").hidden = !entry.trouble || at > 0; // one after the other
    if (entry.trouble === before) item.querySelector(".hint").textContent = told(before);
    drawWho(item.querySelector("[data-do=seat]"), entry);
    return item;
  };
  // The box lies over whatever else keeps to the lower edge of the screen: the tabs, or what was ruled.
  const settle = () => {
    const bars = [...document.querySelectorAll(".tabs, .verdict ~ .actions")].map((bar) => bar.getBoundingClientRect());
    const tops = bars.filter(({ top, bottom }) => top > innerHeight / 2 && bottom > innerHeight - 2).map(({ top }) => top);
    document.documentElement.style.setProperty("--over", `${innerHeight - Math.min(innerHeight, ...tops)}px`);
  };
  addEventListener("resize", settle);
  // Only where it says something else by now: a finger may lie on it, and what is drawn anew hears no tap.
  let listed = "";
  const list = (entries) => {
    const now = JSON.stringify([entries, ahead().seats]);
    if (now !== listed) box.querySelector("ol").replaceChildren(...entries.map(drawEntry));
    listed = now;
  };
  const drawAll = (entries, shown, gone) => {
    if (box.hidden && !shown && !entries.length) return;
    placeOnce(entries);
    box.hidden = !shown;
    document.body.classList.toggle("offline", shown);
    const [first] = entries;
    const says = first?.changing ? `${words.change} ${first.what}` : first?.trouble ? words.stopped : first ? `${words.some} ${entries.length}` : words.none;
    box.querySelector(".away").hidden = !gone;
    box.querySelector(".says").textContent = says;
    list(entries);
    element("outbox-says").textContent = "";
    ring();
  };
  // What is kept already is not placed once more.
  const placeOnce = (entries) => {
    const place = element("place");
    if (place?.form) place.disabled = entries.some(({ key }) => key === place.form.elements.key?.value);
  };
  const say = (word) => {
    element("outbox-says").textContent = words[word];
    details.open = true;
  };
  // Kept: the next one can be chosen. Where there is little room, the board and what was ruled are seen instead.
  const taken = () => {
    steps = [];
    choices();
    details.open = roomy.matches || !element("table");
  };
  details.open = !element("table");
  if (element("table")) {
    element("table").before(copy("waits")); // for other tables: this one's are in the box
    import(parts.dataset.waits);
  }
  return { draw: drawAll, choose, known, ring, say, taken, conflict };
};
