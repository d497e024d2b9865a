// Draws the result of a game as PNG. It leaves the phone only by a tap.
import { pageData } from "./page_data.js";

const FINE = 2; // dots of the PNG to a unit of the picture, so that it can be looked at closely
const LARGEST = 4096; // dots of either side, which every phone can draw

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

// A link to the picture: without this script, it opens the picture.
document.addEventListener("click", async (event) => {
  /** @type {HTMLAnchorElement | null} */
  const link = /** @type {Element} */ (event.target).closest("#share-result, #as-png");
  if (!link) return;
  event.preventDefault();
  try {
    const file = new File([await drawn(link.href)], "bastide.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] });
    else keep(file);
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return; // the player has cancelled sharing
    const { words } = pageData();
    if (words?.failed) link.querySelector("span")?.replaceChildren(words.failed);
    else location.assign(link.href);
  }
});
