// Keeps the site for use without a network, if the browser supports that.
if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("offline.js", import.meta.url)).catch(() => {});
