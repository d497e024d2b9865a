// What looks after the connection, and fingers and keys on the board, have scripts of their own, which no first view needs:
// they come with the first touch or key, when the connection fails, or later. Without them a tap is a tap all the same.

import { element, pageData } from "./page_data.js";

const SILENCE = 1400; // ms without an answer: with a question every 1.5 s, it is said within three seconds
const IDLE = 5000; // ms after which a page that nobody has touched fetches the rest
const PATIENCE = 2500; // ms until it is asked for again
const { connection, touch, away } = /** @type {Site} */ (pageData().site);
const bar = element("trouble");

let connected = false; // from then on, the connection's own script says how it is
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
let tries = 0; // some browsers remember of an address that a script did not come: each try has one of its own
const fetchTouch = () => import(`${touch}#${++tries}`).catch(() => setTimeout(fetchTouch, PATIENCE));
const lost = () => {
  if (connected) return;
  bar.textContent = away;
  bar.hidden = false;
  fetchRest();
};

// --- silence is said, and an answer takes that back ------------------------------------------------------------------

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

// --- when the rest is fetched ----------------------------------------------------------------------------------------

/** Whether moves wait in this phone, or there is no connection. */
const needed = () => {
  try {
    return element("offline-parts") || Object.keys(localStorage).some((name) => name.startsWith("bastide.waits."));
  } catch {
    return false; // a browser that keeps nothing has nothing that waits
  }
};
bar.hidden = true; // that this script was long in coming is over
for (const name of ["pointerdown", "keydown", "click", "offline"])
  addEventListener(name, fetchRest, { capture: true, once: true, passive: true });
if (needed()) fetchRest();
else setTimeout(fetchRest, IDLE);
