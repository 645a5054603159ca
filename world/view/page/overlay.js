// The drawing over the stage, on top of the renderer's picture.

import { toScreenX, toScreenY } from "./camera.js";
import { drawDots, placeLabels } from "./dots.js";
import { drawMeasurements } from "./measurements.js";
import { drawSights } from "./sights.js";
import { drawGoals, drawPortals, drawRoute, drawZones } from "./walking.js";
import { drawVelocities } from "./velocities.js";
import { largestRadius } from "./protocol.js";
import { obstacleOf, ringOf } from "./shapes.js";
import { round125, short, unitsOf } from "./format.js";

const LONGEST = 90; // pixels, length of the longest arrow

// ringAround returns the radius of the ring around the selected agent in pixels.
const ringAround = (radius, camera) => Math.max(radius * camera.scale + 5, 9);

export class Overlay {
  constructor(canvas) {
    this.canvas = canvas;
    this.ink = canvas.getContext("2d");
    this.colors = {};
  }

  setColors(dark) {
    this.dark = dark;
    const style = getComputedStyle(document.documentElement);
    for (const name of ["ink", "paper", "accent", "pointer", "faint", "good", "warn", "gl-neighbors", "gl-threats"]) {
      this.colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
  }

  draw({ camera, frame, scene, obstacles, agent, arrows, looks, choice, field, tool, show, dots }) {
    const { ink, canvas } = this, dpr = canvas.width / camera.width;
    ink.setTransform(dpr, 0, 0, dpr, 0, 0);
    ink.clearRect(0, 0, camera.width, camera.height);
    if (!scene) return;
    ink.lineCap = ink.lineJoin = "round";
    if (show.measurements) drawMeasurements(this, camera, scene, frame);
    const place = (x, y) => [toScreenX(camera, x), toScreenY(camera, y)];
    if (field && (show.field || show.contours)) drawGoals(this, camera, field, place);
    if (show.obstacles) {
      drawZones(this, camera, scene.zones, place);
      drawPortals(this, camera, scene.portals, place);
      this.doors(camera, obstacles);
      this.obstacle(camera, obstacles, tool);
    }
    if (frame) {
      if (show.routes) drawRoute(this, frame, place, camera);
      if (frame.agentX === frame.agentX) {
        if (show.neighbors) drawSights(this, camera, frame, looks);
        const chooses = show.velocities && choice;
        if (chooses) drawVelocities(this, camera, frame, choice, agent.radius || 0, unitsOf(scene));
        this.agent(camera, frame, agent, chooses ? [] : arrows);
      }
      if (frame.pointerX === frame.pointerX) this.pointer(camera, frame, scene.pointer);
      if (dots) drawDots(this, placeLabels(dots, camera, 0.7 * ringAround(largestRadius(frame), camera) + 3));
    }
    this.scaleBar(camera, scene.unit);
  }

  // halo strokes the path twice, in two colors, so it is visible on any background.
  halo(color, width) {
    const { ink } = this;
    ink.strokeStyle = this.colors.paper;
    ink.lineWidth = width + 2.5;
    ink.stroke();
    ink.strokeStyle = color;
    ink.lineWidth = width;
    ink.stroke();
  }

  // tint fills the path with a translucent color.
  tint(color, alpha) {
    const { ink } = this;
    ink.globalAlpha = alpha;
    ink.fillStyle = color;
    ink.fill();
    ink.globalAlpha = 1;
  }

  line(ax, ay, bx, by, color, width) {
    const { ink } = this;
    ink.beginPath();
    ink.moveTo(ax, ay);
    ink.lineTo(bx, by);
    this.halo(color, width);
  }

  // write writes text with an outline.
  write(words, x, y, { font = "500 12px system-ui, sans-serif", align = "center", color = this.colors.ink, width = 3 } = {}) {
    const { ink } = this;
    ink.font = font;
    ink.textAlign = align;
    ink.strokeStyle = this.colors.paper;
    ink.lineWidth = width;
    ink.strokeText(words, x, y);
    ink.fillStyle = color;
    ink.fillText(words, x, y);
  }

  agent(camera, frame, agent, arrows) {
    const { ink, colors } = this, x = toScreenX(camera, frame.agentX), y = toScreenY(camera, frame.agentY);
    const r = ringAround(agent.radius || 0, camera);
    const threat = agent.threat;
    if (threat) {
      const tx = toScreenX(camera, threat.x), ty = toScreenY(camera, threat.y);
      ink.setLineDash([5, 5]);
      this.line(x, y, tx, ty, colors.faint, 1.5);
      ink.setLineDash([]);
      ink.beginPath();
      ink.moveTo(tx - 5, ty - 5);
      ink.lineTo(tx + 5, ty + 5);
      ink.moveTo(tx + 5, ty - 5);
      ink.lineTo(tx - 5, ty + 5);
      this.halo(colors.ink, 2);
    }
    ink.beginPath();
    ink.arc(x, y, r, 0, 2 * Math.PI);
    this.halo(colors.ink, 2);
    let longest = (agent.limit || 0) / 20; // keep tiny forces tiny
    for (const a of arrows) longest = Math.max(longest, Math.hypot(a.x, a.y));
    if (!(longest > 0)) return;
    const k = LONGEST / longest;
    for (const a of arrows) this.arrow(x, y, a.x * k, -a.y * k, a.color, a.total ? 5 : 2);
  }

  arrow(x, y, dx, dy, color, width) {
    const length = Math.hypot(dx, dy);
    if (length < 3) return;
    const { ink } = this, ux = dx / length, uy = dy / length, head = Math.min(5 + width, length * 0.6), ex = x + dx, ey = y + dy;
    ink.beginPath();
    ink.moveTo(x, y);
    ink.lineTo(ex, ey);
    ink.moveTo(ex - head * (ux - 0.55 * uy), ey - head * (uy + 0.55 * ux));
    ink.lineTo(ex, ey);
    ink.lineTo(ex - head * (ux + 0.55 * uy), ey - head * (uy - 0.55 * ux));
    this.halo(color, width);
  }

  // pointer marks the scene's pointer with a ring. A threat has four arrow heads that point away; other
  // pointers have four ticks.
  pointer(camera, frame, kind) {
    const { ink, colors } = this, x = toScreenX(camera, frame.pointerX), y = toScreenY(camera, frame.pointerY);
    const r = Math.max(largestRadius(frame) * camera.scale + 6, 14);
    ink.beginPath();
    ink.arc(x, y, r, 0, 2 * Math.PI);
    for (let i = 0; i < 4; i++) {
      const turn = Math.PI / 2 * i, ux = Math.cos(turn), uy = Math.sin(turn);
      const to = (line, out, side) => ink[line](x + (r + out) * ux - side * uy, y + (r + out) * uy + side * ux);
      if (kind === "threat") {
        to("moveTo", 3, -6);
        to("lineTo", 10, 0);
        to("lineTo", 3, 6);
      } else {
        to("moveTo", 3, 0);
        to("lineTo", 13, 0);
      }
    }
    this.halo(colors.pointer, 1.75);
  }

  // doors marks a closed door with a line, and an open one with two posts and dashes.
  doors(camera, obstacles) {
    const { ink, colors } = this;
    for (const [id, open] of obstacles?.doors ?? []) {
      const o = obstacleOf(obstacles, id);
      if (!o) continue;
      const ax = toScreenX(camera, o.x), ay = toScreenY(camera, o.y), bx = toScreenX(camera, o.endX), by = toScreenY(camera, o.endY);
      ink.setLineDash(open ? [2, 5] : []);
      this.line(ax, ay, bx, by, open ? colors.good : colors.warn, open ? 1.5 : Math.max(2 * o.radius * camera.scale - 1, 2.5));
      ink.setLineDash([]);
      if (!open) continue;
      for (const [x, y] of [[ax, ay], [bx, by]]) {
        ink.beginPath();
        ink.arc(x, y, 2, 0, 2 * Math.PI);
        this.halo(colors.good, 2);
      }
    }
  }

  // obstacle outlines the obstacles that the tool hovers over, has chosen, or adds.
  obstacle(camera, obstacles, tool) {
    const { ink, colors } = this;
    if (!["obstacle", "wall", "door"].includes(tool.mode)) return;
    for (const id of [tool.over, tool.chosen]) {
      const o = obstacleOf(obstacles, id);
      if (!o) continue;
      ink.beginPath();
      if (o.ring >= 0) {
        const [first, count] = ringOf(obstacles, o.ring);
        for (let i = 0; i < count; i++) {
          ink.lineTo(toScreenX(camera, obstacles.corners[2 * (first + i)] + obstacles.ox), toScreenY(camera, obstacles.corners[2 * (first + i) + 1] + obstacles.oy));
        }
        ink.closePath();
      } else {
        const r = Math.max(o.radius * camera.scale, 2) + 3, ax = toScreenX(camera, o.x), ay = toScreenY(camera, o.y);
        const bx = toScreenX(camera, o.endX), by = toScreenY(camera, o.endY), turn = Math.atan2(by - ay, bx - ax);
        ink.arc(ax, ay, r, turn + Math.PI / 2, turn + 1.5 * Math.PI);
        ink.arc(bx, by, r, turn - Math.PI / 2, turn + Math.PI / 2);
        ink.closePath();
      }
      this.halo(colors.accent, id === tool.chosen ? 2.5 : 1.5);
    }
    if (tool.ghost?.to) {
      const { x, y, to } = tool.ghost, color = tool.mode === "door" ? colors.warn : colors.accent;
      this.line(toScreenX(camera, x), toScreenY(camera, y), toScreenX(camera, to[0]), toScreenY(camera, to[1]), color, 3);
    } else if (tool.ghost) {
      ink.beginPath();
      ink.arc(toScreenX(camera, tool.ghost.x), toScreenY(camera, tool.ghost.y), tool.ghost.radius * camera.scale, 0, 2 * Math.PI);
      this.tint(colors.accent, 0.2);
      this.halo(colors.accent, 1.5);
    }
  }

  scaleBar(camera, unit) {
    const { ink, colors } = this, meters = round125(Math.min(140, camera.width / 4) / camera.scale), w = meters * camera.scale;
    const x = camera.width - 16 - w, y = camera.height - 16;
    ink.beginPath();
    ink.moveTo(x, y - 5);
    ink.lineTo(x, y);
    ink.lineTo(x + w, y);
    ink.lineTo(x + w, y - 5);
    this.halo(colors.ink, 1.5);
    this.write(`${short(meters)} ${unit}`, x + w / 2, y - 7);
  }
}
