// The service worker: without a connection it shows our offline page instead of the browser's. It caches that page and
// the files that it names, whose addresses change with their content, and nothing of a table.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const PAGE = new URL(new URL(location.href).searchParams.get("page") ?? "", location.origin);
const OURS = "bastide ";
const KEPT = OURS + PAGE.pathname + PAGE.search;
const FILES = /"([^"\s]+\/assets\/[^"\s]+)"|"(\/assets\/[^"\s]+)"/g;

const install = async () => {
  if (PAGE.origin !== location.origin) throw new Error("not a page of ours");
  const answer = await fetch(PAGE);
  if (!answer.ok) throw new Error(`no page: ${answer.status}`);
  const files = [...(await answer.clone().text()).matchAll(FILES)].map(([, longer, plain]) => longer ?? plain);
  const kept = await caches.open(KEPT);
  await kept.addAll([...new Set(files)]);
  await kept.put(PAGE, answer);
};

// Files of another release have other addresses, so a new worker can take over at once.
const activate = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== KEPT).map((name) => caches.delete(name)));
  await worker.clients.claim();
};

const page = async () => (await caches.match(PAGE, { ignoreVary: true })) ?? Response.error();
/** @param {Request} request */
const file = async (request) => (await caches.match(request, { ignoreVary: true })) ?? fetch(request);

worker.addEventListener("install", (event) => {
  worker.skipWaiting();
  event.waitUntil(install());
});
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(page));
  else if (request.url.includes("/assets/")) event.respondWith(file(request));
});
