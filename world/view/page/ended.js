// The card at the end of a scene, when all agents have left.

import { byId, text } from "./dom.js";
import { fixed } from "./format.js";

export class Ended {
  constructor({ restart, next }) {
    byId("ended-restart").onclick = restart;
    byId("ended-next").onclick = next;
  }

  // show shows the card while all agents are out and the scene is paused.
  show(stats) {
    const over = stats.out !== null && stats.paused;
    if (over) text(byId("ended-text"), `Everyone is out after ${fixed(stats.out, 1)} s.`);
    byId("ended").hidden = !over;
  }
}
