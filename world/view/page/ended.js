// The card that says that a scene has come to its end: everyone is out.

import { byId, text } from "./dom.js";
import { fixed } from "./format.js";

export class Ended {
  constructor({ restart, next }) {
    byId("ended-restart").onclick = restart;
    byId("ended-next").onclick = next;
  }

  // show shows the card while all agents are out and no viewer has gone on.
  show(stats) {
    const over = stats.out !== null && stats.paused;
    if (over) text(byId("ended-text"), `Everyone is out after ${fixed(stats.out, 1)} s.`);
    byId("ended").hidden = !over;
  }
}
