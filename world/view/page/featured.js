// What a scene suggests to try: its text and its featured sliders, shown above all other sliders.

import GUI from "./third_party/lil-gui/lil-gui.esm.min.js";
import { byId, el, text } from "./dom.js";
import { Slider } from "./slider.js";
import { inUnits, unitsOf } from "./format.js";
import { parametersOf } from "./tuned.js";

export class Featured {
  // set(name, value) sets a parameter.
  constructor(set) {
    this.set = set;
    this.gui = null;
    this.sliders = new Map(); // name as in the scene → slider
  }

  build(scene, canTune) {
    this.gui?.destroy();
    this.sliders.clear();
    this.gui = new GUI({ container: byId("featured"), autoPlace: false, injectStyles: false, touchStyles: false, title: "Featured" });
    this.gui.$title.hidden = true;
    for (const name of scene.featured) {
      const all = parametersOf(scene, name);
      if (all.length === 0) continue;
      const p = { ...all[0], help: inUnits(all[0].help, unitsOf(scene)) };
      const slider = new Slider(this.gui, p, `${p.section} ${p.label}`.trim(), (value) => this.set(name, value));
      slider.element.dataset.featured = name;
      if (scene.groups.length > 1) slider.controller.$name.append(" ", el("span", { class: "unit" }, `· ${whose(scene, all)}`));
      this.sliders.set(name, slider);
    }
    text(byId("try-text"), scene.try);
    byId("try-text").hidden = !scene.try;
    byId("try").hidden = !canTune || !scene.try && this.sliders.size === 0;
  }

  // update shows the present values, except those that are waiting to be sent.
  update(scene, waiting, refused) {
    for (const [name, slider] of this.sliders) {
      const p = parametersOf(scene, name)[0];
      if (p && !waiting.has(name)) slider.update(p, refused);
    }
  }
}

// whose returns the words that name the groups with the given parameters.
const whose = (scene, all) => all.length > 1 ? "all groups" : scene.groups[all[0].group]?.name || `group ${all[0].group + 1}`;
