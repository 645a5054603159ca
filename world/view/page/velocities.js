// Shows how the selected agent chooses its velocity: the disc of all possible velocities around it,
// the velocity obstacles of other agents, the resulting half-planes, and the preferred and chosen
// velocities. One meter per second is drawn as a round number of meters.

import { toScreenX, toScreenY } from "./camera.js";
import { short } from "./format.js";

const LARGE = 170, SMALL = 90, BODIES = 25; // radius of the disc: about 25 radii of a body, so it hides few bodies, but 90 to 170 pixels
const TURN = 2 * Math.PI;

// drawVelocities draws the inspector's choice of velocity.
export function drawVelocities(overlay, camera, frame, choice, radius, units) {
  const { ink, colors } = overlay, x = toScreenX(camera, frame.agentX), y = toScreenY(camera, frame.agentY);
  const top = topOf(choice), meters = roundScale(largest(radius * camera.scale) / (top * camera.scale)), k = meters * camera.scale, r = top * k;
  const threat = colors["gl-threats"];
  const outline = (points) => {
    ink.beginPath();
    for (const p of points) ink.lineTo(x + k * p.x, y - k * p.y);
    ink.closePath();
  };
  const stroke = (color, alpha, width) => {
    ink.globalAlpha = alpha;
    ink.strokeStyle = color;
    ink.lineWidth = width;
    ink.stroke();
    ink.globalAlpha = 1;
  };
  ink.save();
  ink.beginPath();
  ink.arc(x, y, r, 0, TURN);
  overlay.tint(colors.paper, 0.6);
  ink.clip();
  const free = freeOf(choice.planes, top);
  outline(free);
  overlay.tint(colors.good, 0.3);
  for (const o of choice.others) {
    const shape = obstacleOf(o, choice.horizon, 3 * top);
    if (!shape) continue;
    outline(shape);
    overlay.tint(threat, 0.14);
    stroke(threat, 0.6, 1);
  }
  for (const p of choice.planes) {
    ink.beginPath();
    border(p, top, (px, py, line) => ink[line](x + k * px, y - k * py));
    stroke(p.of === "body" ? colors.faint : colors["gl-neighbors"], 0.8, p.of === "body" ? 1 : 1.75);
  }
  if (free.length > 0) {
    outline(free);
    stroke(colors.good, 1, 2);
  }
  ink.restore();
  ink.beginPath();
  ink.arc(x, y, r, 0, TURN);
  overlay.halo(colors.ink, 1.5);
  const px = x + k * choice.preferred.x, py = y - k * choice.preferred.y;
  ink.beginPath();
  ink.setLineDash([5, 4]);
  ink.moveTo(x, y);
  ink.lineTo(px, py);
  stroke(colors.ink, 1, 1.5);
  ink.setLineDash([]);
  ink.beginPath();
  ink.arc(px, py, 4, 0, TURN);
  overlay.halo(colors.ink, 2);
  overlay.arrow(x, y, k * choice.chosen.x, -k * choice.chosen.y, colors.accent, 4);
  overlay.write(`1 ${units.speed} = ${short(meters)} ${units.length}`, x, y + r + 17);
}

// largest returns the largest radius of the disc around a body with the given radius, in pixels.
// The actual radius is at least three fifths of it.
export const largest = (radius) => Math.min(Math.max(BODIES * radius, SMALL), LARGE);

// roundScale returns the largest round number that is not greater than x.
export function roundScale(x) {
  const power = 10 ** Math.floor(Math.log10(x)), m = x / power;
  return [7, 5, 3, 2, 1.5, 1].find((n) => m >= n * (1 - 1e-9)) * power;
}

// topOf returns the speed at the rim of the disc.
export function topOf(choice) {
  if (choice.maxSpeed > 0 && Number.isFinite(choice.maxSpeed)) return choice.maxSpeed;
  return 1.5 * Math.max(...[choice.preferred, choice.chosen, choice.velocity].map((v) => Math.hypot(v.x, v.y))) || 1;
}

// freeOf returns the corners of the part of a disc that lies in all half-planes. The disc contains
// the speeds up to top. If that part is empty, freeOf returns an empty list.
export function freeOf(planes, top) {
  let ring = Array.from({ length: 128 }, (_, i) => ({ x: top * Math.cos(TURN * i / 128), y: top * Math.sin(TURN * i / 128) }));
  for (const p of planes) {
    const over = (v) => p.normal.x * v.x + p.normal.y * v.y - p.least, next = [];
    ring.forEach((a, i) => {
      const b = ring[(i + 1) % ring.length], da = over(a), db = over(b);
      if (da >= 0) next.push(a);
      if (da >= 0 !== db >= 0) next.push({ x: a.x + (b.x - a.x) * da / (da - db), y: a.y + (b.y - a.y) * da / (da - db) });
    });
    ring = next;
  }
  return ring;
}

// border draws the edge of a half-plane within the disc, with ticks on the forbidden side.
function border(p, top, to) {
  const { x: nx, y: ny } = p.normal, half = Math.sqrt(Math.max(top * top - p.least * p.least, 0));
  const at = (along, out) => [nx * (p.least - out) - ny * along, ny * (p.least - out) + nx * along];
  to(...at(-half, 0), "moveTo");
  to(...at(half, 0), "lineTo");
  const gap = half / 4, long = top / 22;
  for (let s = -3.5; s < 4; s++) {
    to(...at(s * gap, 0), "moveTo");
    to(...at(s * gap - long / 2, long), "lineTo");
  }
}

// obstacleOf returns the outline of a velocity obstacle: the velocities with which the agent hits
// another agent within the horizon if the other agent keeps its velocity. The outline is a cone
// with a round tip, cut off beyond the speed far. It is null if the bodies overlap.
export function obstacleOf(other, horizon, far) {
  const { offset, velocity, radius } = other, d = Math.hypot(offset.x, offset.y);
  if (!(d > radius) || !(horizon > 0)) return null;
  const to = Math.atan2(offset.y, offset.x), half = Math.asin(radius / d), side = Math.PI / 2 - half;
  const point = (x, y) => ({ x: x + velocity.x, y: y + velocity.y });
  const leg = Math.max(far + Math.hypot(velocity.x, velocity.y), d / horizon);
  const shape = [];
  for (let i = 0; i <= 12; i++) {
    const angle = to - half + 2 * half * i / 12;
    shape.push(point(leg * Math.cos(angle), leg * Math.sin(angle)));
  }
  for (let i = 0; i <= 24; i++) {
    const angle = to + Math.PI - side + 2 * side * i / 24;
    shape.push(point((offset.x + radius * Math.cos(angle)) / horizon, (offset.y + radius * Math.sin(angle)) / horizon));
  }
  return shape;
}
