// Keeps the site for use without a network, if the browser supports that; not at once, because the first picture comes first.
if ("serviceWorker" in navigator) setTimeout(() => navigator.serviceWorker.register(new URL("offline.js", import.meta.url)).catch(() => {}), 4000);
