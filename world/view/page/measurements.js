// The lines and areas where a scene is measured: their names and colors, and how they
// are drawn over the stage.

import { toScreenX, toScreenY } from "./camera.js";
import { categoryCss } from "./colors.js";
import { isDark } from "./theme.js";

const TICK = 6; // pixels, of the ends of a line to each side
const NEAR = 4; // pixels, between a label and what it names

// marksOf returns the lines and areas of a scene, each with its name, color and place.
// Areas have the colors after those of the lines.
export function marksOf(scene) {
  const mark = (kind, name) => (at, i) => ({ kind, name: `${name} ${i + 1}`, at });
  return [...scene.lines.map(mark("line", "Line")), ...scene.areas.map(mark("area", "Area"))]
    .map((m, i) => ({ ...m, color: categoryCss(i, isDark()) }));
}

// drawMeasurements draws them, and their names where there is room.
export function drawMeasurements(overlay, camera, scene) {
  const { ink } = overlay, marks = marksOf(scene).map((m) => ({ ...m, ends: onScreen(camera, m.at) }));
  for (const m of marks) if (m.kind === "area") drawArea(overlay, m);
  for (const m of marks) if (m.kind === "line") drawLine(overlay, m);
  ink.font = "600 12px system-ui, sans-serif";
  const taken = [];
  for (const m of marks) drawName(overlay, camera, m, taken);
}

const onScreen = (camera, [x0, y0, x1, y1]) => [toScreenX(camera, x0), toScreenY(camera, y0), toScreenX(camera, x1), toScreenY(camera, y1)];

function drawArea(overlay, { ends: [x0, y0, x1, y1], color }) {
  const { ink } = overlay, left = Math.min(x0, x1), top = Math.min(y0, y1);
  ink.beginPath();
  ink.rect(left, top, Math.max(Math.abs(x1 - x0), 2), Math.max(Math.abs(y1 - y0), 2)); // seen from far, too
  ink.globalAlpha = 0.12;
  ink.fillStyle = color;
  ink.fill();
  ink.globalAlpha = 1;
  overlay.halo(color, 1.75);
}

function drawLine(overlay, { ends: [x0, y0, x1, y1], color }) {
  const { ink } = overlay, length = Math.hypot(x1 - x0, y1 - y0) || 1;
  const tx = -TICK * (y1 - y0) / length, ty = TICK * (x1 - x0) / length;
  ink.beginPath();
  ink.moveTo(x0, y0);
  ink.lineTo(x1, y1);
  for (const [x, y] of [[x0, y0], [x1, y1]]) {
    ink.moveTo(x - tx, y - ty);
    ink.lineTo(x + tx, y + ty);
  }
  overlay.halo(color, 2.5);
}

// drawName writes the name above, unless that is outside or over another name: an area's
// from its left edge on, a line's above its middle, beside it if it is upright.
function drawName(overlay, camera, { kind, name, ends: [x0, y0, x1, y1], color }, taken) {
  const { ink, colors } = overlay, width = ink.measureText(name).width, height = 14;
  const left = Math.min(x0, x1), right = Math.max(x0, x1), top = Math.min(y0, y1), bottom = Math.max(y0, y1);
  const upright = kind === "line" && bottom - top > right - left;
  const places = upright ?
    [[right + TICK + NEAR, (top + bottom - height) / 2], [left - TICK - NEAR - width, (top + bottom - height) / 2]] :
    [top - (kind === "line" ? TICK : 0) - NEAR - height, bottom + (kind === "line" ? TICK : 0) + NEAR]
      .map((y) => [kind === "line" ? (left + right - width) / 2 : left, y]);
  const free = ([x, y]) => taken.every((o) => x > o[0] + o[2] || x + width < o[0] || y > o[1] + height || y + height < o[1]);
  const inside = ([x, y]) => x > 0 && y > 0 && x + width < camera.width && y + height < camera.height;
  const at = places.filter(free).sort((a, b) => inside(b) - inside(a))[0];
  if (!at) return;
  taken.push([...at, width]);
  ink.textAlign = "left";
  ink.strokeStyle = colors.paper;
  ink.lineWidth = 3.5;
  ink.strokeText(name, at[0], at[1] + 11);
  ink.fillStyle = color;
  ink.fillText(name, at[0], at[1] + 11);
}
