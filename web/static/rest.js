// The connection, and fingers and keys on the board, have scripts of their own, which the first view does not need.
// They are loaded at the first touch or key, when the connection fails, or later. Taps work without them.

import { element, pageData } from "./page_data.js";

const SILENCE = 1400; // ms without a response: with a poll every 1.5 s, the page reports it within three seconds
const IDLE = 5000; // ms after which an untouched page fetches the rest
const PATIENCE = 2500; // ms until a retry
const { connection, touch, away } = /** @type {Site} */ (pageData().site);
const bar = element("trouble");

let connected = false; // whether the connection's own script is loaded, which then reports its state
const connect = () => {
  const script = document.createElement("script");
  script.src = connection;
  script.onload = () => {
    connected = true;
  };
  script.onerror = () => {
    lost();
    setTimeout(connect, PATIENCE);
  };
  document.head.append(script);
};
let fetched = false;
const fetchRest = () => {
  if (fetched) return;
  fetched = true;
  connect();
  if (touch) fetchTouch();
};
let tries = 0; // some browsers cache the failure of a script's address: each try has a new address
const fetchTouch = () => import(`${touch}#${++tries}`).catch(() => setTimeout(fetchTouch, PATIENCE));
const lost = () => {
  if (connected) return;
  bar.textContent = away;
  bar.hidden = false;
  fetchRest();
};

// --- report silence, until a response ------------------------------------------------------------------------------

/** @type {Timer} */
let unanswered;
const silent = () => {
  lost();
  document.dispatchEvent(new Event("bastide:silent"));
};
document.addEventListener("htmx:beforeSend", () => {
  clearTimeout(unanswered);
  unanswered = setTimeout(silent, SILENCE);
});
document.addEventListener("htmx:afterRequest", ({ detail: { xhr } }) => {
  clearTimeout(unanswered);
  if (!connected && xhr?.status) bar.hidden = true;
});
document.addEventListener("htmx:sendError", lost);
document.addEventListener("htmx:timeout", lost);
document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => xhr.status >= 500 && lost());

// --- when to fetch the rest ----------------------------------------------------------------------------------------

/** Whether moves wait in this phone, or there is no connection. */
const needed = () => {
  try {
    return element("offline-parts") || Object.keys(localStorage).some((name) => name.startsWith("bastide.waits."));
  } catch {
    return false; // a browser without storage has no waiting moves
  }
};
bar.hidden = true; // clear the notice that this script was late
for (const name of ["pointerdown", "keydown", "click", "offline"])
  addEventListener(name, fetchRest, { capture: true, once: true, passive: true });
if (needed()) fetchRest();
else setTimeout(fetchRest, IDLE);
