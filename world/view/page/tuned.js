// The parameters that this viewer has set. The browser tab keeps their values, because a restarted server does not
// have them. Other viewers may watch the same crowd, so the page only offers to set the values again.

import { count } from "./format.js";
import { number } from "./protocol.js";
import { offer } from "./toast.js";

const ON_THE_WAY = 1500; // ms until the server reports a value that was set

export class Tuned {
  // set(name, value) sets a parameter. The storage keeps the values.
  constructor(set, storage, ask = offer) {
    this.set = set;
    this.storage = storage;
    this.ask = ask;
    this.server = "";
    this.setAt = new Map(); // name → time in ms
    this.offered = null; // { words, item }
  }

  // hello takes the name of the server. The name changes when the server restarts.
  hello(server) {
    this.server = server;
    this.setAt.clear();
  }

  // keep keeps a value that the viewer has set.
  keep(scene, name, value) {
    const kept = this.read(scene);
    delete kept.values[name]; // the newest value comes last
    kept.values[name] = value;
    this.setAt.set(name, performance.now());
    this.write(scene, kept);
  }

  // show compares the kept values with a scene. It forgets values that other viewers have changed
  // since, and offers to set the values that a restarted server does not have.
  show(scene, refused = false) {
    const kept = this.read(scene), now = performance.now();
    const names = differing(scene, kept.values).filter((name) => refused || !(now - this.setAt.get(name) < ON_THE_WAY));
    if (kept.server !== this.server && names.length > 0) return this.offer(scene, names);
    this.close();
    for (const name of names) delete kept.values[name];
    this.write(scene, { server: this.server, values: kept.values });
  }

  offer(scene, names) {
    const words = `The server has restarted without your ${count(names.length, "changed value")}.`;
    if (this.offered?.words === words) return;
    this.close();
    const item = this.ask(words, "Apply again", (yes) => {
      this.offered = null;
      const { values } = this.read(scene);
      this.write(scene, { server: this.server, values: yes ? values : {} });
      if (yes) for (const name of names) this.set(name, values[name]);
    });
    this.offered = { words, item };
  }

  close() {
    this.offered?.item.remove();
    this.offered = null;
  }

  read(scene) {
    return JSON.parse(this.storage.getItem(`tuned ${scene.name}`)) ?? { server: this.server, values: {} };
  }

  write(scene, kept) {
    const key = `tuned ${scene.name}`;
    if (Object.keys(kept.values).length > 0) this.storage.setItem(key, JSON.stringify(kept));
    else this.storage.removeItem(key);
  }
}

const pathOf = (p) => [p.section, p.label].filter(Boolean).join(".");

// parametersOf returns the parameter with a name. For a name without a group, such as max-speed, it
// returns that parameter of all groups.
export function parametersOf(scene, name) {
  const one = scene.parameters.filter((p) => p.name === name);
  return one.length > 0 ? one : scene.parameters.filter((p) => p.group >= 0 && pathOf(p) === name);
}

// differing returns the names of values that a scene does not have, the oldest first. A newer value
// overrides older ones.
export function differing(scene, values) {
  const newer = new Set(), names = [];
  for (const [name, value] of Object.entries(values).reverse()) {
    const own = parametersOf(scene, name).filter((p) => !newer.has(p.name));
    for (const p of own) newer.add(p.name);
    if (own.some((p) => !near(number(p.value), value))) names.unshift(name);
  }
  return names;
}

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)); // converting units causes rounding errors
