// Keeps the site for use without a network, if the browser supports that; not at once, because the first picture comes first.
if ("serviceWorker" in navigator) {
  // The worker keeps what it fetches, and the first page loaded pictures before the worker started.
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    for (const image of document.images) {
      const again = () => fetch(image.src).catch(() => {});
      if (image.complete) again();
      else image.addEventListener("load", again);
    }
  });
  setTimeout(() => navigator.serviceWorker.register(new URL("offline.js", import.meta.url)).catch(() => {}), 4000);
}
