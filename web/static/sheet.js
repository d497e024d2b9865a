// The sheet of a game: its picture as PNG, drawn here, and print. Nothing of it leaves the phone but by what is tapped.
import { element, pageData } from "./page_data.js";

const FINE = 2; // dots of the PNG to a unit of the picture, so that it can be looked at closely
const LARGEST = 4096; // dots, of either side: what every phone can draw

/** @param {string} address @returns {Promise<Blob>} */
const drawn = async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth: wide, naturalHeight: high } = image;
  const scale = Math.min(FINE, LARGEST / Math.max(wide, high));
  const canvas = Object.assign(document.createElement("canvas"), {
    width: Math.round(wide * scale),
    height: Math.round(high * scale)
  });
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(blob)), "image/png"));
};

/** @param {File} file */
const keep = (file) => {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  link.click();
  URL.revokeObjectURL(link.href);
};

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
const dated = document.querySelectorAll("#as-txt, #as-svg, #log-text");
for (const link of dated) link.search = `day=${there}`;
const { picture, words } = pageData();
const [save, paper] = [element("as-png"), element("print")];
paper.hidden = false;
paper.addEventListener("click", () => print());
save.hidden = false;
save.addEventListener("click", async () => {
  try {
    const file = new File([await drawn(`${picture}?day=${there}`)], "bastide.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] });
    else keep(file);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return; // who shares has thought better of it
    save.querySelector("span")?.replaceChildren(words?.failed ?? "");
  }
});
