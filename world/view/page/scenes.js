// The scenes to choose from: a button with the name of the present one, and a dialog with their pictures.

import { byId, el, text } from "./dom.js";
import { textOf } from "./files.js";
import { baseName } from "./format.js";

// KINDS are the built-in scenes by kind, in the order of the pictures in scenes.webp.
const KINDS = {
  "Steering": ["seek", "flee", "arrival", "avoidance", "seek-kinematic", "arrival-opposing", "arrival-damped", "avoidance-cocos", "tank-path", "tank-flee"],
  "Groups": ["boids", "predators", "leader", "hide", "formation"],
  "Crossings": ["antipodal", "rvo-circle", "rvo-blocks", "crossing", "plaza"],
  "Buildings": ["evacuation", "bottleneck", "queue", "concert", "office", "floors", "maze", "city", "siege"],
};
const PICTURES = Object.values(KINDS).flat();

// placeOf returns the place of a scene's picture as a background position, or "" if the scene has no picture.
export const placeOf = (name) => PICTURES.includes(name) ? `0 ${100 * PICTURES.indexOf(name) / (PICTURES.length - 1)}%` : "";

export class Scenes {
  constructor() {
    this.button = byId("scene"); // its value is the name
    this.dialog = byId("scenes-dialog");
    this.list = []; // scenes that this page can start, of the server and of files: { name, text }
    this.button.onclick = () => this.open();
    byId("scenes-close").onclick = () => this.dialog.close();
    this.dialog.onclick = (e) => { if (e.target === this.dialog) this.dialog.close(); };
  }

  get names() {
    return this.list.map((s) => s.name);
  }

  show({ name, text: words }) {
    if (textOf(name) !== undefined && !this.names.includes(name)) this.list.push({ name, text: words });
    this.button.value = name;
    this.button.title = baseName(name) === name ? "Scenes" : name;
    text(byId("scene-name"), baseName(name));
  }

  open() {
    const kinds = { ...KINDS, "More": this.names.filter((name) => !PICTURES.includes(name)) }, cards = [];
    for (const [kind, all] of Object.entries(kinds)) {
      const some = all.filter((name) => this.names.includes(name));
      if (some.length) cards.push(el("h3", {}, kind), el("ul", {}, ...some.map((name) => el("li", {}, this.card(name)))));
    }
    byId("scenes").replaceChildren(...cards);
    this.dialog.showModal();
  }

  card(name) {
    const picture = el("span", { class: "picture", hidden: !placeOf(name) });
    picture.style.backgroundPosition = placeOf(name);
    const card = el("button", { value: name, title: this.list.find((s) => s.name === name).text, onclick: () => this.choose(name) }, picture, baseName(name));
    if (name === this.button.value) card.setAttribute("aria-current", "true");
    return card;
  }

  choose(name) {
    this.dialog.close();
    this.button.value = name;
    this.button.dispatchEvent(new Event("change"));
  }
}
