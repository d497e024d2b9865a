// The slider over a game follows the shown step, whatever led there. Without this script it is a form.
import { element, pageData } from "./page_data.js";

const PACE = 200; // milliseconds between two requests while the slider moves
/** The step of the slider, until its response or another request. @type {string | null} */
let wanted = null;
/** @type {ReturnType<typeof setTimeout> | 0} */
let soon = 0;

// One request at a time: if the slider has moved meanwhile, the next one follows. So the page shows its last step.
const seek = () => {
  soon = 0;
  const slider = element("step");
  if (wanted === null || !slider) return;
  soon = setTimeout(seek, PACE);
  if (!slider.matches(".htmx-request")) slider.dispatchEvent(new Event("seek"));
};
document.addEventListener("input", (event) => {
  if (event.target !== element("step") || !window.htmx) return;
  wanted = element("step").value;
  if (!soon) seek();
});
document.addEventListener("htmx:beforeRequest", ({ detail: { elt, requestConfig } }) => {
  if (elt.id !== "step" && !requestConfig.news) wanted = null;
});
document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig } }) => {
  if (requestConfig.elt.id !== "step" || requestConfig.parameters.step !== wanted) return;
  wanted = null;
  follow(); // also after a failure: the slider must match the shown step
});
// The chart: the place of a step, and the step of a tap.
const across = () => {
  const [left, right] = pageData().chart ?? [0, 0];
  return [left, right - left, Math.max(Number(element("step").max), 1)];
};
/** @param {number} step */
const at = (step) => {
  if (!element("chart")) return 0;
  const [left, wide, last] = across();
  return left + (wide * step) / last;
};
document.addEventListener("click", (event) => {
  const chart = element("chart");
  if (!chart?.contains(/** @type {Node} */ (event.target))) return;
  const [left, wide, last] = across();
  const box = chart.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * chart.viewBox.baseVal.width;
  element("step").value = String(Math.round((last * (x - left)) / wide));
  element("step").dispatchEvent(new Event("input", { bubbles: true }));
});

const follow = () => {
  const [shown, slider, select] = [element("at-step"), element("step"), element("round")];
  if (!shown || !slider || wanted !== null) return;
  const { step = 0, round } = pageData();
  slider.value = String(step);
  const open = element("entry-text")?.textContent ?? "";
  slider.setAttribute("aria-valuetext", `${shown.textContent}. ${open}`);
  if (select) select.value = String(round);
  element("here")?.setAttribute("x", String(at(step) - 1));
};
document.addEventListener("htmx:afterSettle", follow);
addEventListener("pageshow", follow);
follow();
