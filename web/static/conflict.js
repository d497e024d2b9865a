// A move that the server did not enter: shows both boards, and lets the player decide.

import { find, slot } from "./dom.js";
import { element, pageData } from "./page_data.js";

/**
 * Shows the move that was not entered, and carries out the player's decision.
 * @param {Connection} connection @param {(id: string) => HTMLElement} copy of a part of the offline page
 * @param {(trouble: string | null | undefined) => string} sentence the words for a trouble
 */
export const conflicts = ({ path, outbox, ahead, inLog, flush, lost, draw }, copy, sentence) => {
  /** The table as it was when both boards were shown. */
  let seen = { version: NaN, due: /** @type {Seat | null} */ (null) };
  /** @param {string} address */
  const boardAt = async (address) => {
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    const board = page.getElementById("squares");
    board?.querySelector("#cells")?.remove();
    for (const each of board?.querySelectorAll("[id]") ?? []) each.removeAttribute("id");
    board?.removeAttribute("id");
    board?.setAttribute("role", "img");
    const { due = null, version = NaN } = pageData(page);
    return { board, due, version };
  };
  /** @param {Entry} entry */
  const open = async (entry) => {
    if (element("conflict")) return;
    const dialog = /** @type {HTMLDialogElement} */ (copy("conflict"));
    const move = new URLSearchParams({ move: String(entry.fields.find(([name]) => name === "move")?.[1] ?? "") });
    dialog.dataset.key = entry.key;
    slot(dialog, "what").textContent = entry.what;
    slot(dialog, "trouble").textContent = sentence(entry.trouble);
    // A move that the rules refused would be refused again; one that came too late may still be meant.
    const first = find(dialog, `[data-do=${entry.ruled ? "change" : "again"}]`);
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
      const name = ahead().seats?.find(([seat]) => seat === now.due)?.[1] ?? "";
      slot(dialog, "due").hidden = !name;
      slot(dialog, "due-name").textContent = name;
      seen = now;
      if (!outbox.entries.some((other) => other.key === entry.key)) return dialog.remove(); // it was settled meanwhile
      dialog.showModal();
      first.focus();
    } catch {
      dialog.remove(); // no connection again: the list still shows the entry
      lost();
      draw();
    }
  };
  /** @param {HTMLElement} dialog @param {string} name @param {Element | null} board */
  const show = (dialog, name, board) => {
    const place = find(dialog, `[data-board=${name}]`);
    if (place.parentElement) place.parentElement.hidden = !board;
    place.replaceChildren(...(board ? [document.adoptNode(board)] : []));
  };
  /** Carry out a player's decision. @param {Entry} entry @param {string} what */
  const decide = (entry, what) => {
    element("conflict")?.remove(); // at once: the next conflict may open
    if (what === "drop") outbox.remove(entry.key);
    else if (what === "again") outbox.retry(entry.key, seen.version, seen.due);
    else outbox.edit(entry.key, { changing: true });
    if (what !== "change") flush();
  };
  return { open, decide };
};
