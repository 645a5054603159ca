// A text field for a number that starts the scene anew: says what it takes
// while something else is in it, and never keeps that.

import { byId } from "./dom.js";

export class Field {
  // parse returns a text as the number it means, written plainly, or null;
  // send takes that. The line of help has the id of the field and "-range".
  constructor(id, parse, send) {
    this.input = byId(id);
    this.range = byId(`${id}-range`);
    this.value = ""; // what runs
    const { input } = this;
    input.oninput = () => this.check(parse(input.value.trim()) !== null);
    input.onchange = () => {
      const value = parse(input.value.trim());
      this.check(value !== null);
      if (value !== null && value !== this.value) send(value);
    };
    input.onblur = () => {
      if (parse(input.value.trim()) === null) this.restore();
    };
    input.onkeydown = (e) => {
      if (e.key === "Escape") this.restore(); // and the keys leave the field
    };
  }

  check(valid) {
    this.input.setAttribute("aria-invalid", String(!valid));
    this.range.hidden = valid;
  }

  // show shows what runs; what is being typed is left alone, unless a scene has started.
  show(value, started) {
    this.value = value;
    if (started || document.activeElement !== this.input) this.restore();
  }

  restore() {
    this.input.value = this.value;
    this.check(true);
  }
}
