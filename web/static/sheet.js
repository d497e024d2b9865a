// The sheet of a game: print, and the reader's own day in what is sent.
import { element } from "./page_data.js";
import "./picture.js";

// Where style sheets cannot open what is folded, for paper.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
// The day is the reader's own in what is sent and printed, too: it is in the heading by now.
const [title, chat] = [document.querySelector("h1")?.textContent ?? "", element("chat")];
chat.value = chat.value.replace(/^.*/, () => title);
document.title = `${title} – Bastide`;
const there = new Date(/** @type {HTMLTimeElement} */ (document.querySelector("h1 time")).dateTime).toLocaleDateString(
  "sv"
); // as ISO 8601 has it
/** @type {NodeListOf<HTMLAnchorElement>} */
const dated = document.querySelectorAll("#as-png, #as-txt, #as-svg, #log-text");
for (const link of dated) link.search = `day=${there}`;
const paper = element("print");
paper.hidden = false;
paper.addEventListener("click", () => print());
