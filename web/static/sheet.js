// The sheet of a game: printing, and the reader's own day in shared texts.
import { element } from "./page_data.js";
import "./picture.js";

// Unfold everything for paper, in browsers whose style sheets cannot.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
// Shared and printed texts have the reader's own day, too, which the heading shows by now.
const [title, chat] = [document.querySelector("h1")?.textContent ?? "", element("chat")];
chat.value = chat.value.replace(/^.*/, () => title);
document.title = `${title} – Bastide`;
const there = new Date(/** @type {HTMLTimeElement} */ (document.querySelector("h1 time")).dateTime).toLocaleDateString(
  "sv"
); // in the format of ISO 8601
/** @type {NodeListOf<HTMLAnchorElement>} */
const dated = document.querySelectorAll("#as-png, #as-txt, #as-svg, #log-text");
for (const link of dated) link.search = `day=${there}`;
const paper = element("print");
paper.hidden = false;
paper.addEventListener("click", () => print());
