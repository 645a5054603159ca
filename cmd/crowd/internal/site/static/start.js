import { placeOf } from "./play/page/scenes.js";

// Keeps the site for when there is no network, where the browser allows it.
if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("offline.js", import.meta.url)).catch(() => {});

for (const picture of document.querySelectorAll("[data-scene]")) picture.style.backgroundPosition = placeOf(picture.dataset.scene);
