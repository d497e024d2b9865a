// A page says that moves wait for another table than its own: only the table's own page sends them.
import { element } from "./page_data.js";

const WAITS = "bastide.waits.";
const note = element("waits");
/** What waits first, by its table. @type {Map<string, string>} */
const tables = new Map();
try {
  for (const name of Object.keys(localStorage).filter((other) => other.startsWith(WAITS))) {
    const [entry] = JSON.parse(localStorage.getItem(name) ?? "");
    const table = entry.action.replace(/\/\w+$/, "");
    if (!location.pathname.startsWith(table)) tables.set(table, entry.what);
  }
} catch {
  // A browser that keeps nothing has nothing that waits.
}
for (const [href, what] of tables)
  note.append(" ", Object.assign(document.createElement("a"), { href, className: "button small", textContent: what }));
note.hidden = !tables.size;
