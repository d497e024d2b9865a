// What pages beside those of a table gain with a script: the form that opens one, and links to send.
"use strict";

(() => {
  const element = (id) => document.getElementById(id);

  // --- opening a table: what is filled in while the fields it brings are asked for is kept, and asked for again ------

  const filled = (form) => new URLSearchParams(new FormData(form)).toString();
  let sent = "";
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.target.id === "opening") sent = filled(event.detail.target);
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const form = event.detail.target;
    if (form.id !== "opening" || filled(form) === sent) return;
    event.detail.shouldSwap = false;
    window.htmx.trigger(event.detail.requestConfig.elt, "change");
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
