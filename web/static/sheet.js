// The sheet of a game: its picture as PNG, drawn here, and print. Nothing of it leaves the phone but by what is tapped.
(() => {
  "use strict";
  const FINE = 2; // dots of the PNG to a unit of the picture, so that it can be looked at closely
  const LARGEST = 4096; // dots, of either side: what every phone can draw

  const drawn = async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { naturalWidth: wide, naturalHeight: high } = image;
    const scale = Math.min(FINE, LARGEST / Math.max(wide, high));
    const canvas = Object.assign(document.createElement("canvas"), {
      width: Math.round(wide * scale),
      height: Math.round(high * scale),
    });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  };

  const kept = (file) => {
    const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
    link.click();
    URL.revokeObjectURL(link.href);
  };

  // Where style sheets cannot open what is folded, for paper.
  addEventListener("beforeprint", () => {
    for (const folded of document.querySelectorAll("details")) folded.open = true;
  });
  // The day is the reader's own in what is sent and printed, too: it is in the heading by now.
  const [title, chat] = [document.querySelector("h1").textContent, document.getElementById("chat")];
  chat.value = chat.value.replace(/^.*/, () => title);
  document.title = `${title} – Bastide`;
  const there = new Date(document.querySelector("h1 time").dateTime).toLocaleDateString("sv"); // as ISO 8601 has it
  for (const link of document.querySelectorAll("#as-txt, #as-svg, #log-text")) link.search = `day=${there}`;
  for (const button of document.querySelectorAll("[data-png]")) button.dataset.png += `?day=${there}`;
  for (const button of document.querySelectorAll("[data-png], [data-print]")) button.hidden = false;
  document.addEventListener("click", async (event) => {
    if (event.target.closest("[data-print]")) return print();
    const button = event.target.closest("[data-png]");
    if (!button) return;
    try {
      const file = new File([await drawn(button.dataset.png)], button.dataset.name, { type: "image/png" });
      if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file] });
      else kept(file);
    } catch (error) {
      if (error.name !== "AbortError") button.querySelector("span").textContent = button.dataset.failed;
    }
  });
})();
