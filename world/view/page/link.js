// Links to the view. A link holds the name of the scene, its text if the server does not have it, its size and
// seed, changed parameters, the part of the plane, and the step.

import { number } from "./protocol.js";

// writeLink returns the part of the address after #. across is the length of the shorter side of
// the stage in meters.
export function writeLink({ scene, text, step, x, y, across }) {
  const out = new URLSearchParams({ scene: scene.name, agents: scene.size, seed: scene.seed, step, at: [x, y, across].map((v) => Number(v.toPrecision(6))).join() });
  for (const p of scene.film ? [] : scene.parameters) { // a recording has its own parameters
    const value = number(p.value);
    if (Number.isFinite(value) && value !== number(p.first)) out.append("set", `${p.name}=${value}`);
  }
  if (text) out.append("text", text);
  return String(out);
}

// readLink reads a link. It returns null if the link names no scene, and ignores invalid parts.
export function readLink(hash) {
  const from = new URLSearchParams(hash.replace(/^#/, ""));
  const name = from.get("scene");
  if (!name) return null;
  const count = (key, least) => /^\d{1,15}$/.test(from.get(key) ?? "") && Number(from.get(key)) >= least ? Number(from.get(key)) : undefined;
  const at = (from.get("at") ?? "").split(",").map((v) => v === "" ? NaN : Number(v));
  const values = new Map();
  for (const one of from.getAll("set")) {
    const [, key, value] = /^(.+)=([^=]+)$/.exec(one) ?? [];
    if (key && Number.isFinite(Number(value))) values.set(key, Number(value));
  }
  return {
    scene: name, text: from.get("text") ?? undefined, agents: count("agents", 1), seed: /^\d{1,20}$/.test(from.get("seed") ?? "") ? String(BigInt(from.get("seed"))) : undefined, // the same text as the server writes
    step: count("step", 0), at: at.length === 3 && at.every(Number.isFinite) && at[2] > 0 ? at : undefined, values,
  };
}

// Opening carries out a link. It starts the scene, sets the parameters and seeks the step, and
// the scene then stays paused. Without a step, the scene runs.
export class Opening {
  constructor(link, send, paused) {
    this.link = link;
    this.send = send;
    this.paused = paused; // reports whether the crowd is paused
    this.before = null; // build before the scene of the link
  }

  // again starts over after a reconnection.
  again() {
    this.before = null;
  }

  // fails resumes the present crowd if it ran before the link paused it.
  fails() {
    if (this.before !== null && this.ran) this.send({ do: "pause", on: false });
  }

  // scene handles a scene message and the present step, and reports whether the crowd is that of the link. The
  // first message starts that crowd, unless it is already there and has not begun.
  scene(m, step) {
    const { link, send } = this;
    const is = m.name === link.scene && (!link.agents || m.size === link.agents) && (!link.seed || m.seed === link.seed);
    if (this.before === null) {
      this.before = m.build;
      this.ran = !this.paused();
      const begun = step !== 0 || !this.ran || m.parameters.some((p) => p.value !== p.first);
      const start = !is || begun || link.text || link.step === 0 || link.values.size > 0;
      if (start || link.step > 0) send({ do: "pause", on: true });
      if (start) {
        send({ do: "scene", name: link.scene, ...(link.text ? { text: link.text } : {}), ...(link.agents ? { n: link.agents } : {}), ...(link.seed ? { seed: link.seed } : {}) });
        return false;
      }
    } else if (m.build === this.before || !is) return false;
    for (const [name, value] of link.values) send({ do: "set", name, value });
    if (link.step > 0) send({ do: "seek", tick: link.step });
    if (link.step === undefined) send({ do: "pause", on: false });
    return true;
  }
}
