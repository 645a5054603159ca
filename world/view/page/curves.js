// Live curves of the server's statistics over the last two minutes.

import { byId, el, text } from "./dom.js";
import { categoryCss } from "./colors.js";
import { fixed, short, whole } from "./format.js";

const KEEP = 480; // points: four a second for two minutes
const HEIGHT = 120;
const LINES = 6; // systems with a line of their own, if there are more than LINES + 1 systems; the others share one

export class Curves {
  constructor() {
    this.start = performance.now();
    this.dark = false;
    this.systems = [];
    this.shown = []; // systems with lines, in the order of the colors
    this.build = -1;
    const box = byId("charts");
    this.inside = new Chart(byId("inside"), "agents inside", whole);
    this.charts = [
      new Chart(box, "ns per agent per step, by system", short, (data) => this.lines(data)),
      new Chart(box, "steps per second", short),
      new Chart(box, "arrived", whole),
      new Chart(box, "collisions", whole),
      new Chart(box, "ms between frames", (v) => fixed(v, 1)),
    ];
    new ResizeObserver(() => this.resize()).observe(box);
  }

  setTheme(dark) {
    this.dark = dark;
    this.remake();
  }

  // remake makes all charts again, for another theme or other systems.
  remake() {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--faint").trim(), rule = style.getPropertyValue("--rule").trim();
    const line = (color, width = 1.75) => ({ label: "", stroke: color, width, points: { show: false } });
    const some = this.systems.length, many = some > LINES + 1;
    const lines = Array.from({ length: many ? LINES : some }, (_, i) => line(categoryCss(i, this.dark), 1.5));
    if (many) lines.push({ ...line(ink, 1.5), dash: [5, 3] });
    this.charts[0].make(some, lines, ink, rule);
    this.inside.make(1, [line(categoryCss(0, this.dark))], ink, rule);
    [0, 2, 1, 4].forEach((color, i) => this.charts[i + 1].make(1, [line(categoryCss(color, this.dark))], ink, rule));
    this.dots = this.systems.map(() => el("span", { class: "dot" }));
    const rows = this.systems.map((name, i) => el("tr", {}, el("th", { scope: "row" }, this.dots[i], name), el("td", {}, "–")));
    rows.push(el("tr", { class: "total" }, el("th", { scope: "row" }, "all"), el("td", {}, "–")));
    byId("systems").tBodies[0].replaceChildren(...rows);
    byId("others").hidden = !many;
    this.shown = [];
    this.resize();
  }

  // lines returns the lines for the systems: one line for each of the largest, and one for the sum
  // of the others. It gives the dots in the table the colors of the lines.
  lines([times, ...systems]) {
    if (systems.length === 0) return [times];
    const sums = systems.map((list) => list.reduce((sum, v) => sum + v, 0));
    const places = systems.length > LINES + 1 ? LINES : systems.length;
    this.shown = places < systems.length ? largest(sums, places, this.shown) : systems.map((_, i) => i);
    this.dots.forEach((dot, i) => {
      const place = this.shown.indexOf(i);
      dot.classList.toggle("other", place < 0);
      dot.style.background = place < 0 ? "" : categoryCss(place, this.dark);
    });
    const lines = [times, ...this.shown.map((i) => systems[i])];
    if (places === systems.length) return lines;
    const others = systems.filter((_, i) => !this.shown.includes(i));
    return [...lines, times.map((_, k) => others.every((list) => list[k] === null) ? null : others.reduce((sum, list) => sum + list[k], 0))];
  }

  // stats adds a point to each curve. The page measures frameMs.
  stats(s, build, frameMs) {
    const names = s.systems.map((one) => one.name);
    if (names.join() !== this.systems.join()) {
      this.systems = names;
      this.charts[0].clear();
      this.remake();
    }
    if (build !== this.build) for (const chart of [this.inside, ...this.charts]) chart.gap();
    this.build = build;
    const t = (performance.now() - this.start) / 1000, run = !s.paused;
    this.inside.add(t, [s.agents], whole(s.agents));
    const all = s.systems.reduce((sum, one) => sum + one.ns, 0);
    this.charts[0].add(t, s.systems.map((one) => run ? one.ns : null), run ? `${short(all)} ns` : "paused");
    this.charts[1].add(t, [s.stepsPerSecond], short(s.stepsPerSecond));
    this.charts[2].add(t, [s.arrived], whole(s.arrived));
    this.charts[3].add(t, [s.collisions], s.collisions === null ? "not counted" : whole(s.collisions));
    this.charts[4].add(t, [frameMs || null], frameMs ? `${fixed(frameMs, 1)} ms` : "idle");
    if (byId("tab-curves").hidden) return;
    this.draw();
    const cells = byId("systems").querySelectorAll("td");
    if (run) s.systems.forEach((one, i) => text(cells[i], fixed(one.ns, 2)));
    if (run) text(cells[s.systems.length], fixed(all, 2));
  }

  draw() {
    if (!byId("tab-curves").hidden) for (const chart of [this.inside, ...this.charts]) chart.draw();
  }

  resize() {
    const width = byId("charts").clientWidth;
    if (width > 0) for (const chart of [this.inside, ...this.charts]) chart.resize(width);
    this.draw();
  }
}

// Chart is a chart with a title and its newest value.
export class Chart {
  // view converts the data to the lines to draw.
  constructor(parent, title, format, view = (data) => data) {
    this.format = format;
    this.view = view;
    this.value = el("output", {}, "–");
    this.box = el("div", { class: "chart-box" });
    this.data = [[]];
    this.newest = "–";
    parent.append(el("figure", { class: "chart" }, el("figcaption", {}, el("span", {}, title), this.value), this.box));
  }

  // make creates the plot. lists is the number of data lists, and lines are the styles of the lines
  // drawn. Charts with the same key share a cursor.
  make(lists, lines, ink, rule, key = "crowd") {
    while (this.data.length <= lists) this.data.push(this.data[0].map(() => null));
    this.data.length = lists + 1;
    this.plot?.destroy();
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    this.plot = new globalThis.uPlot({
      width: this.box.clientWidth || 300, height: HEIGHT, legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false }, sync: { key } },
      scales: { x: { time: false }, y: { range: () => this.range() } },
      axes: [
        { ...axis, size: 22, space: 60, values: (u, at) => at.map((v) => `${short(v)} s`) },
        { ...axis, size: 52, gap: 4, space: 28, values: (u, at) => at.map((v) => short(v, 4)) },
      ],
      series: [{}, ...lines],
      hooks: { setCursor: [(u) => this.hover(u.cursor.idx)] },
    }, [[], ...lines.map(() => [])], this.box);
  }

  add(t, values, newest) {
    if (t - this.data[0].at(-1) < 0.1) for (const list of this.data) list.pop(); // replace a point of almost the same time
    this.data[0].push(t);
    for (let i = 1; i < this.data.length; i++) this.data[i].push(values[i - 1] ?? null);
    while (this.data[0].length > KEEP) for (const list of this.data) list.shift();
    this.newest = newest;
    if (!this.hovered) text(this.value, newest);
  }

  // gap breaks the curves between two runs.
  gap() {
    if (this.data[0].length > 0) this.add(this.data[0].at(-1) + 0.1, [], this.newest);
  }

  clear() {
    this.data = [[]];
  }

  // hover shows the sum of the values under the cursor instead of the newest value.
  hover(i) {
    this.hovered = i !== null && i !== undefined;
    if (!this.hovered) return text(this.value, this.newest);
    let sum = 0;
    for (let k = 1; k < this.data.length; k++) sum += this.data[k][i] ?? 0;
    text(this.value, `${this.format(sum)} at ${short(this.data[0][i])} s`);
  }

  resize(width) {
    if (this.plot && this.plot.width !== width) this.plot.setSize({ width, height: HEIGHT });
  }

  draw() {
    this.plot?.setData(this.drawn = this.view(this.data));
  }

  // range returns the range of the y axis: from zero to a little more than the largest value.
  range() {
    const most = Math.max(0, ...(this.drawn?.slice(1) ?? []).map(top));
    return [0, most > 0 ? most * 1.1 : 1];
  }
}

const KEEPS = 1.25; // another curve replaces a shown one if its sum is larger by this factor

// largest returns the indexes of the largest sums, for the given number of places. A curve keeps its place, and so
// its color, unless another curve is clearly larger.
export function largest(sums, places, before = []) {
  const had = new Set(before), weight = (i) => sums[i] * (had.has(i) ? KEEPS : 1);
  const chosen = new Set(sums.map((_, i) => i).sort((a, b) => weight(b) - weight(a) || a - b).slice(0, places));
  const kept = Array.from({ length: Math.min(places, sums.length) }, (_, k) => chosen.has(before[k]) ? before[k] : -1);
  const others = [...chosen].filter((i) => !kept.includes(i));
  return kept.map((i) => i < 0 ? others.shift() : i);
}

const ALONE = 3; // limit for a peak, in multiples of its larger neighbor

// top returns the largest value of a list, in which null means no value. A single peak counts only
// up to a limit, so a moment when the machine was busy does not flatten the rest of the curve.
export function top(list) {
  let most = 0;
  for (let i = 0; i < list.length; i++) {
    const beside = Math.max(list[i - 1] ?? 0, list[i + 1] ?? 0);
    most = Math.max(most, beside > 0 ? Math.min(list[i], ALONE * beside) : list[i]);
  }
  return most;
}
