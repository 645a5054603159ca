// The hint that a crowd is being made, while the one before runs on.

import { byId, text } from "./dom.js";
import { baseName, count } from "./format.js";

const PATIENCE = 0.3; // s that need no hint

export class Starting {
  // show shows what the server tells of it to the viewer with a number.
  show(m, viewer) {
    if (m.over) return this.end();
    const by = m.by === viewer ? "Starting" : `Viewer ${m.by} starts`;
    const what = [m.name && baseName(m.name), m.agents && count(m.agents, "agent")].filter(Boolean).join(", ");
    text(byId("starting-text"), `${by} ${what || "the scene anew"}… ${Math.floor(m.seconds)} s`);
    byId("starting").hidden = m.seconds < PATIENCE;
  }

  end() {
    byId("starting").hidden = true;
  }
}
