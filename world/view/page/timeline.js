// The timeline: the steps that the server can show, and the present one. Dragging the slider pauses
// the scene until the slider is released; moving it with a key pauses the scene for good.

import { byId, text } from "./dom.js";
import { duration, whole } from "./format.js";

const EVERY = 50; // ms between requests
const PATIENCE = 1500; // ms to wait until stats include a requested step

export class Timeline {
  // send sends a message, paused() reports whether the scene is paused, and pause(on) pauses or resumes the scene.
  constructor({ send, paused, pause }) {
    this.send = send;
    this.paused = paused;
    this.pause = pause;
    this.input = byId("time");
    this.range = { first: 0, last: 0, from: 0, to: 0 };
    this.inSteps = this.film = false;
    this.isLive = true; // the crowd is at its newest step
    this.edits = "";
    this.wanted = null; // requested step that the server has not shown yet
    this.askedAt = -Infinity;
    this.timer = 0;
    this.held = false; // the mouse or a finger holds the slider
    this.goesOn = false; // the scene continues on release
    const { input } = this;
    input.onpointerdown = () => {
      this.held = true;
      this.goesOn = !this.paused();
    };
    input.oninput = () => this.scrub();
    byId("live").onclick = () => this.live();
    for (const kind of ["pointerup", "pointercancel"]) input.addEventListener(kind, () => this.release());
  }

  // scrub pauses the scene, and seeks the step of the slider, at most once every EVERY ms.
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
    if (this.goesOn) this.resume();
  }

  // live continues from the newest step. A film pauses there.
  live() {
    this.input.value = this.range.last;
    this.scrub();
    this.flush();
    this.resume();
  }

  // resume resumes the scene, except at the end of a film, which would start over.
  resume() {
    if (!this.film || Number(this.input.value) < this.range.last) this.pause(false);
  }

  start() {
    this.wanted = null;
    this.held = false;
  }

  stats({ timeline, seeking, step }, scene) {
    this.inSteps = scene?.time === "step";
    this.film = scene?.film;
    this.input.disabled = !timeline;
    this.input.title = timeline ? `Go back and forth in the ${this.film ? "recording" : "steps so far"}` : "This crowd is too large to go back";
    if (!timeline) return;
    this.range = timeline;
    this.isLive = step >= timeline.last;
    this.mark(timeline);
    if (!seeking && !this.timer && performance.now() - this.askedAt > PATIENCE) this.wanted = null;
    this.grow(timeline.first, timeline.last);
    this.write();
  }

  // mark marks edits on the slider.
  mark({ first, last, edits }) {
    const marks = edits.map((at) => `linear-gradient(var(--ink) 0 0) calc(7px + ${(at - first) / Math.max(last - first, 1)} * (100% - 14px)) 0 / 2px 9px no-repeat`).join();
    if (marks === this.edits) return;
    this.edits = marks;
    this.input.style.setProperty("--edits", marks || "none");
  }

  grow(first, last) {
    if (Number(this.input.min) !== first) this.input.min = first;
    if (!this.held && Number(this.input.max) !== last) this.input.max = last; // the range does not change while the slider is held
  }

  frame(step, time) {
    if (step === this.wanted && !this.timer) this.wanted = null;
    if (this.held || this.wanted !== null) return;
    if (step > this.range.last) this.range = { ...this.range, last: step, to: time };
    this.grow(this.range.first, this.range.last);
    this.input.value = step;
    this.write();
  }

  // write writes the position of the slider as text.
  write() {
    const { first, last, from, to } = this.range, at = Number(this.input.value);
    const time = (step) => last > first ? from + (to - from) * (step - first) / (last - first) : from;
    const words = this.inSteps ? (step) => whole(step) : (step) => duration(time(step));
    text(byId("time-now"), words(at));
    const live = this.held || this.wanted !== null ? at >= last : this.isLive;
    text(byId("time-end"), live ? "" : words(last));
    byId("live").hidden = live;
    this.input.style.setProperty("--done", last > first ? `${100 * (at - first) / (last - first)}%` : "100%");
    const value = this.inSteps ? `step ${words(at)} of ${words(last)}` : `${words(at)} of ${words(last)}`;
    if (this.input.getAttribute("aria-valuetext") !== value) this.input.setAttribute("aria-valuetext", value);
  }
}
