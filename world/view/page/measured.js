// Live curves of measurement lines, areas and motion, over the time of the scene.

import { categoryCss } from "./colors.js";
import { Chart } from "./curves.js";
import { byId, el, text } from "./dom.js";
import { History } from "./flow.js";
import { fixed, short, unitsOf, whole } from "./format.js";
import { marksOf } from "./measurements.js";

const WINDOW = 5; // s of scene time, over which a metric is taken
const KEEP = 480; // moments kept; there are four a second

// FIGURES describes the charts: the kind of mark, the metric and its unit, additional text, the smallest possible
// value (by default 0), and the number of decimals (by default 2).
const FIGURES = [
  { of: "lines", key: "flow", unit: (m, s) => `agents/${s}`, more: (v) => `${whole(v.passed)} passed` },
  { of: "areas", key: "density", unit: (m) => `agents/${m}²` },
  { of: "areas", key: "speed", unit: (m, s) => `${m}/${s}` },
  { of: "motion", key: "wiggle", unit: () => "", least: 1, decimals: 3 },
  { of: "motion", key: "reversals", unit: (m, s) => `1/${s}` },
  { of: "motion", key: "acceleration", unit: (m, s) => `${m}/${s}²` },
  { of: "motion", key: "turning", unit: (m, s) => `°/${s}`, decimals: 1 },
];

export class Measured {
  constructor() {
    this.history = new History(WINDOW, KEEP);
    this.scene = null;
    this.shown = { marks: false, motion: false };
    this.dark = false;
    this.charts = [];
    new ResizeObserver(() => this.resize()).observe(byId("measured"));
  }

  setTheme(dark) {
    this.dark = dark;
    this.make();
  }

  make(scene = this.scene) {
    this.scene = scene;
    for (const chart of this.charts) chart.plot?.destroy();
    byId("measured").replaceChildren();
    if (!scene) return;
    const style = getComputedStyle(document.documentElement), color = (name) => style.getPropertyValue(name).trim();
    const all = this.shown.marks ? marksOf(scene, this.dark) : [];
    const marks = {
      lines: all.filter((m) => m.kind === "line"), areas: all.filter((m) => m.kind === "area"),
      motion: this.shown.motion ? [{ name: "All agents", color: categoryCss(0, this.dark) }] : [],
    };
    const { length: meter, time: second, times: seconds } = unitsOf(scene);
    this.charts = FIGURES.filter(({ of }) => marks[of].length > 0).map((figure) => {
      const people = figure.of === "motion" && scene.recorded?.[figure.key];
      const chart = new MeasuredChart(byId("measured"), {
        decimals: 2, ...figure, unit: figure.unit(meter, second), people, seconds,
      }, marks[figure.of], (i) => this.hover(i));
      chart.start(color("--faint"), color("--rule"));
      return chart;
    });
    this.update();
  }

  // stats adds metrics from the server. Another build means another run.
  stats(m, scene) {
    if (!scene) return;
    const other = scene.build !== this.scene?.build;
    if (other) this.history.clear();
    const some = scene.lines.length + scene.areas.length > 0;
    const missing = m.lines.length !== scene.lines.length || m.areas.length !== scene.areas.length;
    const marks = some && !missing, motion = m.motion !== null;
    const changed = marks !== this.shown.marks || motion !== this.shown.motion;
    this.shown = { marks, motion };
    if (other || changed || String([scene.lines, scene.areas]) !== String([this.scene.lines, this.scene.areas])) this.make(scene);
    byId("measured").hidden = !marks && !motion;
    byId("not-measured").hidden = marks;
    text(byId("not-measured"), some ? "The lines and areas of this scene are not measured here." :
      "A scene with lines or areas has curves of flow, density and speed: lines = [{from = [x, y], to = [x, y]}], areas = [[[x, y], [x, y]]] in its file.");
    if ((marks || motion) && this.history.add(m)) this.update();
  }

  // update draws the charts while they are visible.
  update() {
    if (byId("tab-curves").hidden) return;
    for (const chart of this.charts) {
      chart.show(this.history.moments);
      chart.draw();
    }
  }

  // hover shows the metrics of the moment under the cursor, in all charts.
  hover(i) {
    for (const chart of this.charts) chart.write(i);
  }

  resize() {
    const width = byId("measured").clientWidth;
    if (width === 0) return;
    for (const chart of this.charts) chart.resize(width);
    this.update();
  }
}

// MeasuredChart shows a curve for each line, for each area, or for all agents, with the values below.
class MeasuredChart extends Chart {
  constructor(parent, figure, marks, hovered) {
    super(parent, figure.unit ? `${figure.key}, ${figure.unit}` : figure.key, (v) => short(v));
    Object.assign(this, { figure, marks, onHover: hovered, moments: [] });
    this.values = marks.map(() => el("b", {}, "–"));
    this.box.after(el("ul", { class: "measured" }, ...marks.map((m, i) => {
      const dot = el("span", { class: "dot" });
      dot.style.background = m.color;
      return el("li", {}, dot, `${m.name} `, this.values[i]);
    }), figure.people ? el("li", {}, `Recorded people ${figure.people}`) : ""));
  }

  start(ink, rule) {
    this.make(this.marks.length, this.marks.map((m) => ({ label: "", stroke: m.color, width: 1.75, points: { show: false } })), ink, rule, "measured");
  }

  show(moments) {
    const { of, key } = this.figure;
    this.moments = moments;
    this.data = [moments.map((m) => m.time), ...this.marks.map((_, i) => moments.map((m) => m[of][i]?.[key] ?? null))];
    if (!this.pointed) this.write(null);
  }

  hover(i) {
    this.onHover(i ?? null);
  }

  // write writes the values of a moment; null means the newest moment.
  write(i) {
    this.pointed = i !== null;
    const { of, key, unit, more, seconds, decimals } = this.figure, moment = this.moments[i] ?? this.moments.at(-1);
    const { time, span } = moment ?? {};
    text(this.value, this.pointed && moment ? `at ${fixed(time, 1)} ${seconds}` : span > 0 ? `last ${fixed(span, span < 1 ? 1 : 0)} ${seconds}` : "–");
    this.values.forEach((cell, k) => {
      const v = moment?.[of][k];
      text(cell, !v ? "–" : `${v[key] === null ? "–" : `${fixed(v[key], decimals)} ${unit}`}${more ? `, ${more(v)}` : ""}`);
    });
  }

  // range returns a range of the y axis that starts at the smallest possible value of the metric.
  range() {
    const { least = 0 } = this.figure;
    return [least, Math.max(super.range()[1], least * 1.1)];
  }
}
