// Draws with WebGL2. A frame goes to the GPU unchanged, and the shaders read agents and layers from
// it. So drawing runs no JavaScript per agent.

import { attribute, compile, store, texture } from "./gpu.js";
import { palette, rgb } from "./colors.js";
import { outline, polygons } from "./shapes.js";
import { ROUND, ROUNDS } from "./protocol.js";
import * as shaders from "./shaders.js";
import { round125 } from "./format.js";
import { Heat } from "./heat.js";
import { lengthOf, Trails } from "./trails.js";
import { Walking } from "./walking.js";

const TRAIL = 0.7; // opacity of trails where they begin
const COLORS = ["stage", "floor", "grid", "box", "solid", "rim", "path", "targets", "threats", "steering", "cells", "neighbors", "routes", "beside", "body-rim"];

export class Renderer {
  // readable keeps the drawing, so tests can read the canvas later.
  constructor(canvas, readable) {
    this.gl = canvas.getContext("webgl2", {
      alpha: false, antialias: false, depth: false, stencil: false,
      powerPreference: "high-performance", preserveDrawingBuffer: readable,
    });
    if (!this.gl) throw new Error("WebGL2 is missing");
    this.colors = {};
    this.gain = 1; // scale of the steering layer
    this.size = this.opacity = 1; // of points
    this.dark = false;
    this.coloring = "speed";
    this.obstacles = null;
    this.scene = null;
    this.frame = null;
    this.start();
  }

  // start creates the objects on the GPU, initially and after the context was lost.
  start() {
    const { gl } = this;
    this.p = {};
    for (const name of Object.keys(shaders)) this.p[name] = compile(gl, shaders[name]);
    this.buffers = {};
    for (const name of ["frame", "rounds", "triangles", "edges", "box", "paths"]) this.buffers[name] = gl.createBuffer();
    this.counts = { rounds: 0, triangles: 0, edges: 0, box: 0, paths: 0 };
    this.texture = texture(gl, gl.NEAREST);
    this.trails = new Trails(gl);
    this.heat = new Heat(gl);
    this.walking = new Walking(gl);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.setColors(this.dark, this.coloring);
    if (this.scene) this.setScene(this.scene);
    if (this.obstacles) this.setObstacles(this.obstacles);
    if (this.frame) this.setFrame(this.frame);
    this.walking.set(this.field ?? null);
  }

  // setColors reads the colors of the theme from the style sheet.
  setColors(dark, coloring) {
    const { gl } = this, style = getComputedStyle(document.documentElement);
    this.dark = dark;
    this.coloring = coloring;
    for (const name of COLORS) {
      this.colors[name] = rgb(style.getPropertyValue(`--gl-${name}`) || "#888888").map((v) => v / 255);
    }
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, palette(coloring, dark));
    this.heat.setColors(dark);
    this.walking.setColors(dark);
    this.trails.clear(); // they have the colors of the other theme
  }

  setScene(scene) {
    const { gl, buffers } = this, lines = outline(scene.box, scene.paths);
    this.scene = scene;
    for (const name of ["box", "paths"]) {
      store(gl, buffers[name], lines[name]);
      this.counts[name] = lines[name].length / 4;
    }
  }

  // setField sets the field of walking distances, which may be null.
  setField(field) {
    this.field = field;
    this.walking.set(field);
  }

  setObstacles(o) {
    const { gl, p, buffers, counts } = this, { triangles, edges } = polygons(o);
    this.obstacles = o;
    store(gl, buffers.rounds, new Uint8Array(o.buffer, ROUNDS, ROUND * o.rounds));
    gl.bindVertexArray(p.capsule.array);
    attribute(gl, 0, 4, gl.FLOAT, ROUND, 0, 1);
    attribute(gl, 1, 1, gl.FLOAT, ROUND, 16, 1);
    store(gl, buffers.triangles, triangles);
    gl.bindVertexArray(p.fill.array);
    attribute(gl, 0, 2, gl.FLOAT, 8, 0, 0);
    store(gl, buffers.edges, edges);
    counts.rounds = o.closed;
    counts.triangles = triangles.length / 2;
    counts.edges = edges.length / 4;
  }

  setFrame(f) {
    const { gl, p } = this;
    this.frame = f;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.frame);
    gl.bufferData(gl.ARRAY_BUFFER, f.buffer, gl.STREAM_DRAW);
    const each = f.near ? 1 : 0;
    gl.bindVertexArray((f.near ? p.body : p.point).array);
    attribute(gl, 0, 1, gl.UNSIGNED_SHORT, 2, f.x, each);
    attribute(gl, 1, 1, gl.UNSIGNED_SHORT, 2, f.y, each);
    if (f.near) {
      attribute(gl, 2, 1, gl.UNSIGNED_SHORT, 2, f.heading, 1);
      attribute(gl, 3, 1, gl.FLOAT, 4, f.radius, 1);
      attribute(gl, 4, 1, gl.UNSIGNED_BYTE, 1, f.value, 1);
    } else {
      attribute(gl, 2, 1, gl.UNSIGNED_BYTE, 1, f.value, 0);
    }
  }

  // draw draws the scene once there is a frame. Of the layers that the server does not send, it draws those in show.
  draw(camera, show) {
    const { gl, scene, obstacles, frame, colors: c } = this;
    const { width, height } = gl.canvas;
    this.measure(camera, show);
    gl.viewport(0, 0, width, height);
    const [r, g, b] = scene ? c.stage : c.floor;
    gl.clearColor(r, g, b, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (!scene || !frame) return;
    const dpr = this.dpr = width / camera.width;
    this.camera = camera;
    if (show.box) this.drawFloor();
    if (this.field?.build === scene.build) this.walking.draw(camera, dpr, show.field, show.contours);
    if (show.grid) this.drawGrid();
    if (show.heat) this.heat.draw(camera);
    this.drawCells(frame);
    if (show.box) this.drawLines("box", scene.box[0], scene.box[1], c.box, 1, Math.max(1, dpr), 0);
    if (show.paths) this.drawLines("paths", scene.box[0], scene.box[1], c.path, 0.9, 1.75 * dpr, 9 * dpr);
    if (show.obstacles && obstacles) this.drawObstacles(obstacles);
    this.drawLayer(frame, frame.layers[0], c.targets, 0.7, 1.25 * dpr, 0, frame.layers[0].count > 50 ? 0.12 : 0.5);
    this.drawMarks(frame, frame.layers[0], c.targets, 0);
    const near = frame.layers[4], others = { count: near.count - near.own, offset: near.offset + 20 * near.own };
    this.drawLayer(frame, others, c.neighbors, near.own > 0 ? 0.2 : others.count > 2000 ? 0.35 : 0.6, dpr, 0, 1, 1, 20);
    const routes = frame.layers[5], theirs = { count: routes.count - routes.own, offset: routes.offset + 20 * routes.own };
    this.drawLayer(frame, theirs, c.routes, routes.own > 0 || theirs.count > 500 ? 0.3 : 0.65, 1.5 * dpr, 0, 1, 1, 20);
    if (show.trails) this.trails.show(camera, frame.near ? TRAIL : TRAIL * Math.max(this.opacity, 0.4));
    this.drawAgents(frame);
    this.drawBeside(frame);
    this.drawLayer(frame, frame.layers[2], c.steering, 0.9, 3 * dpr, 0.85, 1, this.steeringGain(frame));
    this.drawLayer(frame, frame.layers[1], c.threats, 0.9, 1.5 * dpr, 0, 1);
    this.drawMarks(frame, frame.layers[1], c.threats, 1);
  }

  // measure computes the textures of the density map and the trails.
  measure(camera, show) {
    const { frame, scene } = this;
    if (!frame || !scene) return;
    if (show.heat) this.heat.measure(frame, camera, scene);
    if (show.trails) this.trails.add(frame, this.buffers.frame, this.texture, camera, lengthOf(scene.dt));
    else this.trails.clear();
  }

  // use starts a program for coordinates with the origin (x, y), in units of (sx, sy) meters. It returns the
  // locations of the program's uniforms.
  use(name, x, y, sx = 1, sy = 1) {
    const { gl, camera: { width, height, scale, x: cx, y: cy } } = this, { program, at, array } = this.p[name];
    gl.useProgram(program);
    gl.bindVertexArray(array);
    const kx = 2 * scale / width, ky = 2 * scale / height;
    gl.uniform4f(at.u_map, sx * kx, sy * ky, (x - cx) * kx, (y - cy) * ky);
    if (at.u_pixel) gl.uniform2f(at.u_pixel, 2 / gl.canvas.width, 2 / gl.canvas.height);
    if (at.u_scale) gl.uniform1f(at.u_scale, scale * this.dpr);
    return at;
  }

  drawAgents(f) {
    const { gl, dpr, colors } = this;
    if (f.n === 0) return;
    gl.bindTexture(gl.TEXTURE_2D, this.texture);
    const at = this.use(f.near ? "body" : "point", f.x0, f.y0, f.x1 - f.x0, f.y1 - f.y0);
    if (f.near) {
      gl.uniform3fv(at.u_rim, colors["body-rim"]);
      gl.uniform1f(at.u_bodiless, 5 * dpr);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, f.n);
      return;
    }
    this.density(f);
    gl.uniform1f(at.u_size, this.size * dpr);
    gl.uniform1f(at.u_opacity, this.opacity);
    gl.drawArrays(gl.POINTS, 0, f.n);
  }

  // drawBeside draws the second crowd from the frame's buffer.
  drawBeside(f) {
    const layer = f.layers[6];
    if (layer.count === 0 || !this.scene.beside) return;
    const { gl, dpr, colors } = this, at = this.use("ring", f.x0, f.y0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.frame);
    attribute(gl, 0, 2, gl.FLOAT, 16, layer.offset, 1);
    attribute(gl, 1, 2, gl.FLOAT, 16, layer.offset + 8, 1);
    gl.uniform1f(at.u_radius, this.scene.beside.radius);
    gl.uniform1f(at.u_least, 3 * dpr);
    gl.uniform1f(at.u_width, 1.5 * dpr);
    gl.uniform3fv(at.u_rim, colors.beside);
    gl.uniform3fv(at.u_fill, colors.floor);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, layer.count);
  }

  // density sets the size of points in CSS pixels and their opacity. At the mean density,
  // overlapping points have a combined opacity of four fifths.
  density(f) {
    const { box } = this.scene;
    const w = overlap(f.x0, f.x1, box[0], box[2]) || f.x1 - f.x0, h = overlap(f.y0, f.y1, box[1], box[3]) || f.y1 - f.y0;
    const area = w * h * this.camera.scale ** 2; // area of all agents, in CSS pixels
    const most = f.n < 500 ? 8 : f.n < 5000 ? 5 : 3;
    const size = this.size = Math.min(Math.max(0.6 * Math.sqrt(area / f.n), 1.5), most);
    const layers = f.n * size * size * Math.PI / 4 / area;
    this.opacity = Math.min(Math.max(1 - 0.2 ** (1 / layers), 0.04), 1);
  }

  drawObstacles(o) {
    const { gl, counts, colors: c, dpr } = this;
    if (counts.triangles > 0) {
      const at = this.use("fill", o.ox, o.oy);
      gl.uniform3fv(at.u_fill, c.solid);
      gl.drawArrays(gl.TRIANGLES, 0, counts.triangles);
      this.drawLines("edges", o.ox, o.oy, c.rim, 1, 1.5 * dpr, 0);
    }
    if (counts.rounds === 0) return;
    const at = this.use("capsule", o.ox, o.oy);
    gl.uniform3fv(at.u_fill, c.solid);
    gl.uniform3fv(at.u_rim, c.rim);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, counts.rounds);
  }

  drawLines(name, x, y, [r, g, b], opacity, width, dash) {
    const { gl } = this, count = this.counts[name];
    if (count === 0) return;
    const at = this.use("line", x, y);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[name]);
    attribute(gl, 0, 4, gl.FLOAT, 16, 0, 1);
    this.lines(at, count, r, g, b, opacity, width, 0, dash, 1);
  }

  // drawLayer draws the segments of a layer from the frame's buffer.
  drawLayer(f, layer, [r, g, b], opacity, width, taper, fade, gain = 1, stride = 16) {
    if (layer.count === 0) return;
    const { gl } = this, at = this.use("line", f.x0, f.y0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.frame);
    attribute(gl, 0, 4, gl.FLOAT, stride, layer.offset, 1);
    this.lines(at, layer.count, r, g, b, opacity, width, taper, 0, fade, gain);
  }

  lines(at, count, r, g, b, opacity, width, taper, dash, fade, gain = 1) {
    const { gl } = this;
    gl.uniform4f(at.u_color, r, g, b, opacity);
    gl.uniform1f(at.u_width, width);
    gl.uniform1f(at.u_taper, taper);
    gl.uniform1f(at.u_dash, dash);
    gl.uniform1f(at.u_fade, fade);
    gl.uniform1f(at.u_gain, gain);
    gl.uniform1f(at.u_far, 70 * this.dpr);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  // steeringGain returns a factor that makes the longest vectors of a sample easy to see. It
  // changes only when these are much too short or too long.
  steeringGain(f) {
    const { count, offset } = f.layers[2], ends = new Float32Array(f.buffer, offset, 4 * Math.min(count, 256));
    let most = 0.02 * f.topSpeed; // shorter vectors stay short
    for (let i = 0; i < ends.length; i += 4) most = Math.max(most, Math.hypot(ends[i + 2] - ends[i], ends[i + 3] - ends[i + 1]));
    const pixels = most * this.camera.scale * this.gain;
    if (most > 0 && !(pixels > 24 && pixels < 72)) this.gain = 48 / (most * this.camera.scale);
    return this.gain;
  }

  // drawMarks marks the ends of a layer's segments.
  drawMarks(f, layer, [r, g, b], ring) {
    if (layer.count === 0) return;
    const { gl, dpr } = this, at = this.use("mark", f.x0, f.y0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.frame);
    attribute(gl, 0, 2, gl.FLOAT, 16, layer.offset + 8, 0);
    gl.uniform4f(at.u_color, r, g, b, 0.95);
    gl.uniform1f(at.u_size, Math.round(7 * dpr));
    gl.uniform1f(at.u_ring, ring);
    gl.uniform1f(at.u_width, 1.25 * dpr);
    gl.drawArrays(gl.POINTS, 0, layer.count);
  }

  drawCells(f) {
    const layer = f.layers[3];
    if (layer.count === 0) return;
    const { gl, dpr, colors: { cells: [r, g, b] } } = this, at = this.use("cell", f.x0, f.y0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers.frame);
    attribute(gl, 0, 4, gl.FLOAT, 20, layer.offset, 1);
    attribute(gl, 1, 1, gl.FLOAT, 20, layer.offset + 16, 1);
    gl.uniform4f(at.u_color, r, g, b, 0.5);
    gl.uniform1f(at.u_width, 0.5 * dpr);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, layer.count);
  }

  drawFloor() {
    const { gl, camera: c, dpr, scene: { box }, colors: { floor } } = this;
    const x = Math.round((c.width / 2 + (box[0] - c.x) * c.scale) * dpr), y = Math.round((c.height / 2 + (box[1] - c.y) * c.scale) * dpr);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, Math.max(Math.round((box[2] - box[0]) * c.scale * dpr), 0), Math.max(Math.round((box[3] - box[1]) * c.scale * dpr), 0));
    gl.clearColor(floor[0], floor[1], floor[2], 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.disable(gl.SCISSOR_TEST);
  }

  drawGrid() {
    const { gl, camera: c, dpr, colors: { grid: [r, g, b] } } = this, at = this.use("grid", 0, 0);
    const spacing = round125(120 / c.scale) / 5; // strong lines, every fifth, are 48 to 120 pixels apart
    const first = (center, size) => size / 2 - ((center / spacing / 5) % 1) * 5 * spacing * c.scale * dpr;
    gl.uniform4f(at.u_color, r, g, b, 1);
    gl.uniform3f(at.u_grid, first(c.x, gl.canvas.width), first(c.y, gl.canvas.height), spacing * c.scale * dpr);
    gl.uniform1f(at.u_width, Math.max(1, dpr * 0.75));
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }
}

// overlap returns the length that two intervals have in common.
const overlap = (a0, a1, b0, b1) => Math.max(Math.min(a1, b1) - Math.max(a0, b0), 0);
