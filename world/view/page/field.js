// A text field for a number that restarts the scene. It shows the allowed range while its text is
// invalid, and never keeps such a text.

import { byId } from "./dom.js";

export class Field {
  // parse returns the normalized number of a text, or null; send sends it. The line of help has the id
  // of the field and "-range".
  constructor(id, parse, send) {
    this.input = byId(id);
    this.range = byId(`${id}-range`);
    this.value = ""; // present value
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
      if (e.key === "Escape") this.restore();
    };
  }

  check(valid) {
    this.input.setAttribute("aria-invalid", String(!valid));
    this.range.hidden = valid;
  }

  // show shows the present value, but does not overwrite typed text unless a scene has started.
  show(value, started) {
    this.value = value;
    if (started || document.activeElement !== this.input) this.restore();
  }

  restore() {
    this.input.value = this.value;
    this.check(true);
  }
}
