// The density map in agents per square meter. Each agent is spread over a bell curve, so the
// integral of the map is the number of agents.

import { round125 } from "./format.js";
import { compile, texture } from "./gpu.js";
import { palette } from "./colors.js";

const SPREAD = 8; // CSS pixels, about the smallest standard deviation of the bell
const SHARE = 1 / 140; // about the smallest standard deviation, relative to the view's size; limits the number of cells
const CELLS = 2.5; // cells per standard deviation
const HALF = 2, PASSES = 3; // three moving means of five cells have a variance of 6 cells², and sharing an agent between two cells adds 1/6
const PAD = HALF * PASSES + 1; // cells around the window
const OPACITY = 0.6;

// spreadOf returns the standard deviation of the bell in meters. It is a round number, 3.2 to 8 radii of a body,
// or more if bodies are small on the screen. crowding is the radius of the scale of density: 8 radii of a body.
export function spreadOf({ scale, width, height }, crowding) {
  return round125(2 * Math.max(Math.max(SPREAD, SHARE * Math.sqrt(width * height)) / scale, crowding / 2) * 1.001);
}

// topOf returns the top of the scale for the greatest density, given the previous top. It is a round number, which
// grows at once, but shrinks only if the density falls to a fifth of it.
export function topOf(greatest, before) {
  if (!(greatest > 0)) return before > 0 ? before : 1;
  if (greatest <= before && greatest > before / 5) return before;
  const below = round125(greatest * 0.9999); // below, the next, and the one after that have the digits 1, 2, 5
  return Number((below < greatest ? round125(2.5 * below * 1.0001) : below).toPrecision(3));
}

// A Field is a grid of cells over the window of a frame.
export class Field {
  constructor() {
    this.cells = new Float32Array(0);
    this.x = this.y = 0; // m, lower left corner
    this.cell = 1; // m, side of a cell
    this.columns = this.rows = 0;
    this.greatest = 0; // agents per square meter
  }

  // measure fills the cells with the density of a frame's agents, spread by the given number of meters.
  measure(f, spread) {
    const c = this.cell = spread / CELLS; // cells lie at whole multiples of c, so they stay while the view moves
    const i0 = Math.floor(f.x0 / c) - PAD, j0 = Math.floor(f.y0 / c) - PAD;
    this.columns = Math.ceil(f.x1 / c) + PAD + 1 - i0;
    this.rows = Math.ceil(f.y1 / c) + PAD + 1 - j0;
    this.x = i0 * c;
    this.y = j0 * c;
    const size = this.columns * this.rows;
    if (this.cells.length < size) {
      this.cells = new Float32Array(size);
      this.spare = new Float32Array(size);
    }
    this.cells.fill(0, 0, size);
    this.scatter(f, 1 / (c * c));
    for (let pass = 0; pass < PASSES; pass++) {
      for (let j = 0; j < this.rows; j++) mean(this.cells, this.spare, j * this.columns, 1, this.columns);
      for (let i = 0; i < this.columns; i++) mean(this.spare, this.cells, i, this.columns, this.rows);
    }
    let most = 0;
    for (let i = 0; i < size; i++) most = Math.max(most, this.cells[i]);
    this.greatest = most;
  }

  // scatter distributes each agent among the four cells whose centers are around it.
  scatter(f, weight) {
    const xs = new Uint16Array(f.buffer, f.x, f.n), ys = new Uint16Array(f.buffer, f.y, f.n), { cells, columns } = this;
    const kx = (f.x1 - f.x0) / 65535 / this.cell, ky = (f.y1 - f.y0) / 65535 / this.cell;
    const ox = (f.x0 - this.x) / this.cell - 0.5, oy = (f.y0 - this.y) / this.cell - 0.5;
    for (let a = 0; a < f.n; a++) {
      const x = xs[a] * kx + ox, y = ys[a] * ky + oy, i = Math.floor(x), j = Math.floor(y), at = j * columns + i;
      const right = (x - i) * weight, left = weight - right, up = y - j, down = 1 - up;
      cells[at] += left * down;
      cells[at + 1] += right * down;
      cells[at + columns] += left * up;
      cells[at + columns + 1] += right * up;
    }
  }

  // at returns the density of the cell that contains a point of the plane.
  at(x, y) {
    return this.cells[Math.floor((y - this.y) / this.cell) * this.columns + Math.floor((x - this.x) / this.cell)];
  }
}

// mean writes the moving mean of n numbers, which start at first and are stride apart. Numbers outside count as zero.
function mean(from, to, first, stride, n) {
  const width = 2 * HALF + 1, end = first + n * stride;
  let sum = 0;
  for (let i = 0; i < HALF && i < n; i++) sum += from[first + i * stride];
  for (let at = first; at < end; at += stride) {
    const comes = at + HALF * stride, goes = at - (HALF + 1) * stride;
    if (comes < end) sum += from[comes];
    if (goes >= first) sum -= from[goes];
    to[at] = Math.max(sum, 0) / width; // rounding must not make the mean negative
  }
}

const head = `#version 300 es
precision highp float;
`;
const sheet = {
  attributes: [],
  vertex: `${head}
uniform vec4 u_map;
out vec2 v_at;
void main() {
  v_at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  gl_Position = vec4(v_at * u_map.xy + u_map.zw, 0.0, 1.0);
}`,
  fragment: `${head}
in vec2 v_at;
uniform sampler2D u_field, u_palette;
out vec4 color;
void main() {
  vec4 c = texture(u_palette, vec2((texture(u_field, v_at).r * 255.0 + 0.5) / 256.0, 0.5));
  color = vec4(c.rgb * c.a, c.a);
}`,
};

// heatPalette returns 256 colors as RGBA bytes: the colors of densities, transparent for 0.
export function heatPalette(dark) {
  const table = palette("density", dark);
  for (let v = 0; v < 256; v++) table[4 * v + 3] = Math.round(255 * OPACITY * (1 - (1 - v / 255) ** 4));
  return table;
}

// heatCss returns the color of a value from 0 to 255, for a style sheet.
export function heatCss(value, dark) {
  const [r, g, b, a] = heatPalette(dark).subarray(4 * value);
  return `rgb(${r} ${g} ${b} / ${a / 255})`;
}

export class Heat {
  constructor(gl) {
    this.gl = gl;
    this.sheet = compile(gl, sheet);
    this.field = new Field();
    this.texture = texture(gl, gl.LINEAR);
    this.colors = texture(gl, gl.LINEAR);
    this.frame = null;
    this.top = this.spread = 0;
    this.build = NaN;
  }

  setColors(dark) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, heatPalette(dark));
  }

  measure(f, camera, scene) {
    const { gl, field } = this, spread = spreadOf(camera, scene.crowding.radius);
    if (f.buffer === this.frame && spread === this.spread) return;
    if (f.build !== this.build || spread !== this.spread) this.top = 0;
    this.frame = f.buffer;
    this.build = f.build;
    this.spread = spread;
    field.measure(f, spread);
    this.top = topOf(field.greatest, this.top);
    const { columns, rows, cells } = field, size = columns * rows, k = 255 / this.top;
    if (!(this.bytes?.length >= size)) this.bytes = new Uint8Array(size);
    for (let i = 0; i < size; i++) this.bytes[i] = cells[i] * k + 0.5;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8, columns, rows, 0, gl.RED, gl.UNSIGNED_BYTE, this.bytes);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 4);
  }

  draw(camera) {
    const { gl, field: f, sheet: { program, at, array } } = this;
    const kx = 2 * camera.scale / camera.width, ky = 2 * camera.scale / camera.height;
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.uniform4f(at.u_map, f.columns * f.cell * kx, f.rows * f.cell * ky, (f.x - camera.x) * kx, (f.y - camera.y) * ky);
    gl.uniform1i(at.u_field, 0);
    gl.uniform1i(at.u_palette, 1);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.colors);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}
