import { placeOf } from "./play/page/scenes.js";

for (const picture of document.querySelectorAll("[data-scene]")) picture.style.backgroundPosition = placeOf(picture.dataset.scene);
