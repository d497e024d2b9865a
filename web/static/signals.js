// Announces turns by vibration or sound, and runs the clocks. Loaded only where these are switched on, or can be.
import { element, pageData } from "./page_data.js";

const PATTERN = [90, 60, 90];
const NOTES = [523, 659];

// --- the two signals ---------------------------------------------------------------------------------------------

// A page may play sounds after its first tap.
/** @type {AudioContext | null} */
let audio = null;
const tapped = () => {
  audio ??= new AudioContext();
  audio.resume().catch(() => {});
};
for (const name of ["pointerdown", "keydown"]) addEventListener(name, tapped, { passive: true });

const sound = () => {
  if (audio?.state !== "running") return;
  for (const [number, pitch] of NOTES.entries()) {
    const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
    const begin = audio.currentTime + number * 0.18;
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0, begin);
    loudness.gain.linearRampToValueAtTime(0.12, begin + 0.03);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + 0.5);
    tone.connect(loudness).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.5);
  }
};
/** @param {string[]} on */
const tell = (on) => {
  if (on.includes("vibration")) navigator.vibrate?.(PATTERN);
  if (on.includes("sound")) sound();
};

// --- a new turn: this phone's own, or, on a phone for all players, one that another phone has started --------------

let turn = pageData().signals?.seat;
/** @param {boolean | undefined} byNews */
const turned = (byNews) => {
  const { signals } = pageData();
  if (!signals || signals.seat === turn) return;
  turn = signals.seat;
  if (turn && (signals.mine ?? byNews)) tell(signals.on);
};
document.addEventListener("htmx:afterSettle", (event) => {
  turned(event.detail.requestConfig?.news);
  begin();
});

// --- clocks ------------------------------------------------------------------------------------------------------

/** @param {number} seconds */
const shown = (seconds) => {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
  const [hours, minutes, rest] = parts.map((part, number) => (number ? String(part).padStart(2, "0") : part));
  return hours ? `${hours}:${minutes}:${rest}` : `${Number(minutes)}:${rest}`;
};
/** The running clock. @type {HTMLElement | null} */
let clock = null;
let since = 0; // when the last entry was made
let spent = 0; // what the clock showed then
let pause = 0;
const begin = () => {
  const [running, { signals }] = [element("clock"), pageData()];
  if (running === clock || !signals) return;
  clock = running;
  since = Date.now() - 1000 * signals.since;
  spent = signals.spent ?? 0;
  pause = signals.pause;
};
// This page counts like the log, however long it is open: a pause is nobody's time.
setInterval(() => {
  if (!clock?.isConnected) return;
  const now = (Date.now() - since) / 1000;
  const pauses = now <= 0 || now >= pause;
  clock.textContent = shown(spent + (pauses ? 0 : now));
}, 1000);
begin();

// --- a button to try the signals -----------------------------------------------------------------------------------

const offer = () => {
  const button = element("try-signals");
  if (button) button.hidden = false;
};
document.addEventListener("click", (event) => {
  /** @type {NodeListOf<HTMLInputElement>} */
  const chosen = document.querySelectorAll("[name=signal]:checked");
  if (element("try-signals")?.contains(/** @type {Node} */ (event.target))) tell([...chosen].map((each) => each.value));
});
document.addEventListener("htmx:afterSettle", offer);
offer();
