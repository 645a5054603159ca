// A slider for one parameter, or for the same parameter of several groups. Typed values can widen its range.

import { el, text, byId } from "./dom.js";
import { short } from "./format.js";
import { number } from "./protocol.js";

// unitOf returns the unit at the start of a parameter's help, if it has one.
const unitOf = (help) => /^((?:kg|m|px|rad|1)\/(?:s|step)|m\/s²|kg|px|m|s|steps|N|degrees)(?=[,:; ]|$)/.exec(help ?? "")?.[1] ?? "";

const HANDS_OFF = 1000; // ms; for this long after a change, a slider in use ignores values from the server

export class Slider {
  // parent is a folder of lil-gui, and p is the parameter. set(value) sends a value.
  constructor(parent, p, label, set) {
    this.first = number(p.first);
    this.setAt = -Infinity;
    this.accepted = rangeOf(p); // range, not widened for typed values that the server has not accepted
    const [min, max] = this.accepted, step = number(p.step), value = number(p.value);
    this.values = { value: Number.isFinite(value) ? value : max };
    const controller = this.controller = parent.add(this.values, "value", min, max, step > 0 ? step : undefined).name(label);
    const words = p.help ? `${label}: ${p.help}` : label;
    this.element = controller.domElement;
    this.element.title = words;
    if (step > 0 && String(this.values.value).length > 7) controller.decimals(Math.min(Math.max(1 - Math.floor(Math.log10(step)), 0), 12));
    const unit = unitOf(p.help);
    if (unit) controller.$name.append(" ", el("span", { class: "unit" }, unit));
    controller.$input?.setAttribute("aria-label", `${p.section} ${p.label}`);
    controller.onChange((v) => {
      this.element.classList.remove("infinite");
      this.setAt = performance.now();
      this.mark(v);
      set(v);
    });
    this.element.addEventListener("input", (e) => e.stopPropagation(), true); // lil-gui would set 2 and 25 on the way to 250
    controller.$input?.addEventListener("change", () => this.typed(parseFloat(controller.$input.value)));
    const help = (line) => () => text(byId("help-line"), line);
    for (const kind of ["pointerenter", "focusin"]) this.element.addEventListener(kind, help(words));
    for (const kind of ["pointerleave", "focusout"]) this.element.addEventListener(kind, help(""));
    this.show(value);
  }

  // typed sets a typed value. A value outside the range widens the range, because lil-gui would clamp it.
  typed(value) {
    const { controller } = this, { _min: min, _max: max } = controller;
    if (!Number.isFinite(value)) return;
    if (controller._stepExplicit && value >= min && value <= max) value = controller._snap(value);
    this.range([Math.min(min, value), Math.max(max, value)]);
    controller.setValue(value);
  }

  range([min, max]) {
    const { controller } = this;
    if (min !== controller._min) controller.min(min);
    if (max !== controller._max) controller.max(max);
  }

  // update shows the value of the parameter, unless the viewer is changing it. It always replaces
  // rejected values, and the range that was widened for them.
  update(p, refused = false) {
    const { controller } = this, [min, max] = rangeOf(p);
    const busy = this.element.contains(document.activeElement) || controller.$slider?.classList.contains("lil-active");
    if (busy && !refused && performance.now() - this.setAt < HANDS_OFF) return;
    this.accepted = [Math.min(min, this.accepted[0]), Math.max(max, this.accepted[1])];
    this.range(this.accepted);
    this.show(number(p.value));
  }

  show(value) {
    const { controller } = this;
    if (Number.isFinite(value)) this.values.value = value;
    controller.updateDisplay();
    this.element.classList.toggle("infinite", value === Infinity);
    if (value === Infinity && controller.$input) controller.$input.value = "∞";
    this.mark(value);
  }

  // mark marks a slider whose value differs from the initial value.
  mark(value) {
    const changed = value !== this.first;
    this.element.classList.toggle("changed", changed);
    const { _min: min, _max: max } = this.controller;
    if (Number.isFinite(this.first) && max > min) this.controller.$slider?.style.setProperty("--first", `${100 * (this.first - min) / (max - min)}%`);
    this.controller.$name.title = changed ? `${Number.isFinite(this.first) ? short(this.first) : "∞"} at the start` : "";
  }
}

// rangeOf returns the range of a slider. The range includes the value.
function rangeOf(p) {
  const value = number(p.value), min = number(p.min), max = number(p.max);
  return Number.isFinite(value) ? [Math.min(min, value), Math.max(max, value)] : [min, max];
}
