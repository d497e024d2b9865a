// What pages beside those of a table gain with a script: the form that opens one, taps that move nothing, and links to send.
"use strict";

(() => {
  const element = (id) => document.getElementById(id);

  // --- opening a table: what is filled in while the fields it brings are asked for is kept, and asked for again ------

  const filled = (form) => new URLSearchParams(new FormData(form)).toString();
  let sent = "";
  let unfolded = [];
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target.id === "opening") sent = filled(event.detail.target);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const form = event.detail.target;
    if (form.id !== "opening") return;
    unfolded = [...form.querySelectorAll("details[open]")].map(({ id }) => id);
    if (filled(form) === sent) return;
    event.detail.shouldSwap = false;
    window.htmx.trigger(event.detail.requestConfig.elt, "change");
  });
  // What was unfolded stays so: else the page ends before what was tapped.
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) element(id)?.setAttribute("open", "");
    unfolded = [];
  });

  // --- what was tapped in a form stays under the finger, whatever comes or goes above it ----------------------------

  let held = null;
  const where = (control) => control.getBoundingClientRect().top;
  const says = (control) => control.querySelector("span")?.textContent;
  document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig } }) => {
    const typed = requestConfig.triggeringEvent?.type === "change" && document.activeElement.id;
    const control = typed ? document.activeElement : document.querySelector("[aria-busy]");
    held = control?.closest("#opening, .on-count .panel") ? [control.id, says(control), where(control)] : null;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const [id, said, before] = held ?? [];
    const control = element(id);
    if (control && says(control) === said) scrollBy({ top: where(control) - before, behavior: "instant" });
    held = null;
  });

  // --- a day in a form is at first that of the reader ----------------------------------------------------------------

  for (const field of document.querySelectorAll("input[data-at]")) {
    const there = new Date(field.dataset.at).toLocaleDateString("sv"); // as ISO 8601 has it
    if (field.value === field.defaultValue) field.value = there;
  }

  // --- sending a link ----------------------------------------------------------------------------------------------

  const shareable = () => {
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share && !navigator.clipboard;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) return;
    const what = element(button.dataset.share).value;
    try {
      if (navigator.share) await navigator.share("text" in button.dataset ? { text: what } : { url: what });
      else {
        await navigator.clipboard.writeText(what);
        button.querySelector("span").textContent = button.dataset.done;
      }
    } catch {
      element(button.dataset.share).select();
    }
  });
  document.addEventListener("htmx:afterSettle", shareable);
  shareable();
})();
