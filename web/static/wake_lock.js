// Keeps the screen on at a table.

const awake = async () => {
  if (document.visibilityState !== "visible") return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // A phone that saves its battery refuses.
  }
};
document.addEventListener("visibilitychange", awake);
awake();
