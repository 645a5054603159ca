// A text field for a number that restarts the scene. While its text is invalid, the field shows the
// allowed range. When it loses the focus, it replaces an invalid text with the present value.

import { byId } from "./dom.js";

export class Field {
  // parse returns the normalized number in a text, or null if the text is invalid. send sends the number.
  // The id of the help line is the id of the field followed by "-range".
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

  // show shows the present value. While the field has the focus, it does so only if a scene has started.
  show(value, started) {
    this.value = value;
    if (started || document.activeElement !== this.input) this.restore();
  }

  restore() {
    this.input.value = this.value;
    this.check(true);
  }
}
