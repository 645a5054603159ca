// Messages on top of the view: short ones, which disappear, and cards.

import { byId, el, text } from "./dom.js";
import { baseName, count, fixed } from "./format.js";

const STAY = 6000, MOST = 3;

// toast shows a message. Repeating a message only extends its time.
export function toast(message, kind = "note") {
  const list = byId("toasts");
  let item = [...list.children].find((e) => e.textContent === message);
  if (item) clearTimeout(item.timer);
  else {
    item = el("div", { class: `toast ${kind}` }, message);
    item.onclick = () => item.remove();
    list.append(item);
    const old = [...list.children].filter((e) => !e.matches(".offer"));
    for (const e of old.slice(0, Math.max(0, old.length - MOST))) e.remove();
  }
  item.timer = setTimeout(() => item.remove(), STAY);
}

// offer shows a message with a button. It calls done(true) when the viewer presses the button, or
// done(false) when the viewer closes the message. It returns the element.
export function offer(message, button, done) {
  const end = (yes) => () => { item.remove(); done(yes); };
  const item = el("div", { class: "toast offer" }, el("span", {}, message),
    el("button", { class: "strong", onclick: end(true) }, button),
    el("button", { title: "Dismiss", "aria-label": "Dismiss", onclick: end(false) }, "×"));
  byId("toasts").append(item);
  return item;
}

// Ended is the card at the end of a scene, after all agents have left.
export class Ended {
  constructor({ restart, next }) {
    byId("ended-restart").onclick = restart;
    byId("ended-next").onclick = next;
  }

  // show shows the card while the scene is paused and all agents have left.
  show(stats) {
    const over = stats.out !== null && stats.paused;
    if (over) text(byId("ended-text"), `All agents are out after ${fixed(stats.out, 1)} s.`);
    byId("ended").hidden = !over;
  }
}

const PATIENCE = 0.3; // s; shorter builds show no message

// Starting is the message shown while a crowd is built.
export class Starting {
  // show shows the server's message to the viewer with the given number.
  show(m, viewer) {
    if (m.over) return this.end();
    const by = m.by === viewer ? "Starting" : `Viewer ${m.by} starts`;
    const what = [m.name && baseName(m.name), m.agents && count(m.agents, "agent")].filter(Boolean).join(", ");
    text(byId("starting-text"), `${by} ${what || "the scene again"}… ${Math.floor(m.seconds)} s`);
    byId("starting").hidden = m.seconds < PATIENCE;
  }

  end() {
    byId("starting").hidden = true;
  }
}
