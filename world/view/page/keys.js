// Keyboard shortcuts, and the dialog that lists them.

import { byId, el } from "./dom.js";

const SHORTCUTS = [
  ["Time", [["Space", "pause, resume"], [".", "one step"], ["+ −", "faster, slower"], ["0", "as fast as possible, or natural pace"], ["R", "restart"], ["← →", "on the timeline: one step back, forward"]]],
  ["View", [["F", "whole scene"], ["[ ]", "zoom out, in"], ["← ↑ ↓ →", "pan"], ["C", "next coloring"], ["1 … 9 A B N M T H I Y", "layers"], ["L", "legend"], ["D", "dark, light"]]],
  ["Tools", [["P", "move the pointer, or release it"], ["O", "obstacles: add, drag"], ["W", "walls: draw"], ["E", "doors: draw, open, close"], ["G", "goals of agents"], ["Del", "delete the obstacle"], ["Ctrl Z", "undo a change of obstacles"], ["V", "follow the agent"], ["J K", "next, previous agent"], ["Esc", "release, look around"]]],
  ["Mouse", [["Wheel", "zoom about the cursor"], ["Drag", "pan"], ["Click", "inspect an agent"], ["Right click", "delete an obstacle"]]],
];

// listenToKeys calls the action of a pressed key. actions maps the names of keys to functions.
export function listenToKeys(actions) {
  addEventListener("keydown", (e) => {
    const undoes = (e.ctrlKey || e.metaKey) && !e.shiftKey && e.key === "z";
    if ((e.ctrlKey || e.metaKey) && !undoes || e.altKey || e.defaultPrevented || document.querySelector("dialog[open]")) return;
    const at = e.target;
    const typing = at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement || (at instanceof HTMLInputElement && at.type !== "checkbox" && at.type !== "range");
    if (typing) {
      if (e.key === "Escape") at.blur();
      return;
    }
    if (at.matches?.("button, summary, input:not([type=range])") && (e.key === " " || e.key === "Enter")) return; // the key presses the button
    if (at !== byId("stage") && at !== document.body && e.key.startsWith("Arrow")) return;
    const action = actions[undoes ? "undo" : e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!action) return;
    e.preventDefault();
    action(e);
  });
}

// giveKeysBack moves the focus from a clicked button back to the stage. A button reached with the
// keyboard keeps the focus.
export function giveKeysBack() {
  let byPointer = false;
  addEventListener("pointerdown", () => { byPointer = true; }, true);
  addEventListener("keydown", () => { byPointer = false; }, true);
  for (const kind of ["click", "change"]) {
    addEventListener(kind, (e) => {
      if (byPointer && e.target.closest?.(kind === "click" ? "button, input[type=checkbox]" : "select")) document.activeElement?.blur();
    });
  }
}

export function fillHelp() {
  byId("shortcuts").append(...SHORTCUTS.map(([title, rows]) => el("section", {},
    el("h3", {}, title),
    el("dl", {}, ...rows.flatMap(([keys, what]) => [
      el("dt", {}, ...keys.split(" ").length > 2 || /^[A-Z]?[a-z]/.test(keys) ? [el("kbd", {}, keys)] : keys.split(" ").map((k) => el("kbd", {}, k))),
      el("dd", {}, what),
    ])))));
}
