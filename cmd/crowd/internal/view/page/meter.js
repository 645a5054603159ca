// How long frames take: the time between two that came, and the work to draw one.

export class Meter {
  constructor() {
    this.frames = 0; // since the last reading
    this.bytes = 0; // of the newest
    this.drawMs = 0; // smoothed
    this.frameMs = 0; // of the last reading, 0: none came
    this.since = performance.now();
  }

  came(bytes) {
    this.frames++;
    this.bytes = bytes;
  }

  drew(ms) {
    this.drawMs += (ms - this.drawMs) * 0.1;
  }

  // read sets frameMs to the mean time between frames since the last reading.
  read() {
    const now = performance.now(), gone = now - this.since;
    if (this.frames === 0 && gone < 1000) return this.frameMs; // slow, perhaps, but not idle yet
    this.frameMs = this.frames > 0 ? gone / this.frames : 0;
    this.since = now;
    this.frames = 0;
    return this.frameMs;
  }
}
