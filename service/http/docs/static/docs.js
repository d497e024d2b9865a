// The search of the page of the contract, which hides what lacks a word. A link within the page opens what it leads to.

const search = /** @type {HTMLElement} */ (document.getElementById("search"));
const field = /** @type {HTMLInputElement} */ (search.querySelector("input"));
const status = /** @type {HTMLElement} */ (search.querySelector("[role=status]"));
const chapters = [...document.querySelectorAll(".chapter")].map((chapter) => ({
  chapter,
  entries: [...chapter.querySelectorAll(":scope > .entry")].map((entry) => ({
    entry: /** @type {HTMLDetailsElement} */ (entry),
    text: entry.textContent.toLowerCase()
  }))
}));

const narrow = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const { chapter, entries } of chapters) {
    let here = 0;
    for (const { entry, text } of entries) {
      entry.hidden = !words.every((word) => text.includes(word));
      here += Number(!entry.hidden);
    }
    /** @type {HTMLElement} */ (chapter).hidden = !here;
    chapter.toggleAttribute("open", words.length > 0);
    found += here;
  }
  status.textContent = found ? "" : (status.dataset.none ?? "");
};
const show = () => {
  field.value = "";
  narrow();
  const there = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let fold = there?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  there?.closest(".entry")?.scrollIntoView();
};

search.hidden = false;
field.addEventListener("input", narrow);
addEventListener("hashchange", show);
if (location.hash) show();
