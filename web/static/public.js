// The page of a public view shows the next move by itself: it fetches itself again, also from caches.

const EVERY = 2000;

/** Show the new content of the page, if it has changed. */
async function refresh() {
  if (document.hidden) return;
  const response = await fetch(location.href, { credentials: "omit" });
  if (response.status === 410) {
    location.reload();
    return;
  }
  if (!response.ok) return;
  const next = new DOMParser().parseFromString(await response.text(), "text/html").querySelector("main");
  const element = document.querySelector("main");
  if (next && element && next.innerHTML !== element.innerHTML) element.innerHTML = next.innerHTML;
}

setInterval(() => refresh().catch(() => {}), EVERY);
