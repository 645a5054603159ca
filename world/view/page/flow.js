// What passes a line and is in an area lately, and how agents move: the figures of a
// report, of the time between two moments. The server sends what was measured since the
// start.

const SHORTEST = 1; // s, from the first to the last: a flow of less means nothing

// lineBetween returns the flow (N − 1)/Δt in agents per second, of those from the last
// who passed up to one moment to the last who passed up to the other: 0 if
// none passed, null of one alone and of less than a second.
export function lineBetween(from, to) {
  const first = from.passed > 0 ? from.last : to.first, n = to.passed - Math.max(from.passed, 1);
  const flow = to.passed === from.passed ? 0 : n > 0 && to.last - first >= SHORTEST ? n / (to.last - first) : null;
  return { flow, passed: to.passed };
}

// meanBetween returns the mean of a figure from one moment to the other, given the means
// since the start and their weights; null without weight.
function meanBetween(from, to, figure, weight) {
  const more = to[weight] - from[weight];
  return more > 0 ? Math.max(to[figure] * to[weight] - from[figure] * from[weight], 0) / more : null;
}

// motionBetween returns how agents moved, each figure null where none did.
export function motionBetween(from, to) {
  return {
    wiggle: meanBetween(from, to, "wiggle", "line"),
    reversals: meanBetween(from, to, "reversals", "seconds"),
    acceleration: meanBetween(from, to, "acceleration", "seconds"),
    turning: meanBetween(from, to, "turning", "turnSeconds"),
  };
}

// areaBetween returns the density in agents per square meter, mean over the time in
// which any agent was there, 0 if none was; and the mean speed, null if none was.
export function areaBetween(from, to) {
  return { density: meanBetween(from, to, "density", "time") ?? 0, speed: meanBetween(from, to, "speed", "steps") };
}

const NO_LINE = { passed: 0, first: 0, last: 0, speed: 0 }, NO_AREA = { steps: 0, time: 0, density: 0, maxDensity: 0, speed: 0 };
const NO_MOTION = { line: 0, wiggle: 0, seconds: 0, reversals: 0, acceleration: 0, turnSeconds: 0, turning: 0 };
const START = { time: 0, lines: [], areas: [], motion: null };

// History keeps what the server measured, and what that means at each moment.
export class History {
  // A figure is of the last window seconds; so many moments are kept.
  constructor(window, keep) {
    this.window = window;
    this.keep = keep;
    this.clear();
  }

  clear() {
    this.samples = []; // what the server sent
    this.moments = []; // each with its time, of how many seconds its figures are, lines, areas and motion
  }

  // add takes the figures of a moment, and returns whether they are new. Those of an
  // earlier moment than the last are of another run.
  add({ time, lines, areas, motion = null }) {
    const last = this.samples.at(-1);
    if (last && (time < last.time || lines.length !== last.lines.length || areas.length !== last.areas.length)) this.clear();
    else if (last && time === last.time) return false;
    const from = this.before(time - this.window);
    this.moments.push({
      time, span: from ? time - from.time : null,
      lines: lines.map((to, i) => from ? lineBetween(from.lines[i] ?? NO_LINE, to) : { flow: null, passed: to.passed }),
      areas: areas.map((to, i) => from ? areaBetween(from.areas[i] ?? NO_AREA, to) : { density: null, speed: null }),
      motion: motion && from ? [motionBetween(from.motion ?? NO_MOTION, motion)] : [],
    });
    this.samples.push({ time, lines, areas, motion });
    while (this.samples.length > this.keep) {
      this.samples.shift();
      this.moments.shift();
    }
    return true;
  }

  // before returns the newest sample up to a time, or else the oldest one. It is the
  // start where the run began later, and undefined where nothing is known so far.
  before(time) {
    if (time <= 0) return START;
    return this.samples.findLast((s) => s.time <= time) ?? this.samples[0];
  }
}
