// The slider over a game follows the step that is shown, whoever led there. Without this it is a form.
"use strict";

(() => {
  const element = (id) => document.getElementById(id);
  let wanted = null; // where the slider was moved to, until that is shown

  document.addEventListener("input", (event) => {
    if (event.target.id === "step") wanted = event.target.value;
  });
  // The chart: where a step is, and which step is where one taps.
  const across = () => {
    const { left, right } = element("chart").dataset;
    return [Number(left), Number(right) - Number(left), Math.max(Number(element("step").max), 1)];
  };
  const at = (step) => {
    if (!element("chart")) return 0;
    const [left, wide, last] = across();
    return left + (wide * step) / last;
  };
  document.addEventListener("click", (event) => {
    const chart = event.target.closest("#chart");
    if (!chart) return;
    const [left, wide, last] = across();
    const box = chart.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
    element("step").value = Math.round((last * (x - left)) / wide);
    for (const name of ["input", "change"]) element("step").dispatchEvent(new Event(name, { bubbles: true }));
  });

  const follow = () => {
    const [shown, slider] = [element("at-step"), element("step")];
    if (!shown || !slider || (wanted !== null && wanted !== shown.dataset.step)) return;
    wanted = null;
    slider.value = shown.dataset.step;
    slider.setAttribute("aria-valuetext", shown.querySelector("h2").textContent);
    if (element("round")) element("round").value = shown.dataset.round;
    element("here")?.setAttribute("x", at(slider.value) - 1);
  };
  document.addEventListener("htmx:afterSettle", follow);
  addEventListener("pageshow", follow);
  follow();
})();
