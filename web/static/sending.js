// Sends the moves that wait, each in its order, until one is not entered; each counts once by its key, however often it is
// sent. A button that is tapped meanwhile waits for all of them, as it would otherwise act on the page before.

const TURN = "turn"; // the trouble of what was kept for another player than the one who is to play

export default ({ path, waits, edit, enteredAs, dueIn, flying, longest, busy, trouble, later, found, lost, draw, conflict }) => {
  const element = (id) => document.getElementById(id);

  // --- a move is sent, and its answer read ---------------------------------------------------------------------------

  const send = (entry) => {
    const body = new URLSearchParams(entry.fields.map(([name, value]) => [name, name === "version" ? entry.version : value]));
    return fetch(entry.action, { method: "POST", body, signal: AbortSignal.timeout?.(longest) });
  };
  const entered = (entry, answer, page) => {
    const there = new URL(answer.url);
    const made = Number(there.searchParams.get("done") ?? page.getElementById("table")?.dataset.version);
    enteredAs(entry.key, made);
    const [next] = waits();
    const due = dueIn(page);
    if (next?.sure && next.seat && due && next.seat !== due) edit(next.key, { trouble: next.trouble ?? TURN });
    return there.pathname + there.search;
  };
  const refused = (entry, page) => {
    const note = page.querySelector(".note.trouble");
    const says = note ?? page.querySelector(".reason .says") ?? page.querySelector(".verdict h2") ?? page.querySelector("main");
    edit(entry.key, { trouble: says?.textContent.trim().replace(/\s+/g, " ") || "?", ruled: !note });
    return path;
  };
  const putOff = (answer) => {
    trouble(answer.status === busy ? "held" : "unsent");
    later(1000 * Number(answer.headers.get("Retry-After")) || undefined);
  };

  // --- a button that is tapped meanwhile acts on the page after what was sent, where all of it was entered -------------

  let sending = false;
  let after = null;
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#table form[method=post] button[id]");
    if (!sending || !button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    button.setAttribute("aria-busy", "true");
    after = { id: button.id, said: button.textContent };
  }, true);
  const tapOn = (all) => {
    const button = after && element(after.id);
    button?.removeAttribute("aria-busy");
    if (all && button?.textContent === after?.said) button?.click();
    after = null;
  };

  // --- one after the other -------------------------------------------------------------------------------------------

  const sendAll = async () => {
    let last = "";
    let already = "";
    try {
      for (let entry = waits()[0]; entry && !entry.trouble && !flying.has(entry.key); entry = waits()[0]) {
        const answer = await send(entry);
        if (answer.status === busy || answer.status >= 500) {
          putOff(answer);
          break;
        }
        found();
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        last = answer.ok ? entered(entry, answer, page) : refused(entry, page);
        already ||= last.includes("already=") ? last : "";
      }
    } catch {
      lost();
    }
    return already || last; // that another phone was faster with the same move is said, whatever was entered after it
  };
  // What was chosen in the meantime is looked at as before, on the board after what was sent.
  const stays = (last) => {
    const there = new URL(location.href);
    for (const [name, value] of new URL(last, there).searchParams) if (/^(done|already)$/.test(name)) there.searchParams.set(name, value);
    return there.pathname + there.search;
  };
  const look = (address) => window.htmx.ajax("GET", address, { source: "#table", target: "#table", swap: "outerHTML" }).catch(() => {});
  // What is in the log by now is not offered again: sent for a version that is past, it enters nothing, and the answer says.
  const inLog = async (entry) => {
    const answer = await send(entry);
    if (!answer.ok) return false;
    await look(entered(entry, answer, new DOMParser().parseFromString(await answer.text(), "text/html")));
    return true;
  };
  const flush = async () => {
    if (sending) return;
    sending = true;
    const here = location.href;
    const last = await sendAll();
    sending = false;
    draw();
    const leads = location.href === here && (location.pathname === path || !last.startsWith(`${path}?`));
    if (last) await look(leads ? last : stays(last));
    tapOn(last && !waits().length);
    if (waits()[0]?.trouble && !waits()[0].changing) conflict(waits()[0]);
  };
  return Object.assign(flush, { inLog });
};
