// The slider over a game follows the step that is shown, whoever led there. Without this it is a form.
"use strict";

(() => {
  const element = (id) => document.getElementById(id);
  let wanted = null; // where the slider was moved to, until that is shown

  document.addEventListener("input", (event) => {
    if (event.target.id === "step") wanted = event.target.value;
  });
  const follow = () => {
    const [shown, slider] = [element("at-step"), element("step")];
    if (!shown || !slider || (wanted !== null && wanted !== shown.dataset.step)) return;
    wanted = null;
    slider.value = shown.dataset.step;
    slider.setAttribute("aria-valuetext", shown.querySelector("h2").textContent);
    if (element("round")) element("round").value = shown.dataset.round;
  };
  document.addEventListener("htmx:afterSettle", follow);
  addEventListener("pageshow", follow);
  follow();
})();
