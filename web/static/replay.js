// The slider over a game follows the step that is shown, whoever led there. Without this it is a form.
"use strict";

(() => {
  const element = (id) => document.getElementById(id);
  const PACE = 200; // milliseconds from one question to the next while the hand moves on
  let wanted = null; // where the slider was moved to, until that is answered or something else is asked for
  let soon = 0;

  // One question at a time: where the hand has gone on meanwhile, the next follows. So what it rests at is shown.
  const seek = () => {
    soon = 0;
    const slider = element("step");
    if (wanted === null || !slider) return;
    soon = setTimeout(seek, PACE);
    if (!slider.matches(".htmx-request")) slider.dispatchEvent(new Event("seek"));
  };
  document.addEventListener("input", (event) => {
    if (event.target.id !== "step" || !window.htmx) return;
    wanted = event.target.value;
    if (!soon) seek();
  });
  document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig } }) => {
    if (elt.id !== "step" && !requestConfig.news) wanted = null;
  });
  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig } }) => {
    if (requestConfig.elt.id !== "step" || requestConfig.parameters.step !== wanted) return;
    wanted = null;
    follow(); // also where nothing came: the slider does not say what nobody sees
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
    element("step").dispatchEvent(new Event("input", { bubbles: true }));
  });

  const follow = () => {
    const [shown, slider] = [element("at-step"), element("step")];
    if (!shown || !slider || wanted !== null) return;
    slider.value = shown.dataset.step;
    slider.setAttribute("aria-valuetext", shown.querySelector("h2").textContent);
    if (element("round")) element("round").value = shown.dataset.round;
    element("here")?.setAttribute("x", at(slider.value) - 1);
  };
  document.addEventListener("htmx:afterSettle", follow);
  addEventListener("pageshow", follow);
  follow();
})();
