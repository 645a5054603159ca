// Keeps the files of the site, so the site opens without a network. With a network, files are fetched anew.
"use strict";

const KEPT = "crowd";
const FILES = []; // the playground, the engine and the scripts of all pages, which crowd site fills in

addEventListener("install", (e) => {
  skipWaiting();
  e.waitUntil(keep());
});
addEventListener("activate", (e) => e.waitUntil(clients.claim()));
addEventListener("fetch", (e) => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith(fresh(e.request));
});

// keep keeps FILES and the open pages, which were loaded before this worker could see that.
async function keep() {
  const open = await clients.matchAll({ includeUncontrolled: true, type: "window" });
  const pages = open.map((page) => page.url.replace(/#.*/, "")).filter((url) => url.startsWith(registration.scope));
  await (await caches.open(KEPT)).addAll([...new Set([...FILES.map((file) => new URL(file, registration.scope).href), ...pages])]);
}

async function fresh(request) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (e) {
    const before = await kept.match(request, { ignoreSearch: true });
    if (before) return before;
    throw e;
  }
}
