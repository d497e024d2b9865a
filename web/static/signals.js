// Whose turn it is, felt or heard, and clocks that run. Loaded only where that is switched on, or can be.
"use strict";

(() => {
  const element = (id) => document.getElementById(id);
  const PATTERN = [90, 60, 90];
  const NOTES = [523, 659];

  // --- the two signals ---------------------------------------------------------------------------------------------

  // A page may sound once it was tapped.
  let audio = null;
  const tapped = () => {
    audio ??= new AudioContext();
    audio.resume().catch(() => {});
  };
  for (const name of ["pointerdown", "keydown"]) addEventListener(name, tapped, { passive: true });

  const sound = () => {
    if (audio?.state !== "running") return;
    NOTES.forEach((pitch, number) => {
      const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
      const begin = audio.currentTime + number * 0.18;
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0, begin);
      loudness.gain.linearRampToValueAtTime(0.12, begin + 0.03);
      loudness.gain.exponentialRampToValueAtTime(0.001, begin + 0.5);
      tone.connect(loudness).connect(audio.destination);
      tone.start(begin);
      tone.stop(begin + 0.5);
    });
  };
  const tell = (on) => {
    if (on.includes("vibration")) navigator.vibrate?.(PATTERN);
    if (on.includes("sound")) sound();
  };

  // --- a turn comes: this phone's own, or on a phone for all one that another phone has brought -----------------------

  let turn = element("turn")?.dataset.turn;
  const turned = (byNews) => {
    const now = element("turn");
    if (!now || now.dataset.turn === turn) return;
    turn = now.dataset.turn;
    const concerns = now.dataset.mine ? now.dataset.mine === "yes" : byNews;
    if (turn && concerns) tell(now.dataset.on.split(" "));
  };
  document.addEventListener("htmx:afterSettle", (event) => {
    turned(event.detail.requestConfig?.news);
    begun();
  });

  // --- clocks ------------------------------------------------------------------------------------------------------

  const shown = (seconds) => {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
    const [hours, minutes, rest] = parts.map((part, number) => (number ? String(part).padStart(2, "0") : part));
    return hours ? `${hours}:${minutes}:${rest}` : `${Number(minutes)}:${rest}`;
  };
  let clock = null;
  let since = 0;
  const begun = () => {
    const running = document.querySelector("#turn .runs .clock");
    if (running === clock) return;
    clock = running;
    since = Date.now() - 1000 * Number(clock?.parentNode.parentNode.dataset.since);
  };
  // As the log is counted, so is this page, however long it is open: a pause is nobody's time.
  setInterval(() => {
    if (!clock?.isConnected) return;
    const now = (Date.now() - since) / 1000;
    const pauses = now <= 0 || now >= Number(clock.parentNode.parentNode.dataset.pause);
    clock.textContent = shown(Number(clock.dataset.seconds) + (pauses ? 0 : now));
  }, 1000);
  begun();

  // --- trying it ---------------------------------------------------------------------------------------------------

  const offered = () => {
    if (element("try-signals")) element("try-signals").hidden = false;
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest("#try-signals")) tell([...document.querySelectorAll("[name=signal]:checked")].map((each) => each.value));
  });
  document.addEventListener("htmx:afterSettle", offered);
  offered();
})();
