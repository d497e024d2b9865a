// Sends the waiting moves in order, until one is rejected; by its key, the server enters each only once, even if it is
// sent again. A button tapped meanwhile waits for all of them, since it would otherwise act on the old page.

import { element, pageData } from "./page_data.js";

const TURN = "turn"; // the trouble of a move for a player whose turn it is not

/** @param {Connection} connection @param {OutboxList["conflict"]} conflict @returns {Sender} */
export default (connection, conflict) => {
  const { path, outbox, flying, longest, busy, trouble, later, found, lost, draw } = connection;

  // --- send a move, and read the response --------------------------------------------------------------------------

  /** @param {Entry} entry */
  const send = (entry) => {
    const fields = entry.fields.map(([name, value]) => [name, String(name === "version" ? entry.version : value)]);
    const body = new URLSearchParams(fields);
    return fetch(entry.action, { method: "POST", body, signal: AbortSignal.timeout?.(longest) });
  };
  /** @param {Response} answer */
  const pageOf = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");
  /** @param {Entry} entry @param {Response} answer @param {Document} page */
  const entered = (entry, answer, page) => {
    const there = new URL(answer.url);
    const { version, due } = pageData(page);
    outbox.enter(entry.key, Number(there.searchParams.get("done") ?? version));
    const [next] = outbox.entries;
    if (next?.sure && next.seat && due && next.seat !== due) outbox.edit(next.key, { trouble: next.trouble ?? TURN });
    return there.pathname + there.search;
  };
  /** @param {Entry} entry @param {Document} page */
  const refused = (entry, page) => {
    const { text, ruled = true } = pageData(page).refusal ?? {};
    const says = text || page.querySelector("main")?.textContent.trim().replace(/\s+/g, " ");
    outbox.edit(entry.key, { trouble: says || "?", ruled });
    return path;
  };
  /** @param {Response} answer */
  const putOff = (answer) => {
    trouble(answer.status === busy ? "held" : "unsent");
    later(1000 * Number(answer.headers.get("Retry-After")) || undefined);
  };

  // --- a button tapped meanwhile acts on the page after all moves, if all were entered -----------------------------

  let sending = false;
  /** The tapped button, and its text. @type {{ id: string, text: string } | null} */
  let after = null;
  document.addEventListener(
    "click",
    (event) => {
      const button = /** @type {Element} */ (event.target).closest("#table form[method=post] button[id]");
      if (!sending || !button) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      button.setAttribute("aria-busy", "true");
      after = { id: button.id, text: button.textContent };
    },
    true
  );
  /** @param {typeof after} tapped @param {boolean} all */
  const tapOn = (tapped, all) => {
    const button = tapped && element(tapped.id);
    button?.removeAttribute("aria-busy");
    if (all && button?.textContent === tapped?.text) button?.click();
  };

  // --- one after the other -------------------------------------------------------------------------------------------

  const sendAll = async () => {
    let last = "";
    let already = "";
    try {
      for (let [entry] = outbox.entries; entry && !entry.trouble && !flying.has(entry.key); [entry] = outbox.entries) {
        const answer = await send(entry);
        if (answer.status === busy || answer.status >= 500) {
          putOff(answer);
          break;
        }
        found();
        const page = await pageOf(answer);
        last = answer.ok ? entered(entry, answer, page) : refused(entry, page);
        already ||= last.includes("already=") ? last : "";
      }
    } catch {
      lost();
    }
    return already || last; // report that another phone had entered the same move, even after later moves
  };
  // A choice made in the meantime stays, on the board after the sent moves.
  /** @param {string} last */
  const stays = (last) => {
    const there = new URL(location.href);
    for (const [name, value] of new URL(last, there).searchParams)
      if (/^(done|already)$/.test(name)) there.searchParams.set(name, value);
    return there.pathname + there.search;
  };
  /** @param {string} address */
  const look = async (address) => {
    const swap = { source: "#table", target: "#table", swap: "outerHTML" };
    await window.htmx?.ajax("GET", address, swap).catch(() => {});
  };
  // A move that is in the log already is not offered again: sent for its old version, it enters nothing, and the
  // response says so.
  /** @param {Entry} entry */
  const inLog = async (entry) => {
    const answer = await send(entry);
    if (!answer.ok) return false;
    await look(entered(entry, answer, await pageOf(answer)));
    return true;
  };
  const flush = async () => {
    if (sending) return;
    sending = true;
    const here = location.href;
    const last = await sendAll();
    const tapped = after; // another flush, which sends nothing, may end during the request below
    [sending, after] = [false, null];
    draw();
    const leads = location.href === here && (location.pathname === path || !last.startsWith(`${path}?`));
    if (last) await look(leads ? last : stays(last));
    const [first] = outbox.entries;
    tapOn(tapped, Boolean(last && !first));
    if (first?.trouble && !first.changing) conflict(first);
  };
  return Object.assign(flush, { inLog });
};
