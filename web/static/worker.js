// The service worker: without a connection it shows one page of ours instead of the browser's own. It keeps that page and
// the files that it names, at the addresses that change with them, and nothing of a table.
"use strict";

const PAGE = new URL(new URL(location.href).searchParams.get("page"), location.origin);
const OURS = "bastide ";
const KEPT = OURS + PAGE.pathname + PAGE.search;
const FILES = /"([^"\s]+\/assets\/[^"\s]+)"|"(\/assets\/[^"\s]+)"/g;

const install = async () => {
  if (PAGE.origin !== location.origin) throw new Error("not a page of ours");
  const page = await fetch(PAGE);
  if (!page.ok) throw new Error(`no page: ${page.status}`);
  const files = [...(await page.clone().text()).matchAll(FILES)].map(([, longer, plain]) => longer ?? plain);
  const kept = await caches.open(KEPT);
  await kept.addAll([...new Set(files)]);
  await kept.put(PAGE, page);
};

// Files of another release have other addresses, so a new worker can take over at once.
const activate = async () => {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OURS) && name !== KEPT).map((name) => caches.delete(name)));
  await clients.claim();
};

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(install());
});
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.match(PAGE, { ignoreVary: true })));
  else if (request.url.includes("/assets/")) event.respondWith(caches.match(request, { ignoreVary: true }).then((kept) => kept ?? fetch(request)));
});
