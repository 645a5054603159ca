// Keeps the files of the site, so the site opens without a network. With a network, files are fetched anew.
"use strict";

const KEPT = "crowd";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (e) => e.waitUntil(clients.claim()));
addEventListener("fetch", (e) => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith(fresh(e.request));
});

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
