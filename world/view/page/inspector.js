// The inspector: the state of the selected agent, and the table of the forces in its next step.

import { byId, el, text } from "./dom.js";
import { categoryCss } from "./colors.js";
import { number } from "./protocol.js";
import { fixed, inUnits, short, unitsOf } from "./format.js";

const vector = (v) => v ? { x: number(v.X ?? v.x), y: number(v.Y ?? v.y) } : null;
const size = (v) => Math.hypot(v.x, v.y);
const point = (v) => `${fixed(v.x, 2)}, ${fixed(v.y, 2)}`;

export class Inspector {
  // on holds follow() and release(), which the buttons call.
  constructor(on) {
    this.id = "";
    this.dark = false;
    this.arrows = []; // for the overlay: { x, y, color, total }
    this.looks = []; // for the overlay: { behavior, reach, view, facing, seen, color }
    this.choice = null; // for the overlay: the choice of velocity
    this.agent = { radius: 0, threat: null };
    this.shape = "";
    byId("follow").onclick = () => on.follow();
    byId("let-go").onclick = () => on.release();
  }

  setTheme(dark) {
    this.dark = dark;
    this.shape = "";
    if (this.message) this.show(this.message, this.scene);
  }

  shares(n) {
    byId("shared-dot").hidden = n < 2;
    text(byId("shared-dot"), `One of ${n} agents on this dot. Click or tap it again for the next.`);
  }

  following(on) {
    byId("follow").setAttribute("aria-pressed", String(on));
  }

  show(message, scene) {
    this.message = message;
    this.scene = scene;
    this.id = message.id;
    this.field = fieldOf(message.explanation);
    this.arrows = [];
    this.looks = [];
    this.choice = null;
    this.agent = { radius: 0, threat: null };
    byId("agent").hidden = !message.id;
    byId("no-agent").hidden = !!message.id;
    if (!message.id) return;
    text(byId("agent-name"), `Agent ${message.id}`);
    const x = message.explanation;
    const gone = !message.alive || !x;
    byId("gone").hidden = !gone;
    byId("agent-body").hidden = byId("follow").disabled = gone;
    if (gone) return;
    this.unit = unitsOf(scene);
    text(byId("agent-words"), sentence(x, this.unit));
    this.state(x);
    this.ledger(x);
    this.threat(x);
    this.neighbors(x);
    this.velocity(x);
    this.components(x);
  }

  state(x) {
    const now = vector(x.before?.position), then = vector(x.after?.position), v = vector(x.before?.velocity), w = vector(x.after?.velocity);
    const heading = vector(x.before?.heading);
    const turn = heading ? (Math.atan2(heading.y, heading.x) * 180 / Math.PI + 360) % 360 : NaN;
    const rows = [["position", now ? `${point(now)} ${this.unit.length}` : "–"]];
    if (v && w) rows.push(["speed", `${fixed(size(v), 3)} → ${fixed(size(w), 3)} ${this.unit.speed}`]);
    if (heading && size(heading) > 0) rows.push(["heading", `${fixed(turn, 1)}°`]);
    if (now && then) rows.push(["next step", `moves ${short(Math.hypot(then.x - now.x, then.y - now.y))} ${this.unit.length}`]);
    if (x.movedBy) rows.push(["moved by", x.movedBy]);
    for (const [key, label] of [["arrives", "arrives in the next step"], ["leaves", "leaves in the next step"]]) if (x[key]) rows.push(["then", label]);
    definitions(byId("agent-state"), rows);
    const body = (x.components ?? []).find((c) => c.name === "Radius");
    this.agent.limit = Number.isFinite(number(x.maxForce)) ? number(x.maxForce) : 0;
    this.agent.radius = number(body?.fields.find((f) => f.name === "Meters")?.value) || 0;
  }

  ledger(x) {
    const shares = (x.shares ?? []).map((s, i) => ({ ...s, color: categoryCss(i, this.dark) }));
    const forces = shares.filter((s) => s.force), rules = shares.filter((s) => !s.force);
    const shape = [this.dark, ...shares.map((s) => `${s.behavior}${!!s.force}`)].join();
    if (shape !== this.shape) this.buildLedger(forces, rules, shape);
    const total = vector(x.force) ?? { x: 0, y: 0 }, kept = vector(x.truncated) ?? total;
    let most = Math.max(size(total), size(kept), 1e-12);
    for (const s of forces) most = Math.max(most, size(vector(s.force)), size(vector(s.truncated)));
    forces.forEach((s, i) => this.fillForce(this.rows[i], s, most));
    byId("no-forces").hidden = forces.length > 0;
    byId("ledger").hidden = forces.length === 0;
    fillTotal(byId("ledger-total"), total, kept);
    const limit = number(x.maxForce), cut = size(total) > size(kept) * 1.0001;
    text(byId("ledger-limit"), forces.length === 0 ? "" : [
      Number.isFinite(limit) ? `limit ${short(limit)} ${this.unit.force}` : "no force limit",
      Number.isFinite(number(x.mass)) ? `mass ${short(number(x.mass))}${this.unit.force ? " kg" : ""}` : "",
      x.reciprocal ? "ORCA's preferred velocity" : cut ? `cut to ${Math.round(100 * size(kept) / size(total))}%` : "nothing cut",
    ].filter(Boolean).join(" · "));
    const acting = forces.filter((s) => size(vector(s.force)) > 0);
    if (acting.length > 1 || cut) this.arrows.push({ ...kept, color: getComputedStyle(document.documentElement).getPropertyValue("--ink").trim(), total: true });
    for (const s of acting) this.arrows.push({ ...vector(s.truncated ?? s.force), color: s.color, total: false });
    definitions(byId("rules"), rules.map((s) => [s.behavior, this.rule(s)]));
    byId("rules-title").hidden = rules.length === 0;
  }

  // rule describes the effect of a rule that has no force.
  rule(s) {
    const parts = [];
    if (s.velocity) parts.push(`change of velocity ${signed(vector(s.velocity), this.unit.speed)}`);
    if (s.turn !== undefined) parts.push(`turns ${fixed(number(s.turn) * 180 / Math.PI, 2)}°`);
    if (s.speed !== undefined) parts.push(`speed ${short(number(s.speed))} ${this.unit.speed}`);
    if (s.maxSpeed !== undefined) parts.push(`at most ${short(number(s.maxSpeed))} ${this.unit.speed}`);
    if (s.target) parts.push(`target ${point(vector(s.target))} ${this.unit.length}`);
    if (s.position) parts.push(`moved ${signed(vector(s.position), this.unit.length)}`);
    return parts.join(", ") || "nothing";
  }

  buildLedger(forces, rules, shape) {
    this.shape = shape;
    this.rows = forces.map((s) => {
      const dot = el("span", { class: "dot" });
      dot.style.background = s.color;
      const row = {
        name: el("th", { scope: "row" }, el("span", { class: "who" }, dot, el("span", {}, ...breakable(s.behavior)))),
        arrow: el("span", { class: "direction", "aria-hidden": "true" }, "→"),
        raw: el("td"), gain: el("td"), force: el("td"), kept: el("td"),
        wide: el("div", { class: "bar all" }), thin: el("div", { class: "bar kept" }),
      };
      for (const bar of [row.wide, row.thin]) bar.style.background = s.color;
      row.name.firstChild.append(row.arrow);
      row.bars = el("td", { colSpan: 5, class: "bars" }, el("div", { class: "track" }, row.wide, row.thin));
      return row;
    });
    byId("ledger").tBodies[0].replaceChildren(...this.rows.flatMap((r) => [
      el("tr", {}, r.name, r.raw, r.gain, r.force, r.kept), el("tr", { class: "bar-row" }, r.bars),
    ]));
  }

  fillForce(row, s, most) {
    const raw = vector(s.raw), force = vector(s.force), kept = vector(s.truncated ?? s.force);
    text(row.raw, raw ? short(size(raw)) : "–");
    row.raw.title = raw ? `${point(raw)} ${inUnits(s.rawUnit ?? "", this.unit)}` : "";
    if (raw && s.rawUnit) row.raw.append(el("small", {}, inUnits(s.rawUnit, this.unit)));
    text(row.gain, `× ${short(number(s.gain))}`);
    row.gain.title = inUnits(s.gainUnit ?? "", this.unit);
    text(row.force, short(size(force)));
    row.force.title = `${point(force)} ${this.unit.force}`;
    text(row.kept, short(size(kept)));
    row.kept.title = `${point(kept)} ${this.unit.force}`;
    row.wide.style.width = `${100 * size(force) / most}%`;
    row.thin.style.width = `${100 * size(kept) / most}%`;
    row.arrow.style.transform = `rotate(${-Math.atan2(force.y, force.x)}rad)`;
    row.arrow.style.visibility = size(force) > 0 ? "visible" : "hidden";
  }

  threat(x) {
    const t = x.threat, ahead = number(x.lookAhead);
    byId("threat-title").hidden = false;
    if (!t) {
      definitions(byId("threat"), [["sees", Number.isFinite(ahead) && ahead > 0 ? `nothing within ${short(ahead)} ${this.unit.length}` : "nothing"]]);
      return;
    }
    const at = vector(t.contact), normal = vector(t.normal);
    this.agent.threat = at;
    definitions(byId("threat"), [
      ["hits", `${point(at)} ${this.unit.length}`],
      ["distance", `${short(number(t.distance))} ${this.unit.length}, looks ${short(ahead)} ${this.unit.length} ahead`],
      ["normal", point(normal)],
      ["obstacle", [t.kind, t.obstacle].filter(Boolean).join(" ") || "–"],
    ]);
  }

  // neighbors shows the reach of each behavior, and the number of agents that it sees.
  neighbors(x) {
    const shares = (x.shares ?? []).map((s) => s.behavior), list = byId("looks");
    this.looks = (x.looks ?? []).map((l, i) => {
      const share = shares.indexOf(l.behavior);
      return { ...l, reach: number(l.reach), view: number(l.view) || 0, facing: vector(l.facing), color: categoryCss(share < 0 ? shares.length + i : share, this.dark) };
    });
    byId("looks-title").hidden = this.looks.length === 0;
    definitions(list, this.looks.map((l) => [l.behavior, `${l.seen.length} within ${short(l.reach)} ${this.unit.length}${isWedge(l) ? `, in ${short(l.view)}°` : ""}`]));
    this.looks.forEach((l, i) => list.children[2 * i].style.setProperty("--dot", l.color));
  }

  velocity(x) {
    const r = x.reciprocal;
    byId("choice-title").hidden = byId("choice").hidden = !r;
    if (!r) return;
    this.choice = {
      preferred: vector(r.preferred), aim: vector(r.aim), chosen: vector(r.chosen), velocity: vector(x.before.velocity), maxSpeed: number(r.maxSpeed), horizon: number(r.horizon), feasible: r.feasible,
      planes: r.halfPlanes.map((p) => ({ normal: vector(p.normal), least: number(p.least), of: p.of })),
      others: r.others.map((o) => ({ id: o.id, offset: vector(o.offset), velocity: vector(o.velocity), radius: number(o.reach), share: number(o.share) })),
    };
    const c = this.choice, speed = (v) => `${short(size(v))} ${this.unit.speed}`;
    const off = angle(c.preferred, c.chosen);
    const hard = c.planes.filter((p) => p.of === "wall" || p.of === "gap").length;
    definitions(byId("choice"), [
      ["prefers (dashed)", speed(c.preferred)],
      ...(r.walking ? [["walking", walks(r.walking, this.unit)]] : []),
      ["chooses (arrow)", `${speed(c.chosen)}, ${fixed(Math.abs(off), 0)}° ${off > 0 ? "to the left" : "to the right"}`],
      ["allowed (green)", c.feasible ? "yes" : "nothing, so the least violation"],
      ["avoids (orange)", `${avoided(c.others.length, x, this.unit.length)}, ${short(c.horizon)} ${this.unit.times} ahead`],
      ["half-planes", hard > 0 ? `${c.planes.length}, ${hard} of walls and gaps` : String(c.planes.length)],
    ]);
  }

  components(x) {
    const list = byId("components"), shape = (x.components ?? []).map((c) => c.name + c.fields.length).join();
    if (shape !== list.dataset.shape) {
      list.dataset.shape = shape;
      list.replaceChildren(...(x.components ?? []).map((c) => el("section", {},
        el("h4", {}, c.name),
        el("dl", {}, ...(c.fields ?? []).flatMap((f) => [el("dt", {}, f.name), el("dd", { title: f.value }, brief(f.value))])))));
      return;
    }
    const values = list.querySelectorAll("dd");
    let i = 0;
    for (const c of x.components ?? []) for (const f of c.fields ?? []) {
      values[i].title = f.value;
      text(values[i++], brief(f.value));
    }
  }
}

const NEAR = 0.95; // fraction of the preferred speed that counts as the full speed
const alike = (a, b) => Math.min(a, b) >= NEAR * Math.max(a, b);
const TURN = 5; // degrees, smallest turn worth mentioning

// angle returns the angle from one vector to another in degrees, positive to the left.
const angle = (a, b) => Math.atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y) * 180 / Math.PI;

// sentence describes in one sentence what the agent does next, and why.
export function sentence(x, unit) {
  if (x.arrives) return "It arrives in the next step.";
  if (x.leaves) return "It leaves in the next step.";
  const r = x.reciprocal;
  if (r) {
    const prefers = vector(r.preferred), chosen = vector(r.chosen);
    const turn = angle(prefers, chosen);
    const slower = size(chosen) < NEAR * size(prefers), turns = Math.abs(turn) > TURN && size(chosen) > 0;
    const walking = r.walking && number(r.walking.speed) < NEAR * number(r.walking.free) && alike(size(chosen), number(r.walking.speed));
    if (walking) return `It walks at ${walks(r.walking, unit)}.`;
    if (!slower && !turns) return `It moves at its preferred velocity, ${short(size(chosen))} ${unit.speed}.`;
    const how = [slower ? `moves at ${short(size(chosen))} of ${short(size(prefers))} ${unit.speed}` : "", turns ? `turns ${fixed(Math.abs(turn), 0)}° to the ${turn > 0 ? "left" : "right"}` : ""].filter(Boolean).join(" and ");
    const ahead = inTheWay(r, prefers);
    return `It ${how}${ahead ? `: agent ${ahead.id} is ${ahead.comes ? "coming toward it" : "in the way"}` : ": there is no room"}.`;
  }
  const forces = (x.shares ?? []).filter((s) => s.force).map((s) => ({ name: s.behavior, force: size(vector(s.force)) })).filter((s) => s.force > 0);
  if (forces.length === 0) return "No force acts on it.";
  forces.sort((a, b) => b.force - a.force);
  const all = forces.reduce((sum, s) => sum + s.force, 0);
  if (forces.length === 1) return `Only ${forces[0].name} steers it.`;
  return `Mostly ${forces[0].name} steers it: ${fixed(100 * forces[0].force / all, 0)}% of all forces.`;
}

// inTheWay returns the nearest other agent ahead, and whether it comes toward this agent. It
// returns null if there is none.
function inTheWay(r, way) {
  let nearest = null, least = Infinity;
  for (const o of r.others) {
    const to = vector(o.offset), v = vector(o.velocity), far = size(to);
    if (to.x * way.x + to.y * way.y <= 0.5 * far * size(way) || far >= least) continue;
    least = far;
    nearest = { id: o.id, comes: v.x * to.x + v.y * to.y < -0.5 * far * size(v) && size(v) > 0 };
  }
  return nearest;
}

// walks describes the speed of an agent that walks among other agents, and the reason for it.
export function walks(w, unit) {
  const [overtakes, side] = w.why.split(" ");
  const why = {
    gap: `the gap to agent ${w.other} is ${short(Math.max(number(w.gap), 0))} ${unit.length}`,
    density: `${short(number(w.density))} agents/${unit.length}² ahead`,
    oncoming: `agent ${w.other} comes toward it`,
    overtaking: `it overtakes agent ${w.other} on the ${side}`,
  }[overtakes] ?? "nothing slows it";
  return `${short(number(w.speed))} ${unit.speed}: ${why}`;
}

// avoided describes the n other agents that an agent with ORCA avoids.
export function avoided(n, x, unit) {
  const fields = x.components?.find((c) => c.name === "ORCA")?.fields ?? [];
  const [most, reach] = ["MaxNeighbors", "NeighborDist"].map((name) => number(fields.find((f) => f.name === name)?.value));
  const within = reach > 0 ? ` within ${short(reach)} ${unit}` : "";
  if (n === 0) return `none${within}`;
  return most > 0 && n >= most ? `the ${n} nearest${within}` : `all ${n}${within}`;
}

// isWedge reports whether a behavior sees only a limited angle.
export const isWedge = (l) => l.view > 0 && l.view < 360 && l.facing && size(l.facing) > 0;

// brief rounds long numbers in a text.
const brief = (words) => words.replace(/-?\d+\.\d{5,}(e[-+]\d+)?/g, (n) => String(Number(Number(n).toPrecision(6))));

// breakable allows line breaks inside names such as KinematicSeek.
const breakable = (name) => name.split(/(?<=[a-z])(?=[A-Z])/).flatMap((part, i) => i > 0 ? [el("wbr"), part] : [part]);

const NOISE = 1e-12; // below this, numbers are rounding errors
const one = (n) => Math.abs(n) < NOISE ? "0" : `${n < 0 ? "" : "+"}${short(n)}`;
const signed = (v, unit) => size(v) < NOISE ? `0 ${unit}` : `${one(v.x)}, ${one(v.y)} ${unit}`;

function fillTotal(row, total, kept) {
  const [force, left] = row.querySelectorAll("td");
  text(force, short(size(total)));
  text(left, short(size(kept)));
}

// definitions fills a list of names and values, and reuses its elements.
function definitions(list, rows) {
  while (list.children.length > 2 * rows.length) list.lastChild.remove();
  while (list.children.length < 2 * rows.length) list.append(el("dt"), el("dd"));
  rows.forEach(([name, value], i) => {
    text(list.children[2 * i], name);
    text(list.children[2 * i + 1], value);
  });
}

// fieldOf returns the number of the field that an agent follows, or undefined if it follows none.
function fieldOf(x) {
  const index = x?.components?.find((c) => c.name === "FlowField")?.fields?.[0]?.value;
  return index === undefined ? undefined : Number(index);
}
