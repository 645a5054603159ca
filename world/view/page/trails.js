// Trails show the positions of agents in the last seconds of the scene, in the colors that the
// agents had there. Each frame adds the motion since the last frame to a texture on the plane;
// the texture fades. So the cost does not depend on the length of the trails.

import { attribute, compile, texture } from "./gpu.js";

const SECONDS = 4, STEPS = 120; // s, length of a trail; its length in steps if steps are long
const LONG = 0.1; // s; longer steps count as long
const MARGIN = 0.2; // fraction of the view's size, beyond each of its sides
const GAP = 0.25; // fraction of a trail's length; frames farther apart are not joined
const AHEAD = 32; // largest number of agents that may come or go at one place of the list
const WIDTH = 0.8, THIN = 1, WIDE = 6; // width relative to the body's radius; smallest and largest width in CSS pixels

// lengthOf returns the length of trails in seconds, for steps of dt.
export const lengthOf = (dt) => dt <= LONG ? SECONDS : STEPS * dt;

// pair sets places[j] to the index in the previous frame of the agent with index j now; -1 means none. Both
// frames are { x, y, n } in the same units. Their agents have the same order, but agents may have come or
// gone. Agents that moved farther than limitX or limitY along an axis count as new.
export function pair(before, now, limitX, limitY, places) {
  const hits = (i, j) => i < before.n && j < now.n && Math.abs(before.x[i] - now.x[j]) <= limitX && Math.abs(before.y[i] - now.y[j]) <= limitY;
  let i = 0;
  for (let j = 0; j < now.n; j++, i++) {
    places[j] = -1;
    if (!hits(i, j)) {
      let k = 1;
      while (k <= AHEAD && !hits(i + k, j) && !hits(i, j + k)) k++;
      if (k > AHEAD) continue; // the agent leapt
      if (!hits(i + k, j)) { // the agent is new
        i--;
        continue;
      }
      i += k;
    }
    places[j] = i;
  }
}

const head = `#version 300 es
precision highp float;
precision highp sampler2D;
`;
const whole = `${head}
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0); }`;

// The texture holds a color, and its strength in the fourth channel.
const stroke = {
  attributes: ["a_x", "a_y", "a_value", "a_radius", "a_was"],
  vertex: `${head}
in float a_x, a_y, a_value, a_radius;
in vec2 a_was;
uniform vec4 u_map;
uniform vec2 u_pixel;
uniform vec3 u_width; // pixels per meter of radius, least, most
uniform sampler2D u_palette;
out vec2 v_at;
flat out float v_length, v_half;
flat out vec3 v_color;
void main() {
  vec2 a = a_was * u_map.xy + u_map.zw, b = vec2(a_x, a_y) * u_map.xy + u_map.zw;
  vec2 along = (b - a) / u_pixel;
  v_length = length(along);
  along = v_length > 0.0 ? along / v_length : vec2(1.0, 0.0);
  v_half = clamp(a_radius * u_width.x, u_width.y, u_width.z) * 0.5;
  v_color = texelFetch(u_palette, ivec2(int(a_value * 255.0 + 0.5), 0), 0).rgb;
  float reach = v_half + 1.0;
  vec2 c = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  v_at = vec2(c.x > 0.0 ? v_length + reach : -reach, c.y * reach);
  gl_Position = vec4(a + (along * v_at.x + vec2(-along.y, along.x) * v_at.y) * u_pixel, 0.0, 1.0);
}`,
  fragment: `${head}
in vec2 v_at;
flat in float v_length, v_half;
flat in vec3 v_color;
uniform float u_was; // strength at the previous place
out vec4 color;
void main() {
  if (v_length <= 0.0) discard;
  float x = clamp(v_at.x, 0.0, v_length);
  float cover = clamp(v_half + 0.5 - length(vec2(v_at.x - x, v_at.y)), 0.0, 1.0);
  if (cover <= 0.0) discard;
  color = vec4(v_color, cover * mix(u_was, 1.0, x / v_length));
}`,
};

const fade = {
  attributes: [],
  vertex: whole,
  fragment: `${head}
uniform float u_by;
out vec4 color;
void main() { color = vec4(0.0, 0.0, 0.0, u_by); }`,
};

// lay shows the texture, or copies it to another place of another texture.
const lay = {
  attributes: [],
  vertex: whole,
  fragment: `${head}
uniform sampler2D u_trails;
uniform vec3 u_map; // from pixels to texels: scale, and place of the first
uniform float u_opacity; // 0 means to copy
out vec4 color;
vec4 at(ivec2 i) {
  vec4 c = all(greaterThanEqual(i, ivec2(0))) && all(lessThan(i, textureSize(u_trails, 0))) ? texelFetch(u_trails, i, 0) : vec4(0.0);
  return vec4(c.rgb * c.a, c.a);
}
void main() {
  vec2 p = gl_FragCoord.xy * u_map.x + u_map.yz - 0.5, f = fract(p);
  ivec2 i = ivec2(floor(p));
  vec4 c = mix(mix(at(i), at(i + ivec2(1, 0)), f.x), mix(at(i + ivec2(0, 1)), at(i + 1), f.x), f.y);
  color = u_opacity > 0.0 ? c * u_opacity : vec4(c.a > 0.0 ? c.rgb / c.a : c.rgb, c.a);
}`,
};

export class Trails {
  constructor(gl) {
    this.gl = gl;
    this.stroke = compile(gl, stroke);
    this.fade = compile(gl, fade);
    this.lay = compile(gl, lay);
    this.was = gl.createBuffer();
    this.frame = gl.createFramebuffer();
    this.last = { x: new Float64Array(0), y: new Float64Array(0), n: 0, build: NaN, time: NaN, x0: 0, y0: 0, w: 0, h: 0 };
    this.now = { x: null, y: null, n: 0 };
    this.texture = null;
    this.clear();
  }

  // clear drops all trails and frees their memory.
  clear() {
    this.gl.deleteTexture(this.texture);
    this.texture = null;
    this.last.time = NaN;
    this.faded = 0; // fading that is still due, in units of 1/255
  }

  // add adds a frame, which is in a buffer of the GPU. length is the length of trails in seconds.
  add(f, buffer, palette, camera, length) {
    const { gl, last } = this, passed = f.build === last.build ? f.time - last.time : NaN; // NaN in the first frame
    if (!(passed >= 0)) this.clear();
    if (passed > 0 || this.texture) this.place(camera);
    if (passed === 0) return;
    if (passed > 0) {
      gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
      gl.viewport(0, 0, this.width, this.height);
      this.pale(passed / length * 255);
      this.draw(f, buffer, palette, camera, Math.max(1 - passed / length, 0), passed <= GAP * length ? passed : 0);
      gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    }
    this.remember(f);
  }

  remember(f) {
    const { last } = this, x = new Uint16Array(f.buffer, f.x, f.n), y = new Uint16Array(f.buffer, f.y, f.n);
    if (last.x.length < f.n) {
      last.x = new Float64Array(f.n);
      last.y = new Float64Array(f.n);
    }
    last.x.set(x);
    last.y.set(y);
    Object.assign(last, { n: f.n, build: f.build, time: f.time, x0: f.x0, y0: f.y0, w: f.x1 - f.x0, h: f.y1 - f.y0 });
  }

  // pale reduces the strength, in whole units of 1/255.
  pale(by) {
    const { gl } = this, levels = Math.floor(this.faded += by);
    this.faded -= levels;
    if (levels === 0) return;
    gl.useProgram(this.fade.program);
    gl.bindVertexArray(this.fade.array);
    gl.uniform1f(this.fade.at.u_by, Math.min(levels, 255) / 255);
    gl.colorMask(false, false, false, true);
    gl.blendEquation(gl.FUNC_REVERSE_SUBTRACT);
    gl.blendFunc(gl.ONE, gl.ONE);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.colorMask(true, true, true, true);
    this.resetBlending();
  }

  // draw draws the motion since the last frame. passed is the time since then in seconds; if it is 0, nothing is
  // drawn. strength is the strength of the trails at the last frame.
  draw(f, buffer, palette, camera, strength, passed) {
    if (f.n === 0) return;
    const { gl, stroke: { program, at, array }, k } = this, w = f.x1 - f.x0, h = f.y1 - f.y0;
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    attribute(gl, 0, 1, gl.UNSIGNED_SHORT, 2, f.x, 1);
    attribute(gl, 1, 1, gl.UNSIGNED_SHORT, 2, f.y, 1);
    attribute(gl, 2, 1, gl.UNSIGNED_BYTE, 1, f.value, 1);
    if (f.near) attribute(gl, 3, 1, gl.FLOAT, 4, f.radius, 1);
    else gl.disableVertexAttribArray(3);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.was);
    gl.bufferData(gl.ARRAY_BUFFER, this.before(f, 1.5 * f.topSpeed * passed), gl.STREAM_DRAW);
    attribute(gl, 4, 2, gl.FLOAT, 8, 0, 1);
    const kx = 2 * k / this.width, ky = 2 * k / this.height, css = k / camera.scale;
    gl.uniform4f(at.u_map, w * kx, h * ky, (f.x0 - this.x) * kx - 1, (f.y0 - this.y) * ky - 1);
    gl.uniform2f(at.u_pixel, 2 / this.width, 2 / this.height);
    gl.uniform3f(at.u_width, WIDTH * k, THIN * css, WIDE * css);
    gl.uniform1f(at.u_was, strength);
    gl.bindTexture(gl.TEXTURE_2D, palette);
    gl.blendEquationSeparate(gl.FUNC_ADD, gl.MAX);
    gl.blendFuncSeparate(gl.ONE, gl.ZERO, gl.ONE, gl.ONE);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, f.n);
    this.resetBlending();
  }

  // before returns where the agents of the frame f were in the last frame, relative to the window of f.
  // For agents that moved more than limit, in meters, it returns their present positions.
  before(f, limit) {
    const { last, now } = this, w = f.x1 - f.x0, h = f.y1 - f.y0, moved = last.x0 !== f.x0 || last.y0 !== f.y0 || last.w !== w || last.h !== h;
    now.x = new Uint16Array(f.buffer, f.x, f.n);
    now.y = new Uint16Array(f.buffer, f.y, f.n);
    now.n = f.n;
    if (!(this.places?.length >= f.n)) {
      this.places = new Int32Array(f.n);
      this.positions = new Float32Array(2 * f.n);
    }
    if (limit > 0) {
      if (moved) for (let i = 0; i < last.n; i++) {
        last.x[i] = (last.x[i] * last.w / 65535 + last.x0 - f.x0) / w * 65535;
        last.y[i] = (last.y[i] * last.h / 65535 + last.y0 - f.y0) / h * 65535;
      }
      pair(last, now, limit / w * 65535 + 1.5, limit / h * 65535 + 1.5, this.places);
    } else this.places.fill(-1, 0, f.n);
    for (let j = 0; j < f.n; j++) {
      const i = this.places[j];
      this.positions[2 * j] = (i < 0 ? now.x[j] : last.x[i]) / 65535;
      this.positions[2 * j + 1] = (i < 0 ? now.y[j] : last.y[i]) / 65535;
    }
    return this.positions.subarray(0, 2 * f.n);
  }

  // place makes the texture cover the view, with texels about as large as pixels. The content keeps
  // its place on the plane.
  place(camera) {
    const { gl } = this, { width, height } = gl.canvas, k = camera.scale * width / camera.width;
    const x = camera.x - width / 2 / k, y = camera.y - height / 2 / k; // lower left corner of the view
    if (this.texture && k < 1.25 * this.k && k > 0.8 * this.k) {
      const w = this.width / this.k, h = this.height / this.k;
      if (x >= this.x && y >= this.y && x + width / k <= this.x + w && y + height / k <= this.y + h) return;
    }
    const most = gl.getParameter(gl.MAX_TEXTURE_SIZE), old = { texture: this.texture, x: this.x, y: this.y, k: this.k };
    const beyondX = Math.round(MARGIN * width), beyondY = Math.round(MARGIN * height);
    const same = old.texture && k === old.k; // in this case texels coincide
    const snap = (to, from) => same ? from + Math.round((to - from) * k) / k : to;
    this.x = snap(x - beyondX / k, old.x);
    this.y = snap(y - beyondY / k, old.y);
    this.k = k;
    this.width = Math.min(width + 2 * beyondX, most);
    this.height = Math.min(height + 2 * beyondY, most);
    this.texture = texture(gl, gl.NEAREST);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, this.width, this.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, this.texture, 0);
    gl.viewport(0, 0, this.width, this.height);
    if (old.texture) {
      const scale = old.k / k;
      gl.disable(gl.BLEND);
      this.copy(old.texture, scale, (this.x - old.x) * old.k, (this.y - old.y) * old.k, 0);
      gl.enable(gl.BLEND);
      gl.deleteTexture(old.texture);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // show draws the trails.
  show(camera, opacity) {
    if (!this.texture) return;
    const { width, height } = this.gl.canvas, k = camera.scale * width / camera.width;
    const first = (center, size, from) => (center - size / 2 / k - from) * this.k;
    this.copy(this.texture, this.k / k, first(camera.x, width, this.x), first(camera.y, height, this.y), opacity);
  }

  copy(texture, scale, x, y, opacity) {
    const { gl, lay: { program, at, array } } = this;
    gl.useProgram(program);
    gl.bindVertexArray(array);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform3f(at.u_map, scale, near(x), near(y));
    gl.uniform1f(at.u_opacity, opacity);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  }

  resetBlending() {
    const { gl } = this;
    gl.blendEquation(gl.FUNC_ADD);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }
}

// near rounds numbers that are whole except for rounding errors.
const near = (x) => Math.abs(x - Math.round(x)) < 1e-3 ? Math.round(x) : x;
