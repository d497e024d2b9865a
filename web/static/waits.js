// A note on waiting moves for other tables: only the table's own page sends them.
import { element } from "./page_data.js";

const WAITS = "bastide.waits.";
const note = element("waits");
/** Table -> its first waiting move. @type {Map<string, string>} */
const tables = new Map();
try {
  for (const name of Object.keys(localStorage).filter((other) => other.startsWith(WAITS))) {
    const [entry] = JSON.parse(localStorage.getItem(name) ?? "");
    const table = entry.action.replace(/\/\w+$/, "");
    if (!location.pathname.startsWith(table)) tables.set(table, entry.what);
  }
} catch {
  // A browser without storage has no waiting moves.
}
for (const [href, what] of tables)
  note.append(" ", Object.assign(document.createElement("a"), { href, className: "button small", textContent: what }));
note.hidden = !tables.size;
