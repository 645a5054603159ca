// Draws what the selected agent sees: the reach of each of its behaviors, and a line to each agent
// that a behavior considers.

import { toScreenX, toScreenY } from "./camera.js";
import { isWedge } from "./inspector.js";
import { sightsOf } from "./protocol.js";

const DOT = 4.5; // pixels, radius of the mark on a seen agent

// drawSights draws the inspector's looks, which say what each behavior sees.
export function drawSights(overlay, camera, frame, looks) {
  const neutral = overlay.colors["gl-neighbors"];
  const x = toScreenX(camera, frame.agentX), y = toScreenY(camera, frame.agentY);
  for (const field of fieldsOf(looks)) drawField(overlay, camera, x, y, field, field.looks.length > 1 ? neutral : field.looks[0].color);
  const seen = sightsOf(frame).map((s) => ({ x: toScreenX(camera, s.x), y: toScreenY(camera, s.y), by: looks.filter((_, k) => s.by >> k & 1) }));
  for (const s of seen) overlay.line(x, y, s.x, s.y, s.by.length === 1 ? s.by[0].color : neutral, 1.5);
  for (const s of seen) mark(overlay, s.x, s.y, s.by.length > 0 ? s.by.map((l) => l.color) : [neutral]);
}

// fieldsOf groups looks that have the same reach and angle, the largest reach first.
export function fieldsOf(looks) {
  const fields = new Map();
  for (const l of looks) {
    const key = isWedge(l) ? `${l.reach} ${l.view}` : `${l.reach}`;
    if (!fields.has(key)) fields.set(key, { ...l, looks: [] });
    fields.get(key).looks.push(l);
  }
  return [...fields.values()].sort((a, b) => b.reach - a.reach);
}

function drawField(overlay, camera, x, y, field, color) {
  const { ink } = overlay, r = field.reach * camera.scale;
  ink.beginPath();
  if (isWedge(field)) {
    const at = -Math.atan2(field.facing.y, field.facing.x), half = field.view * Math.PI / 360;
    ink.moveTo(x, y);
    ink.arc(x, y, r, at - half, at + half);
    ink.closePath();
  } else ink.arc(x, y, r, 0, 2 * Math.PI);
  overlay.tint(color, 0.07);
  ink.setLineDash([6, 4]);
  ink.strokeStyle = color;
  ink.lineWidth = 1.25;
  ink.stroke();
  ink.setLineDash([]);
}

// mark draws a dot with a slice for each color.
function mark(overlay, x, y, colors) {
  const { ink } = overlay, slice = 2 * Math.PI / colors.length;
  ink.beginPath();
  ink.arc(x, y, DOT + 1.25, 0, 2 * Math.PI);
  ink.fillStyle = overlay.colors.paper;
  ink.fill();
  colors.forEach((color, i) => {
    ink.beginPath();
    ink.moveTo(x, y);
    ink.arc(x, y, DOT, i * slice - Math.PI / 2, (i + 1) * slice - Math.PI / 2);
    ink.fillStyle = color;
    ink.fill();
  });
}
