// Live curves of what the server measures, over the last two minutes.

import { byId, el, text } from "./dom.js";
import { categoryCss } from "./colours.js";
import { fixed, short, whole } from "./format.js";

const KEEP = 480; // points: two minutes of four a second
const HEIGHT = 120;

export class Curves {
  constructor() {
    this.start = performance.now();
    this.dark = false;
    this.systems = [];
    this.build = -1;
    const box = byId("charts");
    this.charts = [
      new Chart(box, "ns per agent and step, by system", short),
      new Chart(box, "steps a second", short),
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

  // remake makes the charts anew: after another theme, or with other systems.
  remake() {
    const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--faint").trim(), rule = style.getPropertyValue("--rule").trim();
    const one = (i) => [{ label: "", stroke: categoryCss(i, this.dark), width: 1.75, points: { show: false } }];
    const many = this.systems.map((label, i) => ({
      label, stroke: categoryCss(i % 8, this.dark), width: 1.5, points: { show: false }, dash: i >= 8 ? [6, 3] : undefined,
    }));
    this.charts[0].make(many, ink, rule);
    [0, 2, 1, 4].forEach((colour, i) => this.charts[i + 1].make(one(colour), ink, rule));
    const rows = this.systems.map((name, i) => {
      const dot = el("span", { class: i < 8 ? "dot" : "dot again" }); // again: its line is dashed
      dot.style.background = dot.style.borderColor = categoryCss(i % 8, this.dark);
      return el("tr", {}, el("th", { scope: "row" }, dot, name), el("td", {}, "–"));
    });
    rows.push(el("tr", { class: "total" }, el("th", { scope: "row" }, "all"), el("td", {}, "–")));
    byId("systems").tBodies[0].replaceChildren(...rows);
    this.resize();
  }

  // stats adds a point to each curve. frameMs is the page's own.
  stats(s, build, frameMs) {
    const names = s.systems.map((one) => one.name);
    if (names.join() !== this.systems.join()) {
      this.systems = names;
      this.charts[0].clear();
      this.remake();
    }
    if (build !== this.build) for (const chart of this.charts) chart.gap();
    this.build = build;
    const t = (performance.now() - this.start) / 1000, run = !s.paused;
    const all = s.systems.reduce((sum, one) => sum + one.ns, 0);
    this.charts[0].add(t, s.systems.map((one) => run ? one.ns : null), run ? `${short(all)} ns` : "paused");
    this.charts[1].add(t, [s.stepsPerSecond], short(s.stepsPerSecond));
    this.charts[2].add(t, [s.arrived], whole(s.arrived));
    this.charts[3].add(t, [s.collisions], whole(s.collisions));
    this.charts[4].add(t, [frameMs || null], frameMs ? `${fixed(frameMs, 1)} ms` : "idle");
    if (byId("tab-curves").hidden) return;
    this.draw();
    const cells = byId("systems").querySelectorAll("td");
    if (run) s.systems.forEach((one, i) => text(cells[i], fixed(one.ns, 2)));
    if (run) text(cells[s.systems.length], fixed(all, 2));
  }

  draw() {
    if (!byId("tab-curves").hidden) for (const chart of this.charts) chart.draw();
  }

  resize() {
    const width = byId("charts").clientWidth;
    if (width > 0) for (const chart of this.charts) chart.resize(width);
    this.draw();
  }
}

// Chart is one set of axes with its title and newest value.
class Chart {
  constructor(parent, title, format) {
    this.format = format;
    this.value = el("output", {}, "–");
    this.box = el("div", { class: "chart-box" });
    this.data = [[]];
    this.newest = "–";
    parent.append(el("figure", { class: "chart" }, el("figcaption", {}, el("span", {}, title), this.value), this.box));
  }

  make(series, ink, rule) {
    while (this.data.length <= series.length) this.data.push(this.data[0].map(() => null));
    this.data.length = series.length + 1;
    this.plot?.destroy();
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { show: false }, font: "11px system-ui, sans-serif" };
    this.plot = new globalThis.uPlot({
      width: this.box.clientWidth || 300, height: HEIGHT, legend: { show: false },
      cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false }, sync: { key: "crowd" } },
      scales: { x: { time: false }, y: { range: () => this.range() } },
      axes: [
        { ...axis, size: 22, space: 60, values: (u, at) => at.map((v) => `${short(v)} s`) },
        { ...axis, size: 52, gap: 4, space: 28, values: (u, at) => at.map((v) => short(v, 4)) },
      ],
      series: [{}, ...series],
      hooks: { setCursor: [(u) => this.hover(u.cursor.idx)] },
    }, this.data, this.box);
  }

  add(t, values, newest) {
    if (t - this.data[0].at(-1) < 0.1) for (const list of this.data) list.pop(); // two at once
    this.data[0].push(t);
    for (let i = 1; i < this.data.length; i++) this.data[i].push(values[i - 1] ?? null);
    while (this.data[0].length > KEEP) for (const list of this.data) list.shift();
    this.newest = newest;
    if (!this.hovered) text(this.value, newest);
  }

  // gap breaks the curves, where a run ends and the next begins.
  gap() {
    if (this.data[0].length > 0) this.add(this.data[0].at(-1) + 0.1, [], this.newest);
  }

  clear() {
    this.data = [[]];
  }

  // hover shows the value under the cursor instead of the newest.
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
    this.plot?.setData(this.data);
  }

  // range is what the y axis shows: from zero to a little more than the most.
  // A few far above all others, of a moment when the machine was busy with
  // something else, may leave the chart.
  range() {
    const all = [];
    for (let k = 1; k < this.data.length; k++) {
      let most = 0;
      const own = this.data[k].filter((v) => v !== null).sort((a, b) => a - b);
      if (own.length > 0) most = Math.min(own.at(-1), 3 * own[Math.floor(0.9 * (own.length - 1))] || own.at(-1));
      all.push(most);
    }
    const top = Math.max(...all, 0);
    return [0, top > 0 ? top * 1.1 : 1];
  }
}
