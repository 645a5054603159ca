// What passes a line and is in an area lately: the figures of a report, of the time
// between two moments. The server sends what was measured since the start.

const SHORTEST = 1; // s, from the first to the last: a flow of less means nothing

// lineBetween returns the flow (N − 1)/Δt in agents per second, of those from the last
// who passed up to one moment to the last who passed up to the other: 0 if
// nobody passed, null of one alone and of less than a second.
export function lineBetween(from, to) {
  const first = from.passed > 0 ? from.last : to.first, n = to.passed - Math.max(from.passed, 1);
  const flow = to.passed === from.passed ? 0 : n > 0 && to.last - first >= SHORTEST ? n / (to.last - first) : null;
  return { flow, passed: to.passed };
}

// areaBetween returns the density in agents per square meter, mean over the time in
// which anybody was there, 0 if nobody was; and the mean speed, null of nobody.
export function areaBetween(from, to) {
  const time = to.time - from.time, steps = to.steps - from.steps;
  return {
    density: time > 0 ? Math.max(to.density * to.time - from.density * from.time, 0) / time : 0,
    speed: steps > 0 ? Math.max(to.speed * to.steps - from.speed * from.steps, 0) / steps : null,
  };
}

const NO_LINE = { passed: 0, first: 0, last: 0, speed: 0 }, NO_AREA = { steps: 0, time: 0, density: 0, maxDensity: 0, speed: 0 };
const START = { time: 0, lines: [], areas: [] };

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
    this.moments = []; // each with its time, of how many seconds its figures are, lines and areas
  }

  // add takes the figures of a moment, and returns whether they are new. Those of an
  // earlier moment than the last are of another run.
  add({ time, lines, areas }) {
    const last = this.samples.at(-1);
    if (last && (time < last.time || lines.length !== last.lines.length || areas.length !== last.areas.length)) this.clear();
    else if (last && time === last.time) return false;
    const from = this.before(time - this.window);
    this.moments.push({
      time, span: from ? time - from.time : null,
      lines: lines.map((to, i) => from ? lineBetween(from.lines[i] ?? NO_LINE, to) : { flow: null, passed: to.passed }),
      areas: areas.map((to, i) => from ? areaBetween(from.areas[i] ?? NO_AREA, to) : { density: null, speed: null }),
    });
    this.samples.push({ time, lines, areas });
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
