// Recent metrics of lines, areas and motion. The server sends metrics since the start. From these, this
// module computes the metrics between two moments.

const SHORTEST = 1; // s, shortest time between passages for a meaningful flow

// lineBetween returns the number of passages since the start, and the flow between two moments in agents
// per second. It is (N − 1)/Δt, where N counts the passages between the moments and the last one before them, and
// Δt is the time from the first of these to the last. The flow is 0 without new passages, and otherwise null if N
// is 1 or Δt is below a second.
export function lineBetween(from, to) {
  const first = from.passed > 0 ? from.last : to.first, n = to.passed - Math.max(from.passed, 1);
  const flow = to.passed === from.passed ? 0 : n > 0 && to.last - first >= SHORTEST ? n / (to.last - first) : null;
  return { flow, passed: to.passed };
}

// meanBetween returns the mean of a metric between two moments, computed from the means since the
// start and their weights. It returns null if no weight was added.
function meanBetween(from, to, figure, weight) {
  const more = to[weight] - from[weight];
  return more > 0 ? Math.max(to[figure] * to[weight] - from[figure] * from[weight], 0) / more : null;
}

// motionBetween returns the metrics of motion between two moments. They are null without motion.
export function motionBetween(from, to) {
  return {
    wiggle: meanBetween(from, to, "wiggle", "line"),
    reversals: meanBetween(from, to, "reversals", "seconds"),
    acceleration: meanBetween(from, to, "acceleration", "seconds"),
    turning: meanBetween(from, to, "turning", "turnSeconds"),
  };
}

// areaBetween returns the density in agents per square meter, averaged over the time with at least one agent,
// and the mean speed between two moments. Without agents, they are 0 and null.
export function areaBetween(from, to) {
  return { density: meanBetween(from, to, "density", "time") ?? 0, speed: meanBetween(from, to, "speed", "steps") };
}

const NO_LINE = { passed: 0, first: 0, last: 0, speed: 0 }, NO_AREA = { steps: 0, time: 0, density: 0, maxDensity: 0, speed: 0 };
const NO_MOTION = { line: 0, wiggle: 0, seconds: 0, reversals: 0, acceleration: 0, turnSeconds: 0, turning: 0 };
const START = { time: 0, lines: [], areas: [], motion: null };

// History keeps the server's metrics, and the recent metrics at each moment.
export class History {
  // window is the time span of a metric in seconds, and keep is the number of moments to keep.
  constructor(window, keep) {
    this.window = window;
    this.keep = keep;
    this.clear();
  }

  clear() {
    this.samples = []; // metrics since the start, from the server
    this.moments = []; // each with time, span in seconds, lines, areas and motion
  }

  // add adds the metrics of a moment, and reports whether they are new. A time before the last one, or
  // another number of lines or areas, means another run.
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

  // before returns the newest sample up to a time, or the oldest sample if all are later. For times
  // up to 0, it returns the start. It returns undefined without samples.
  before(time) {
    if (time <= 0) return START;
    return this.samples.findLast((s) => s.time <= time) ?? this.samples[0];
  }
}
