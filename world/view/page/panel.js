// The controls: the scene, its seed and size, the time, and a slider for every parameter.

import GUI from "./third_party/lil-gui/lil-gui.esm.min.js";
import { byId, el, text } from "./dom.js";
import { Featured } from "./featured.js";
import { Field } from "./field.js";
import { duration, inUnits, short, unitsOf, whole } from "./format.js";
import { Scenes } from "./scenes.js";
import { Slider } from "./slider.js";
import { sceneOf } from "./files.js";
import { storage } from "./socket.js";
import { Tuned } from "./tuned.js";

// isSmall reports whether the panel is a drawer, as in style.css.
export const isSmall = () => matchMedia("(max-width: 760px), (max-height: 480px)").matches;

const EVERY = 50; // ms between messages of a slider

// PACES are the paces that slower and faster step through; 0 means as fast as possible.
const PACES = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 100, 0];

export class Panel {
  // send sends a message to the server.
  constructor(send) {
    this.send = send;
    this.paused = false;
    this.pace = 1;
    this.gui = null;
    this.rows = new Map(); // name of a parameter → { slider, words for the filter }
    this.featured = new Featured((name, value) => this.soon(name, value));
    this.tuned = new Tuned((name, value) => this.soon(name, value), storage);
    this.shown = null; // the scene shown
    this.waiting = new Map(); // name of a parameter → value to send
    this.timer = 0;
    this.can = new Set(); // permissions: pause, pace, seek, edit, tune, start
    this.scenes = new Scenes();
    byId("scene").onchange = (e) => send(sceneOf(e.target.value));
    byId("pause").onclick = () => this.togglePause();
    byId("step").onclick = () => this.step();
    byId("restart").onclick = () => this.restart();
    byId("reset").onclick = () => send(sceneOf(byId("scene").value));
    byId("slower").onclick = () => this.changePace(-1);
    byId("faster").onclick = () => this.changePace(1);
    byId("another").onclick = () => send({ do: "seed", seed: String(Math.floor(Math.random() * 1e9)) });
    this.maxAgents = Infinity;
    const within = (max) => (digits) => /^\d{1,30}$/.test(digits) && BigInt(digits) <= max ? String(BigInt(digits)) : null;
    this.seed = new Field("seed", within(2n ** 64n - 1n), (seed) => send({ do: "seed", seed }));
    this.agents = new Field("agents", (words) => this.parseAgents(words), (n) => send({ do: "agents", n: Number(n) }));
    byId("filter").oninput = () => this.filter();
    for (const tab of document.querySelectorAll("[role=tab]")) tab.onclick = () => this.open(tab.dataset.tab, true);
    byId("tabs").onkeydown = (e) => this.moveTab(e);
  }

  // open shows a tab. With toggle, it closes the drawer of a small screen if the tab is already open.
  open(name, toggle = false) {
    const panel = byId("panel");
    const closes = toggle && panel.dataset.open === name && isSmall();
    panel.dataset.open = closes ? "" : name;
    for (const tab of document.querySelectorAll("[role=tab]")) {
      tab.setAttribute("aria-selected", String(tab.dataset.tab === name && !closes));
      tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
    }
    for (const page of document.querySelectorAll("[role=tabpanel]")) page.hidden = page.id !== `tab-${name}` || closes;
  }

  // chosen shows the agent with the given id, or none if id is "". It shows the agent in the tab "Agent",
  // or in the name of that tab while the drawer is closed.
  chosen(id) {
    text(byId("tab-button-agent"), id ? `Agent ${id}` : "Agent");
    byId("tab-button-agent").classList.toggle("chosen", id !== "");
    if (id && !(isSmall() && byId("panel").dataset.open === "")) this.open("agent");
  }

  moveTab(e) {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[e.key];
    if (!by) return;
    const tabs = [...document.querySelectorAll("[role=tab]")], i = tabs.indexOf(document.activeElement);
    const next = tabs[(i + by + tabs.length) % tabs.length];
    this.open(next.dataset.tab);
    next.focus();
    e.preventDefault();
  }

  hello(message) {
    this.tuned.hello(message.server);
    this.scenes.list = message.scenes;
    byId("agents").max = this.maxAgents = message.maxAgents;
    text(byId("agents-range"), `Agents: 1 to ${whole(this.maxAgents)}`);
  }

  // allow hides the controls that the viewer may not use.
  allow(can) {
    this.can = new Set(can);
    for (const e of document.querySelectorAll("[data-can]")) e.hidden = !this.can.has(e.dataset.can);
    byId("scene").disabled = !this.can.has("start");
  }

  restart() {
    if (this.can.has("start")) this.send({ do: "restart" });
  }

  // nextScene starts the next scene of the list, and wraps around.
  nextScene() {
    const { names } = this.scenes;
    if (!this.can.has("start") || !names.length) return;
    this.send(sceneOf(names[(names.indexOf(byId("scene").value) + 1) % names.length]));
  }

  togglePause() {
    if (!this.can.has("pause")) return;
    this.setPaused(!this.paused);
    this.pausedSetAt = performance.now();
    this.send({ do: "pause", on: this.paused });
  }

  step() {
    if (!this.can.has("pause")) return;
    if (!this.paused) this.togglePause();
    this.send({ do: "step", n: 1 });
  }

  changePace(by) {
    if (!this.can.has("pace")) return;
    let i = PACES.findIndex((p) => p !== 0 && p >= this.pace * 0.999);
    if (this.pace === 0 || i < 0) i = PACES.length - 1;
    this.setPace(PACES[Math.min(Math.max(i + by, 0), PACES.length - 1)]);
    this.sendPace();
  }

  // fullSpeed toggles between the highest possible pace and the natural pace.
  fullSpeed() {
    if (!this.can.has("pace")) return;
    this.setPace(this.pace === 0 ? 1 : 0);
    this.sendPace();
  }

  sendPace() {
    this.paceSetAt = performance.now();
    this.send({ do: "pace", x: this.pace });
  }

  setPace(pace) {
    this.pace = pace;
    text(byId("pace"), pace === 0 ? "max" : `${short(pace)}×`);
    byId("slower").disabled = pace === PACES[0];
    byId("faster").disabled = pace === 0;
  }

  setPaused(paused) {
    this.paused = paused;
    const button = byId("pause");
    button.classList.toggle("paused", paused);
    button.classList.toggle("strong", paused);
    button.setAttribute("aria-label", paused ? "Resume" : "Pause");
    button.title = paused ? "Resume (space)" : "Pause (space)";
  }

  parseAgents(words) {
    const n = Number(words);
    return Number.isInteger(n) && n >= 1 && n <= this.maxAgents ? String(n) : null;
  }

  // stats shows the state of the server, unless the viewer has just changed it. It also shows the actual
  // pace if that is below the chosen one, or if the chosen one is as fast as possible.
  stats(s, scene) {
    const now = performance.now();
    if (!(now - this.pausedSetAt < 600)) this.setPaused(s.paused);
    if (!(now - this.paceSetAt < 600)) this.setPace(s.pace);
    const step = `step\u00a0${whole(s.step)}`; // nonbreaking spaces keep each part on one line
    const inFrames = scene?.time === "step", dt = inFrames ? 1 / 60 : scene?.dt;
    const hasTime = inFrames || s.timeline && !document.documentElement.classList.contains("embedded"); // the timeline shows it
    const parts = hasTime ? [step] : [duration(s.time).replace(" ", "\u00a0"), step];
    const real = s.stepsPerSecond * dt;
    if (!s.paused && real > 0 && !(real > 0.9 * s.pace && s.pace > 0)) parts.push(`${short(real, 2)}×\u00a0real\u00a0time`);
    text(byId("clock"), parts.join(" ·\u00a0"));
  }

  // scene shows a scene. After a start, or if other parameters exist, it makes new sliders; otherwise it only
  // updates their values.
  scene(scene, started) {
    this.shown = scene;
    this.allow(scene.can);
    this.scenes.show(scene);
    byId("reset").disabled = !this.scenes.names.includes(scene.name); // the server keeps no files of viewers
    this.seed.show(scene.seed, started);
    this.agents.show(String(scene.size || scene.agents), started);
    text(byId("scene-text"), scene.text);
    byId("notes").replaceChildren(
      ...(scene.warnings ?? []).map((w) => el("li", { class: "warning" }, w)),
      ...(scene.notes ?? []).map((n) => el("li", {}, n)));
    const names = scene.parameters.map((p) => p.name).join();
    if (started || names !== this.names) this.build(scene);
    else this.update(scene);
    this.names = names;
    this.tuned.show(scene);
  }

  // restore shows the present state again after a failed request.
  restore(scene) {
    if (!scene) return;
    this.scenes.show(scene);
    this.seed.show(scene.seed);
    this.agents.show(String(scene.size || scene.agents));
    this.update(scene, true);
    this.tuned.show(scene, true);
  }

  build(scene) {
    const opened = new Map(); // keeps folders open or closed
    this.gui?.foldersRecursive().forEach((f) => opened.set(f.key, !f._closed));
    const at = byId("parameters").scrollTop;
    this.gui?.destroy();
    this.rows.clear();
    this.gui = new GUI({ container: byId("parameters"), autoPlace: false, injectStyles: false, touchStyles: false, title: "Parameters", width: 300 });
    this.gui.$title.hidden = true;
    const folders = new Map();
    const folder = (parent, key, title, open) => {
      if (!folders.has(key)) {
        const f = parent.addFolder(title);
        f.key = `${scene.name} ${key}`;
        f.open(opened.get(f.key) ?? open);
        folders.set(key, f);
      }
      return folders.get(key);
    };
    const units = unitsOf(scene), many = scene.groups.length > 1, few = scene.parameters.length <= 24;
    for (const p of scene.parameters) {
      let parent = this.gui;
      if (p.group < 0 && !p.section) parent = folder(parent, "scene", "whole scene", few);
      if (p.group >= 0 && many) {
        const g = scene.groups[p.group];
        parent = folder(parent, `group ${p.group}`, `${g.name || `group ${p.group + 1}`} · ${whole(g.agents)}`, p.group === 0);
      }
      if (p.group >= 0 || p.section) parent = folder(parent, `${p.group} ${p.section}`, p.section || "body and limits", few || p.section !== "");
      this.row(parent, { ...p, help: inUnits(p.help, units) });
    }
    byId("filter-row").hidden = scene.parameters.length < 8;
    byId("no-parameters").hidden = scene.parameters.length > 0;
    byId("parameters").scrollTop = at;
    this.featured.build(scene, this.can.has("tune"));
    this.filter();
  }

  row(parent, p) {
    const slider = new Slider(parent, p, p.label || p.name, (value) => this.soon(p.name, value));
    slider.element.dataset.parameter = p.name;
    this.rows.set(p.name, { slider, words: `${p.name} ${p.section} ${p.label} ${p.help}`.toLowerCase() });
  }

  // update shows the present values, except those that are waiting to be sent.
  update(scene, refused = false) {
    for (const p of scene.parameters) if (!this.waiting.has(p.name)) this.rows.get(p.name)?.slider.update(p, refused);
    this.featured.update(scene, this.waiting, refused);
  }

  // soon sends the newest value of a parameter, at most once every EVERY ms.
  soon(name, value) {
    this.tuned.keep(this.shown, name, value);
    this.waiting.set(name, value);
    if (this.timer) return;
    const flush = () => {
      for (const [name, value] of this.waiting) this.send({ do: "set", name, value });
      this.timer = this.waiting.size > 0 ? setTimeout(flush, EVERY) : 0;
      this.waiting.clear();
    };
    flush();
  }

  // filter hides the sliders that do not match all words of the filter. A | separates alternatives.
  filter() {
    const words = byId("filter").value.toLowerCase().split("|").map((all) => all.split(/\s+/).filter(Boolean));
    for (const { slider, words: own } of this.rows.values()) slider.controller.show(words.some((all) => all.every((w) => own.includes(w))));
    byId("parameters").hidden = [...this.rows.values()].every(({ slider }) => slider.controller._hidden);
    for (const f of this.gui?.foldersRecursive() ?? []) {
      f.show(f.controllersRecursive().some((c) => !c._hidden));
      if (words[0].length > 0) f.open();
    }
  }
}
