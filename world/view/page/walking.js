// The walking distance to the nearest goal, as colors and contours; also paths and their corridors,
// portals and zones.

import { compile, texture } from "./gpu.js";
import { rgb } from "./colors.js";
import { round125 } from "./format.js";

// These are the same values as in pictures: cmd/crowd/internal/picture/field.go.
const COLORS = {
  light: ["#fff3b8", "#d3ebb5", "#b3dccb", "#aacbe0", "#b9b9e6"],
  dark: ["#5a4a10", "#35501f", "#1b4a44", "#1f3a5c", "#33285c"],
};

const ROOM = 2; // marks a disc of a corridor in the records of routes
const TREAD = 0.3; // m, depth of a stair
const HEAD = 9; // pixels, size of the arrow head between the boxes of a portal

// stopsOf returns the colors of the scale, starting at the goal.
export const stopsOf = (dark) => COLORS[dark ? "dark" : "light"];

// everyOf returns the distance between contours in meters: 1, 2 or 5 times a power of ten, for 12 to 30 contours.
export const everyOf = (top) => top > 0 ? round125(top / 12 * 1.0001) : 1;

const sheet = {
  attributes: [],
  vertex: `#version 300 es
precision highp float;
uniform vec4 u_map;
uniform vec2 u_size;
out vec2 v_at; // in cells
void main() {
  vec2 at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  v_at = at * u_size;
  gl_Position = vec4(at * u_map.xy + u_map.zw, 0.0, 1.0);
}`,
  fragment: `#version 300 es
precision highp float;
precision highp usampler2D;
in vec2 v_at;
uniform usampler2D u_ways;
uniform vec2 u_size;
uniform float u_top, u_every, u_pixels; // m; device pixels per meter
uniform vec3 u_stops[5], u_ink;
uniform vec2 u_show; // colors, contours
out vec4 color;
const float NONE = 65535.0;
float way(ivec2 at) {
  return float(texelFetch(u_ways, clamp(at, ivec2(0), ivec2(u_size) - 1), 0).r);
}
void main() {
  if (way(ivec2(v_at)) == NONE) discard;
  vec2 at = v_at - 0.5, part = fract(at);
  ivec2 cell = ivec2(floor(at));
  float sum = 0.0, weight = 0.0, low = NONE, high = 0.0;
  for (int i = 0; i < 4; i++) {
    ivec2 next = ivec2(i & 1, i >> 1);
    float w = way(cell + next);
    if (w == NONE) continue;
    vec2 near = mix(1.0 - part, part, vec2(next));
    sum += w * near.x * near.y;
    weight += near.x * near.y;
  }
  float far = sum / max(weight, 1e-6) / 65534.0; // share of the longest distance
  float x = clamp(far, 0.0, 1.0) * 4.0;
  int k = min(int(x), 3);
  vec3 shade = mix(u_stops[k], u_stops[k + 1], x - float(k));
  // The path grows by one meter with each meter from the goal, so |m - line| is the distance to the contour.
  float m = far * u_top, line = round(m / u_every) * u_every;
  float off = abs(m - line) * u_pixels, width = max(1.0, u_show.y);
  float cover = u_show.y > 0.0 && line > 0.0 ? clamp(width * 0.5 + 0.5 - off, 0.0, 1.0) * 0.36 : 0.0;
  float floor = u_show.x;
  float alpha = floor + (1.0 - floor) * cover;
  color = vec4(mix(shade * floor, u_ink, cover), alpha);
}`,
};

// Walking draws the newest field from the server.
export class Walking {
  constructor(gl) {
    this.gl = gl;
    this.sheet = compile(gl, sheet);
    this.texture = texture(gl, gl.NEAREST);
    this.field = null;
    this.setColors(false);
  }

  setColors(dark) {
    this.stops = new Float32Array(stopsOf(dark).flatMap((c) => rgb(c).map((v) => v / 255)));
    this.ink = rgb(dark ? "#e9ebee" : "#1f2226").map((v) => v / 255);
  }

  // set sets the field, which may be null.
  set(field) {
    const { gl } = this;
    this.field = field?.columns > 0 && field.rows > 0 ? field : null;
    if (!this.field) return;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R16UI, field.columns, field.rows, 0, gl.RED_INTEGER, gl.UNSIGNED_SHORT, field.ways);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
  }

  draw(camera, dpr, colors, contours) {
    const { gl, field: f, sheet: { program, at, array } } = this;
    if (!f) return;
    const kx = 2 * camera.scale / camera.width, ky = 2 * camera.scale / camera.height;
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.uniform4f(at.u_map, f.columns * f.cell * kx, f.rows * f.cell * ky, (f.x - camera.x) * kx, (f.y - camera.y) * ky);
    gl.uniform2f(at.u_size, f.columns, f.rows);
    gl.uniform1f(at.u_top, f.top);
    gl.uniform1f(at.u_every, everyOf(f.top));
    gl.uniform1f(at.u_pixels, camera.scale * dpr);
    gl.uniform3fv(at["u_stops[0]"], this.stops);
    gl.uniform3fv(at.u_ink, this.ink);
    gl.uniform2f(at.u_show, colors ? 1 : 0, contours ? 1.25 * dpr : 0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}

// drawGoals marks the goals of a field.
export function drawGoals(overlay, camera, f, place) {
  const { ink, colors } = overlay;
  for (let i = 0; i < f.goals.length; i += 4) {
    const [ax, ay] = place(f.x + f.goals[i], f.y + f.goals[i + 1]), [bx, by] = place(f.x + f.goals[i + 2], f.y + f.goals[i + 3]);
    ink.beginPath();
    if (bx - ax > 6 || ay - by > 6) ink.rect(ax, by, bx - ax, ay - by);
    else ink.arc((ax + bx) / 2, (ay + by) / 2, 7, 0, 2 * Math.PI);
    overlay.halo(colors.good, 2);
  }
}

// drawRoute draws the path of the selected agent on top of its corridor: a line with a ring at its end.
export function drawRoute(overlay, frame, place, camera) {
  const { count, offset, own } = frame.layers[5];
  if (count === 0 || own === 0) return;
  const { ink, colors } = overlay, n = new Float32Array(frame.buffer, offset, 5 * own);
  const at = (i) => place(frame.x0 + n[i], frame.y0 + n[i + 1]);
  let first = 0;
  ink.beginPath();
  for (; first < own && n[5 * first + 4] === ROOM; first++) {
    const [x, y] = at(5 * first), r = n[5 * first + 2] * camera.scale;
    ink.moveTo(x + r, y);
    ink.arc(x, y, r, 0, 2 * Math.PI);
  }
  overlay.tint(colors.accent, 0.18);
  if (first === own) return;
  ink.beginPath();
  ink.moveTo(...at(5 * first));
  for (let i = first; i < own; i++) ink.lineTo(...at(5 * i + 2));
  overlay.halo(colors.accent, 2.5);
  ink.beginPath();
  ink.arc(...at(5 * (own - 1) + 2), 5, 0, 2 * Math.PI);
  ink.fillStyle = colors.paper;
  ink.fill();
  overlay.halo(colors.accent, 2.5);
}

// drawPortals draws portals: filled entrances, exits, and arrows between them.
export function drawPortals(overlay, camera, portals, place) {
  const { ink, colors } = overlay;
  for (const p of portals) {
    const [from, to] = [p.slice(0, 4), p.slice(4)].map(([x0, y0, x1, y1]) => [...place(x0, y1), (x1 - x0) * camera.scale, (y1 - y0) * camera.scale]);
    ink.setLineDash([5, 4]);
    for (const [x, y, w, h] of [from, to]) {
      ink.beginPath();
      ink.rect(x, y, w, h);
      if (x === from[0] && y === from[1]) overlay.tint(colors.accent, 0.15);
      overlay.halo(colors.accent, 1.25);
    }
    const [ax, ay, bx, by] = [from, to].flatMap(([x, y, w, h]) => [x + w / 2, y + h / 2]);
    const length = Math.hypot(bx - ax, by - ay);
    if (length > 2 * HEAD) {
      const ux = (bx - ax) / length, uy = (by - ay) / length;
      ink.beginPath();
      ink.moveTo(ax, ay);
      ink.lineTo(bx, by);
      ink.globalAlpha = 0.6;
      overlay.halo(colors.accent, 1.25);
      ink.setLineDash([]);
      ink.beginPath();
      for (const side of [-1, 1]) {
        ink.moveTo(bx, by);
        ink.lineTo(bx - HEAD * (ux + 0.5 * side * uy), by - HEAD * (uy - 0.5 * side * ux));
      }
      overlay.halo(colors.accent, 1.5);
      ink.globalAlpha = 1;
    }
    ink.setLineDash([]);
  }
}

// drawZones tints zones in which agents walk slower or faster, and draws the steps of stairs.
export function drawZones(overlay, camera, zones, place) {
  const { ink, colors } = overlay;
  for (const [x0, y0, x1, y1, upX, upY] of zones) {
    const [x, y] = place(x0, y1), w = (x1 - x0) * camera.scale, h = (y1 - y0) * camera.scale;
    ink.save();
    ink.beginPath();
    ink.rect(x, y, w, h);
    overlay.tint(colors.faint, 0.12);
    ink.strokeStyle = colors.faint;
    ink.globalAlpha = 0.5;
    ink.lineWidth = 1;
    ink.stroke();
    const length = Math.hypot(upX, upY);
    if (length > 0) {
      ink.clip();
      ink.translate(x + w / 2, y + h / 2);
      ink.rotate(Math.atan2(-upY, upX));
      const reach = Math.hypot(w, h) / 2, depth = Math.max(TREAD * camera.scale, 5);
      ink.beginPath();
      for (let d = -reach; d < reach; d += depth) {
        ink.moveTo(d, -reach);
        ink.lineTo(d, reach);
      }
      ink.stroke();
    }
    ink.restore();
  }
}
