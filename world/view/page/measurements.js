// The measurement lines and areas of a scene: their names, their drawing, and their colors in the curves.
// On the stage they have the color of text, because the other colors are those of agents.

import { toScreenX, toScreenY } from "./camera.js";
import { categoryCss } from "./colors.js";
import { agentsIn } from "./dots.js";

const TICK = 6; // pixels, length of the ticks at the ends of a line, to each side
const NEAR = 4; // pixels, between a name and its line or area
const HEIGHT = 14, FONT = "600 12px system-ui, sans-serif"; // pixels, height and font of a name

// marksOf returns the lines and areas of a scene, each with its name, color and place. The colors
// of areas continue those of lines.
export function marksOf(scene, dark) {
  const mark = (kind, name) => (at, i) => ({ kind, name: `${name} ${i + 1}`, at });
  return [...scene.lines.map(mark("line", "Line")), ...scene.areas.map(mark("area", "Area"))]
    .map((m, i) => ({ ...m, color: categoryCss(i, dark) }));
}

// drawMeasurements draws lines and areas, and their names where there is room and agents are fewest.
export function drawMeasurements(overlay, camera, scene, frame) {
  const { ink } = overlay, marks = marksOf(scene, overlay.dark).map((m) => ({ ...m, ends: onScreen(camera, m.at) }));
  for (const m of marks) if (m.kind === "area") drawArea(overlay, m);
  for (const m of marks) if (m.kind === "line") drawLine(overlay, m);
  ink.font = FONT;
  const taken = [];
  for (const m of marks) drawName(overlay, camera, frame, m, taken);
}

const onScreen = (camera, [x0, y0, x1, y1]) => [toScreenX(camera, x0), toScreenY(camera, y0), toScreenX(camera, x1), toScreenY(camera, y1)];

function drawArea(overlay, { ends: [x0, y0, x1, y1] }) {
  const { ink } = overlay, left = Math.min(x0, x1), top = Math.min(y0, y1);
  ink.beginPath();
  ink.rect(left, top, Math.max(Math.abs(x1 - x0), 2), Math.max(Math.abs(y1 - y0), 2)); // visible from far, too
  overlay.tint(overlay.colors.ink, 0.06);
  overlay.halo(overlay.colors.ink, 1.5);
}

function drawLine(overlay, { ends: [x0, y0, x1, y1] }) {
  const { ink } = overlay, length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const tick = Math.min(TICK, length / 3), tx = -tick * (y1 - y0) / length, ty = tick * (x1 - x0) / length;
  ink.beginPath();
  ink.moveTo(x0, y0);
  ink.lineTo(x1, y1);
  for (const [x, y] of [[x0, y0], [x1, y1]]) {
    ink.moveTo(x - tx, y - ty);
    ink.lineTo(x + tx, y + ty);
  }
  overlay.halo(overlay.colors.ink, 2);
}

// drawName writes a name in or beside its line or area, at the place that covers no other name and the
// fewest agents. It writes nothing if there is no room.
function drawName(overlay, camera, frame, { kind, name, ends }, taken) {
  const seen = kind === "line" ? clipped(ends, camera) : overlap(ends, camera);
  if (!seen) return;
  const [left, top, right, bottom] = boxOf(seen), { width } = overlay.ink.measureText(name);
  const middle = (left + right - width) / 2, level = (top + bottom - HEIGHT) / 2;
  const out = TICK + NEAR, above = top - NEAR - HEIGHT, below = bottom + NEAR;
  const beside = [[right + out, level], [left - out - width, level]], stacked = [[middle, above - TICK], [middle, below + TICK]];
  const places = kind === "area" ? [[left, above], [left, below], [left + NEAR, top + NEAR]] :
    bottom - top > right - left ? [...beside, ...stacked] : [...stacked, ...beside];
  let at = null, least = Infinity;
  for (const [x, y] of places) {
    const fits = x >= 0 && y >= 0 && x + width <= camera.width && y + HEIGHT <= camera.height &&
      taken.every((o) => x > o[0] + o[2] || x + width < o[0] || y > o[1] + HEIGHT || y + HEIGHT < o[1]);
    const agents = fits && least > 0 ? agentsIn(frame, camera, [x, y, x + width, y + HEIGHT]) : Infinity;
    if (agents < least) [at, least] = [[x, y], agents];
  }
  if (!at) return;
  taken.push([...at, width]);
  overlay.write(name, at[0], at[1] + 11, { font: FONT, align: "left", width: 3.5 });
}

const boxOf = ([x0, y0, x1, y1]) => [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];

// overlap returns the part of a box that is on the stage, or null if there is none.
function overlap(ends, { width, height }) {
  const [left, top, right, bottom] = boxOf(ends);
  if (right < 0 || bottom < 0 || left > width || top > height) return null;
  return [Math.max(left, NEAR), Math.max(top, 0), Math.min(right, width), Math.min(bottom, height)];
}

// clipped returns the part of a line that is on the stage, or null if there is none (Liang and Barsky 1984).
function clipped([x0, y0, x1, y1], { width, height }) {
  const dx = x1 - x0, dy = y1 - y0;
  let from = 0, to = 1;
  for (const [out, room] of [[-dx, x0], [dx, width - x0], [-dy, y0], [dy, height - y0]]) {
    if (out < 0) from = Math.max(from, room / out);
    else if (out > 0) to = Math.min(to, room / out);
    else if (room < 0) return null;
  }
  return from <= to ? [x0 + from * dx, y0 + from * dy, x0 + to * dx, y0 + to * dy] : null;
}
