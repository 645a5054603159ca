// The timeline: which steps the server can show again, and the one that is shown. To drag it
// stops the scene while one holds it; a key stops it for good.

import { byId, text } from "./dom.js";
import { duration, whole } from "./format.js";

const EVERY = 50; // ms between steps that are asked for
const PATIENCE = 1500; // ms for which figures may not know yet of the step that was asked for

export class Timeline {
  // send sends a message; paused() reports whether the scene stands still, and pause(on) stops it or lets it run.
  constructor({ send, paused, pause }) {
    this.send = send;
    this.paused = paused;
    this.pause = pause;
    this.input = byId("time");
    this.range = { first: 0, last: 0, from: 0, to: 0 };
    this.inSteps = false;
    this.wanted = null; // the step that was asked for and has not come
    this.askedAt = -Infinity;
    this.timer = 0;
    this.held = false; // by a mouse or a finger
    this.goesOn = false; // on release
    const { input } = this;
    input.onpointerdown = () => {
      this.held = true;
      this.goesOn = !this.paused();
    };
    input.oninput = () => this.scrub();
    byId("live").onclick = () => this.live();
    for (const kind of ["pointerup", "pointercancel"]) input.addEventListener(kind, () => this.release());
  }

  // scrub goes where the slider is, a while after the last time at the earliest.
  scrub() {
    this.pause(true);
    this.wanted = Number(this.input.value);
    this.askedAt = performance.now();
    this.write();
    this.timer ||= setTimeout(() => this.flush(), EVERY);
  }

  flush() {
    clearTimeout(this.timer);
    this.timer = 0;
    if (this.wanted !== null) this.send({ do: "seek", tick: this.wanted });
  }

  release() {
    if (!this.held) return;
    this.held = false;
    if (this.timer) this.flush();
    if (this.goesOn) this.pause(false);
  }

  // live goes to the newest step, and on from there.
  live() {
    this.input.value = this.range.last;
    this.scrub();
    this.flush();
    this.pause(false);
  }

  // start forgets what ran before.
  start() {
    this.wanted = null;
    this.held = false;
  }

  // stats takes which steps there are.
  stats({ timeline, seeking }, scene) {
    this.inSteps = scene?.time === "step";
    this.input.disabled = !timeline;
    this.input.title = timeline ? `Go back and forth over what ${scene?.film ? "was recorded" : "ran"}` : "This crowd is too large to go back";
    if (!timeline) return;
    this.range = timeline;
    if (!seeking && !this.timer && performance.now() - this.askedAt > PATIENCE) this.wanted = null;
    this.grow(timeline.first, timeline.last);
    this.write();
  }

  grow(first, last) {
    if (Number(this.input.min) !== first) this.input.min = first;
    if (!this.held && Number(this.input.max) !== last) this.input.max = last; // it does not move beneath a hand
  }

  // frame takes the step that is shown.
  frame(step, time) {
    if (step === this.wanted && !this.timer) this.wanted = null;
    if (this.held || this.wanted !== null) return;
    if (step > this.range.last) this.range = { ...this.range, last: step, to: time };
    this.grow(this.range.first, this.range.last);
    this.input.value = step;
    this.write();
  }

  // write says where the slider is, in words.
  write() {
    const { first, last, from, to } = this.range, at = Number(this.input.value);
    const time = (step) => last > first ? from + (to - from) * (step - first) / (last - first) : from;
    const words = this.inSteps ? (step) => whole(step) : (step) => duration(time(step));
    text(byId("time-now"), words(at));
    text(byId("time-end"), words(last));
    byId("live").hidden = at >= last;
    this.input.style.setProperty("--done", last > first ? `${100 * (at - first) / (last - first)}%` : "100%");
    const value = this.inSteps ? `step ${words(at)} of ${words(last)}` : `${words(at)} of ${words(last)}`;
    if (this.input.getAttribute("aria-valuetext") !== value) this.input.setAttribute("aria-valuetext", value);
  }
}
