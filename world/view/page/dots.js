// Agents at the same point of the screen look like one dot. This module counts the agents on each
// dot, unless too many agents are in the window.

import { toScreenX, toScreenY } from "./camera.js";
import { agentViews } from "./protocol.js";

export const DOT = 1; // CSS pixels, distance within which agents look like one dot

const MOST = 2000; // largest number of agents that are counted
const LABELS = 40; // largest number of counts that are drawn
const WIDE = 7, HIGH = 12; // pixels, size of a digit

// countDots returns the number of dots in a frame, and the dots with several agents, the most
// crowded first. Each has its place { x, y } on the screen and its number n of agents. It returns
// null if there are too many agents to count.
export function countDots(frame, camera) {
  if (!frame || frame.n > MOST) return null;
  const { x, y } = agentViews(frame), cells = new Map(), shared = [];
  const kx = (frame.x1 - frame.x0) / 65535, ky = (frame.y1 - frame.y0) / 65535;
  let dots = 0;
  for (let i = 0; i < frame.n; i++) {
    const sx = toScreenX(camera, frame.x0 + kx * x[i]), sy = toScreenY(camera, frame.y0 + ky * y[i]);
    const column = Math.floor(sx / DOT), row = Math.floor(sy / DOT);
    const dot = find(cells, column, row, sx, sy);
    if (dot) {
      if (++dot.n === 2) shared.push(dot);
      continue;
    }
    dots++;
    const key = keyOf(column, row), same = cells.get(key), one = { x: sx, y: sy, n: 1 };
    if (same) same.push(one);
    else cells.set(key, [one]);
  }
  return { dots, shared: shared.sort((a, b) => b.n - a.n) };
}

// agentsIn returns the number of agents in a box on the screen, or 0 if there are too many to count.
export function agentsIn(frame, camera, [left, top, right, bottom]) {
  if (!frame || frame.n > MOST) return 0;
  const { x, y } = agentViews(frame), kx = (frame.x1 - frame.x0) / 65535, ky = (frame.y1 - frame.y0) / 65535;
  let n = 0;
  for (let i = 0; i < frame.n; i++) {
    const sx = toScreenX(camera, frame.x0 + kx * x[i]), sy = toScreenY(camera, frame.y0 + ky * y[i]);
    if (sx > left && sx < right && sy > top && sy < bottom) n++;
  }
  return n;
}

const keyOf = (column, row) => (row + 1) * 1e5 + column;

// find returns the dot at a point of the screen, or null if there is none.
function find(cells, column, row, x, y) {
  for (let r = row - 1; r <= row + 1; r++) {
    for (let c = column - 1; c <= column + 1; c++) {
      for (const dot of cells.get(keyOf(c, r)) ?? []) if (Math.hypot(dot.x - x, dot.y - y) <= DOT) return dot;
    }
  }
  return null;
}

// agentsAt returns the number of agents on the dot at a point of the screen, or 1 if agents are not counted.
export const agentsAt = (counted, x, y) => counted?.shared.find((d) => Math.hypot(d.x - x, d.y - y) <= 2 * DOT)?.n ?? 1;

// placeLabels returns the counts for which there is room beside their dots, the largest first. Each
// is { x, y, text }, where (x, y) is the left end of the text at half its height.
export function placeLabels({ shared }, camera, offset) {
  const placed = [];
  for (const { x, y, n } of shared) {
    if (placed.length === LABELS) break;
    if (x < 0 || y < 0 || x > camera.width || y > camera.height) continue;
    const one = { x: x + offset, y: y - offset, text: String(n) };
    const clash = (p) => Math.abs(p.y - one.y) < HIGH && p.x < one.x + WIDE * one.text.length && one.x < p.x + WIDE * p.text.length;
    if (!placed.some(clash)) placed.push(one);
  }
  return placed;
}

export function drawDots(overlay, labels) {
  overlay.ink.textBaseline = "middle";
  for (const { x, y, text } of labels) overlay.write(text, x, y, { font: "500 11px system-ui, sans-serif", align: "left" });
  overlay.ink.textBaseline = "alphabetic";
}
