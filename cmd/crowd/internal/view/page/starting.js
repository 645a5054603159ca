// The hint that a scene is being made, for scenes that take a while.

import { byId, text } from "./dom.js";
import { count } from "./format.js";

const PATIENCE = 300; // ms that nobody needs to be told of

export class Starting {
  constructor() {
    this.timer = 0;
  }

  // begin says that a scene starts, unless it is there soon.
  begin(agents) {
    this.end();
    text(byId("starting-text"), `Starting ${count(agents, "agent")}…`);
    this.timer = setTimeout(() => { byId("starting").hidden = false; }, PATIENCE);
  }

  end() {
    clearTimeout(this.timer);
    byId("starting").hidden = true;
  }

  // running ends it when a scene runs on: what another viewer started has failed.
  running() {
    if (!byId("starting").hidden) this.end();
  }
}
