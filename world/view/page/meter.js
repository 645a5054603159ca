// Measures the time between frames, and the time to draw a frame.

import { bytes, count, fixed, whole } from "./format.js";

const QUIET = 1000; // ms without a frame after which a paused scene counts as idle

export class Meter {
  constructor(now = performance.now()) {
    this.frames = 0; // since the last reading
    this.bytes = 0; // size of the newest frame
    this.drawMs = 0; // smoothed
    this.frameMs = 0; // at the last reading; 0 means idle
    this.since = now;
  }

  came(bytes) {
    this.frames++;
    this.bytes = bytes;
  }

  drew(ms) {
    this.drawMs += (ms - this.drawMs) * 0.1;
  }

  // read returns frameMs, the mean time between frames since the last reading. If no frame comes, frameMs grows
  // while a scene runs, and drops to 0 after a second while the scene is paused.
  read(paused, now = performance.now()) {
    const gone = now - this.since;
    if (this.frames > 0) this.frameMs = gone / this.frames;
    else if (!paused) return this.frameMs = Math.max(this.frameMs, gone);
    else if (gone < QUIET) return this.frameMs;
    else this.frameMs = 0;
    this.since = now;
    this.frames = 0;
    return this.frameMs;
  }

  // words returns the reading as text, with the number n of agents in view, the number of all agents, and
  // the number of dots if that is known.
  words(n, agents, dots) {
    const { frameMs: ms } = this;
    const rate = ms >= 1000 ? `${fixed(ms / 1000, 1)} s per frame` : ms > 0 ? `${whole(1000 / ms)} fps` : "idle";
    return [`${whole(n)} of ${count(agents, "agent")}${dots && dots.dots < n ? ` on ${count(dots.dots, "dot")}` : ""}`, rate, `${fixed(this.drawMs, 1)} ms to draw`, bytes(this.bytes)].join(" · ");
  }
}
