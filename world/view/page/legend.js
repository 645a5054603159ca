// The legend: the meaning of colors, shapes and layers, and their switches.

import { byId, el, text } from "./dom.js";
import { categoryCss, colorCss, COLORINGS } from "./colors.js";
import { heatCss } from "./heat.js";
import { everyOf, stopsOf } from "./walking.js";
import { baseName, short, unitsOf, whole } from "./format.js";

// LAYERS are the optional layers: name, label, help, key. Frames contain those that protocol.js lists.
export const LAYERS = [
  ["targets", "targets", "targets of agents", "1"],
  ["threats", "threats", "obstacles that agents would hit, and where", "2"],
  ["steering", "steering", "steering forces of agents", "3"],
  ["cells", "index cells", "cells of the obstacle index, shaded by their number of obstacles", "4"],
  ["neighbors", "neighbors", "lines from each agent to the ten nearest agents that it sees, for up to 2,000 agents; for the selected agent, the reach of each behavior and the agents that it sees", "n"],
  ["velocities", "velocities", "velocity obstacles of the selected agent, and the velocity that it chooses", "m"],
  ["trails", "trails", "positions of agents in the last few seconds, since the layer was switched on", "t"],
  ["heat", "density map", "agents per square meter, each spread over a bell curve", "h"],
  ["field", "walking distance", "walking distance to the goal around obstacles, for agents that follow a field", "9"],
  ["contours", "contours", "lines of equal walking distance to the goal", "i"],
  ["routes", "routes", "paths of agents on routes, and the path and corridor of the selected agent", "y"],
  ["beside", "recorded people", "recorded people, at the time of the scene", "b"],
  ["obstacles", "obstacles", "circles, walls, polygons, doors, portals and zones", "5"],
  ["paths", "paths", "paths that agents follow", "6"],
  ["measurements", "lines, areas", "lines that count passages, and areas that measure density and speed", "a"],
  ["box", "scene box", "the box of the scene", "7"],
  ["grid", "grid", "grid lines at round distances", "8"],
];

const TITLES = {
  speed: "Speed", behavior: "Behavior", threat: "Threat", heading: "Heading", archetype: "Archetype", density: "Density", contact: "Contact", group: "Group",
};

export class Legend {
  // on holds the callbacks coloring(name), layer(name, on) and toggled().
  constructor(on) {
    this.scale = byId("legend-scale");
    this.map = byId("legend-map");
    this.walk = byId("legend-walk");
    this.top = NaN;
    this.coloring = byId("color");
    for (const name of COLORINGS) this.coloring.append(el("option", { value: name }, TITLES[name]));
    this.coloring.onchange = () => on.coloring(this.coloring.value);
    this.boxes = {};
    for (const [name, label, help, key] of LAYERS) {
      const box = this.boxes[name] = el("input", { type: "checkbox", data: { layer: name } });
      box.onchange = () => on.layer(name, box.checked);
      byId("layers").append(el("label", { class: "layer", title: help },
        box, el("span", { class: `swatch ${name}`, "aria-hidden": "true" }), el("span", {}, label), el("kbd", {}, key.toUpperCase())));
    }
    this.on = on;
    this.isOpen = true;
    byId("legend-toggle").onclick = () => this.toggle();
    this.toggle(false);
  }

  toggle(open = !this.isOpen) {
    this.isOpen = open;
    byId("legend").classList.toggle("closed", !open);
    byId("legend-toggle").setAttribute("aria-expanded", String(open));
    this.on.toggled();
  }

  // height returns the height of the closed legend, in pixels.
  get height() {
    const last = [this.walk, this.map, this.scale].find((part) => !part.hidden);
    return last.offsetTop + last.offsetHeight + 8;
  }

  layers(show) {
    for (const [name, box] of Object.entries(this.boxes)) box.checked = show[name];
  }

  // beside shows the number of people in the second crowd, if the scene has one.
  beside(scene, stats) {
    const has = !!scene?.beside;
    this.boxes.beside.parentElement.hidden = byId("beside").hidden = !has;
    if (!has) return;
    text(byId("beside-words"), wordsOf(scene, stats));
    byId("beside").title = baseName(scene.beside.name);
  }

  // cut shows whether a layer is incomplete.
  cut(on) {
    byId("cut").hidden = !on;
  }

  // show explains a coloring. top is the top of the speed scale.
  show(coloring, scene, dark, top) {
    const key = `${coloring} ${scene?.build} ${scene?.archetypes.join()} ${dark} ${top}`;
    if (key === this.key) return;
    this.key = key;
    this.coloring.value = coloring;
    this.scale.replaceChildren();
    if (!scene) return;
    switch (coloring) {
      case "speed": return this.ramp(coloring, dark, 0, ticks(top), unitsOf(scene).speed);
      case "threat":
        this.names([["no threat", colorCss("threat", 0, dark)]]);
        return this.ramp(coloring, dark, 1, [[0, "far"], [1, "touching"]], "");
      case "contact":
        this.names([["no contact", colorCss("contact", 0, dark)]]);
        return this.ramp(coloring, dark, 1, [[0, "touching"], [1, "half a body deep"]], "");
      case "density":
        return this.ramp(coloring, dark, 0, ticks(scene.crowding.top), `agents/${scene.unit}² within ${short(scene.crowding.radius)} ${scene.unit}`);
      case "heading": return this.wheel(dark);
      case "group": return this.names(scene.groups.length ? scene.groups.map((g, i) => [g.name || `group ${i + 1}`, categoryCss(i, dark)]) : [["all", categoryCss(0, dark)]]);
      case "behavior": return this.names(scene.behaviors.map((name, i) => [name, categoryCss(i, dark)]));
      default: return this.names(scene.archetypes.map((name, i) => [name || "nothing more", categoryCss(i, dark)]));
    }
  }

  ramp(coloring, dark, from, marks, unit) {
    this.bar(this.scale, Array.from({ length: 17 }, (_, i) => colorCss(coloring, Math.round(from + (255 - from) * i / 16), dark)), marks, unit);
  }

  // heat explains the density map while it is shown: the top of its scale, and the standard deviation of the bell.
  heat(on, top, spread, unit, dark) {
    const key = on && `${top} ${spread} ${unit} ${dark}`;
    if (key === this.heatKey) return;
    this.heatKey = key;
    this.reveal(this.map, on);
    this.map.replaceChildren(el("div", { class: "map-title" }, "Density map"));
    if (on) this.bar(this.map, Array.from({ length: 17 }, (_, i) => heatCss(Math.round(255 * i / 16), dark)), ticks(top), `agents/${unit}², σ = ${short(spread)} ${unit}`);
  }

  // field explains the walking distances while they are shown.
  field(on, field, scene, dark) {
    const key = on && `${field?.index} ${field?.top} ${field?.columns} ${scene.build} ${dark}`;
    if (key === this.walkKey) return;
    this.walkKey = key;
    this.reveal(this.walk, on);
    this.walk.replaceChildren(el("div", { class: "map-title" }, "Walking distance"));
    if (!on) return;
    if (!field?.columns) {
      const why = scene.fields > 0 ? "being computed" : 'no agent follows a field here: see way = "field" in a scene file';
      this.walk.append(el("div", { class: "ramp-unit" }, why));
      return;
    }
    this.bar(this.walk, stopsOf(dark), ticks(field.top), `${scene.unit}, contours every ${short(everyOf(field.top))} ${scene.unit}`);
    if (scene.fields > 1) this.walk.append(el("div", { class: "ramp-unit" }, `field ${field.index + 1} of ${scene.fields}`));
  }

  // reveal shows or hides a part, which changes the height of the legend.
  reveal(part, on) {
    if (part.hidden === !!on) queueMicrotask(this.on.toggled); // after the part is filled
    part.hidden = !on;
  }

  bar(into, stops, marks, unit) {
    const bar = el("div", { class: "ramp" });
    bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
    const labels = el("div", { class: "ramp-labels" }, ...marks.map(([at, label]) => {
      const e = el("span", {}, label);
      e.style.left = `${at * 100}%`;
      if (at < 0.02) e.className = "first";
      if (at > 0.98) e.className = "last";
      return e;
    }));
    into.append(bar, labels);
    if (unit) into.append(el("div", { class: "ramp-unit" }, unit));
  }

  wheel(dark) {
    const stops = Array.from({ length: 33 }, (_, i) => colorCss("heading", (256 - i * 8) % 256, dark)); // clockwise
    const disc = el("div", { class: "wheel" });
    disc.style.background = `conic-gradient(from 90deg, ${stops.join(", ")})`;
    this.scale.append(el("div", { class: "wheel-box" }, disc,
      ...["→", "↑", "←", "↓"].map((arrow, i) => el("span", { class: `wheel-${"enws"[i]}` }, arrow))));
  }

  names(list) {
    this.scale.append(el("ul", { class: "names" }, ...list.map(([name, color]) => {
      const dot = el("span", { class: "dot" });
      dot.style.background = color;
      return el("li", { title: name }, dot, el("span", {}, name));
    })));
  }
}

// ticks returns round numbers from 0 to the top of a scale, and their positions from 0 to 1.
function ticks(top) {
  if (!(top > 0)) return [[0, "0"]];
  const wanted = top / 4, power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 2.5, 5, 10].find((m) => m * power >= wanted * 0.999) * power;
  const marks = [];
  for (let v = 0; v <= top * 1.0001; v += step) marks.push([v / top, short(v)]);
  const room = 1 - marks.at(-1)[0]; // the top itself gets a tick if there is room
  if (room > 0.02 && room < 0.21) marks.pop();
  if (room > 0.02) marks.push([1, short(top)]);
  return marks;
}

export const wordsOf = (scene, stats) => `${whole(stats?.beside ?? NaN)} of ${whole(scene.beside.people)} recorded people`;
