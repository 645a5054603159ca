// The shaders, one program for each kind of object. They smooth edges using the signed distance in
// pixels, so multisampling is not needed.
//
// u_map maps an object's coordinates to clip space, (x, y)·u_map.xy + u_map.zw; u_pixel is the size of
// a device pixel in clip space.

const head = `#version 300 es
precision highp float;
precision highp int;
`;

const quad = `
uniform vec4 u_map;
uniform vec2 u_pixel;
vec2 corner() { return vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0; }
`;

// nosed is the distance in pixels to the edge of a disc with a nose. The nose is bounded by the two
// tangents from a point ahead of the disc.
const nosed = `
float nosed(vec2 at, float radius) {
  float ahead = radius * 1.42;
  vec2 normal = vec2(radius / ahead, sqrt(1.0 - radius * radius / (ahead * ahead)));
  vec2 q = vec2(at.x, abs(at.y));
  return dot(q, vec2(normal.y, -normal.x)) > 0.0 ? dot(q, normal) - radius : length(at) - radius;
}
`;

// Near agents: discs with a radius, and a nose in the direction that the agent faces.
export const body = {
  attributes: ["a_x", "a_y", "a_heading", "a_radius", "a_value"],
  vertex: `${head}${quad}
in float a_x, a_y, a_heading, a_radius, a_value;
uniform float u_scale, u_bodiless;
uniform sampler2D u_palette;
out vec2 v_at;
flat out vec3 v_color;
flat out float v_radius;
void main() {
  float r = a_radius > 0.0 ? max(a_radius * u_scale, 1.0) : u_bodiless;
  float turn = a_heading * (65535.0 / 65536.0 * 6.283185307179586);
  vec2 face = vec2(cos(turn), sin(turn));
  v_at = corner() * vec2(r * 1.6 + 1.5, r + 1.5);
  v_radius = r;
  v_color = texelFetch(u_palette, ivec2(int(a_value * 255.0 + 0.5), 0), 0).rgb;
  vec2 offset = vec2(v_at.x * face.x - v_at.y * face.y, v_at.x * face.y + v_at.y * face.x);
  gl_Position = vec4(vec2(a_x, a_y) * u_map.xy + u_map.zw + offset * u_pixel, 0.0, 1.0);
}`,
  fragment: `${head}${nosed}
in vec2 v_at;
flat in vec3 v_color;
flat in float v_radius;
uniform vec3 u_rim;
out vec4 color;
void main() {
  float disc = length(v_at) - v_radius, d = nosed(v_at, v_radius);
  float cover = clamp(0.5 - d, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float wide = clamp(v_radius * 0.12, 0.0, 2.5);
  float rim = clamp(d + wide + 0.5, 0.0, 1.0) * smoothstep(2.5, 6.0, v_radius) * 0.55;
  // The disc's edge separates the body from the nose.
  rim = max(rim, (1.0 - smoothstep(0.0, 1.2, abs(disc))) * smoothstep(9.0, 14.0, v_radius) * 0.35);
  color = vec4(mix(v_color, u_rim, rim) * cover, cover);
}`,
};

// The second crowd: outlines of discs, with a nose in the direction of motion.
export const ring = {
  attributes: ["a_at", "a_ahead"],
  vertex: `${head}${quad}
in vec2 a_at, a_ahead;
uniform float u_scale, u_radius, u_least;
out vec2 v_at;
flat out float v_radius, v_goes;
void main() {
  float r = max(u_radius * u_scale, u_least), speed = length(a_ahead);
  vec2 face = speed > 0.0 ? a_ahead / speed : vec2(1.0, 0.0);
  v_at = corner() * vec2(r * 1.6 + 1.5, r + 1.5);
  v_radius = r;
  v_goes = speed > 0.0 ? 1.0 : 0.0;
  vec2 offset = vec2(v_at.x * face.x - v_at.y * face.y, v_at.x * face.y + v_at.y * face.x);
  gl_Position = vec4(a_at * u_map.xy + u_map.zw + offset * u_pixel, 0.0, 1.0);
}`,
  fragment: `${head}${nosed}
in vec2 v_at;
flat in float v_radius, v_goes;
uniform vec3 u_rim, u_fill;
uniform float u_width;
out vec4 color;
void main() {
  float d = v_goes > 0.0 ? nosed(v_at, v_radius) : length(v_at) - v_radius;
  float wide = clamp(v_radius * 0.2, u_width, 2.0 * u_width);
  float inside = clamp(0.5 - d, 0.0, 1.0), rim = inside * clamp(d + wide + 0.5, 0.0, 1.0);
  float fill = 0.35 * (inside - rim);
  color = vec4(u_rim * rim + u_fill * fill, rim + fill);
}`,
};

// Far agents: round points. With u_opacity below 1, a place is more opaque the more points overlap there.
export const point = {
  attributes: ["a_x", "a_y", "a_value"],
  vertex: `${head}
in float a_x, a_y, a_value;
uniform vec4 u_map;
uniform float u_size;
uniform sampler2D u_palette;
flat out vec3 v_color;
void main() {
  v_color = texelFetch(u_palette, ivec2(int(a_value * 255.0 + 0.5), 0), 0).rgb;
  gl_PointSize = ceil(u_size) + 1.0;
  gl_Position = vec4(vec2(a_x, a_y) * u_map.xy + u_map.zw, 0.0, 1.0);
}`,
  fragment: `${head}
flat in vec3 v_color;
uniform float u_size, u_opacity;
out vec4 color;
void main() {
  float d = length((gl_PointCoord - 0.5) * (ceil(u_size) + 1.0)) - u_size * 0.5;
  float cover = clamp(0.5 - d, 0.0, 1.0) * u_opacity;
  color = vec4(v_color * cover, cover);
}`,
};

// Circles and walls: all points within a radius of the line from a to b.
export const capsule = {
  attributes: ["a_ends", "a_radius"],
  vertex: `${head}${quad}
in vec4 a_ends;
in float a_radius;
uniform float u_scale;
out vec2 v_at;
flat out float v_length, v_radius;
void main() {
  vec2 a = a_ends.xy * u_map.xy + u_map.zw, b = a_ends.zw * u_map.xy + u_map.zw;
  vec2 along = (b - a) / u_pixel;
  v_length = length(along);
  along = v_length > 0.0 ? along / v_length : vec2(1.0, 0.0);
  v_radius = max(a_radius * u_scale, 0.75);
  float reach = v_radius + 1.5;
  vec2 c = corner();
  v_at = vec2(c.x > 0.0 ? v_length + reach : -reach, c.y * reach);
  vec2 offset = along * v_at.x + vec2(-along.y, along.x) * v_at.y;
  gl_Position = vec4(a + offset * u_pixel, 0.0, 1.0);
}`,
  fragment: `${head}
in vec2 v_at;
flat in float v_length, v_radius;
uniform vec3 u_fill, u_rim;
out vec4 color;
void main() {
  float d = length(vec2(v_at.x - clamp(v_at.x, 0.0, v_length), v_at.y)) - v_radius;
  float cover = clamp(0.5 - d, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float wide = clamp(v_radius * 0.2, 0.0, 1.5);
  color = vec4(mix(u_fill, u_rim, clamp(d + wide + 0.5, 0.0, 1.0)) * cover, cover);
}`,
};

// Lines with a width in pixels. u_gain stretches them from their start, u_taper thins them toward their end, u_dash
// is the period of the dashes in pixels (0 means solid), and u_fade scales the opacity at u_far pixels from the start.
export const line = {
  attributes: ["a_ends"],
  vertex: `${head}${quad}
in vec4 a_ends;
uniform float u_width, u_gain;
out vec2 v_at;
flat out float v_length;
void main() {
  vec2 a = a_ends.xy * u_map.xy + u_map.zw, b = mix(a, a_ends.zw * u_map.xy + u_map.zw, u_gain);
  vec2 along = (b - a) / u_pixel;
  v_length = length(along);
  along = v_length > 0.0 ? along / v_length : vec2(1.0, 0.0);
  float reach = u_width * 0.5 + 1.0;
  vec2 c = corner();
  v_at = vec2(c.x > 0.0 ? v_length + reach : -reach, c.y * reach);
  vec2 offset = along * v_at.x + vec2(-along.y, along.x) * v_at.y;
  gl_Position = vec4(a + offset * u_pixel, 0.0, 1.0);
}`,
  fragment: `${head}
in vec2 v_at;
flat in float v_length;
uniform vec4 u_color;
uniform float u_width, u_taper, u_dash, u_fade, u_far;
out vec4 color;
void main() {
  float x = clamp(v_at.x, 0.0, v_length);
  float d = length(vec2(v_at.x - x, v_at.y)) - u_width * 0.5 * (1.0 - u_taper * x / max(v_length, 1.0));
  float cover = clamp(0.5 - d, 0.0, 1.0) * u_color.a;
  if (u_dash > 0.0) cover *= clamp(u_dash * 0.3 - abs(mod(x, u_dash) - u_dash * 0.3) + 0.5, 0.0, 1.0);
  cover *= mix(1.0, u_fade, smoothstep(0.0, u_far, x));
  if (v_length < 0.5) cover = 0.0;
  color = vec4(u_color.rgb * cover, cover);
}`,
};

// Marks at the ends of lines: crosses for targets, rings for threats.
export const mark = {
  attributes: ["a_at"],
  vertex: `${head}
in vec2 a_at;
uniform vec4 u_map;
uniform float u_size;
void main() {
  gl_PointSize = u_size + 2.0;
  gl_Position = vec4(a_at * u_map.xy + u_map.zw, 0.0, 1.0);
}`,
  fragment: `${head}
uniform vec4 u_color;
uniform float u_size, u_ring, u_width;
out vec4 color;
void main() {
  vec2 p = abs(gl_PointCoord - 0.5) * (u_size + 2.0);
  float cross = max(min(p.x, p.y) - u_width * 0.5, max(p.x, p.y) - u_size * 0.5);
  float ring = abs(length(p) - u_size * 0.5 + u_width) - u_width * 0.5;
  float cover = clamp(0.5 - mix(cross, ring, u_ring), 0.0, 1.0) * u_color.a;
  color = vec4(u_color.rgb * cover, cover);
}`,
};

// Cells of the index: rectangles; the more obstacles, the more opaque.
export const cell = {
  attributes: ["a_box", "a_count"],
  vertex: `${head}${quad}
in vec4 a_box;
in float a_count;
out vec2 v_at;
flat out vec2 v_half;
flat out float v_fill;
void main() {
  vec2 a = a_box.xy * u_map.xy + u_map.zw, b = a_box.zw * u_map.xy + u_map.zw;
  v_half = abs(b - a) / u_pixel * 0.5;
  v_at = corner() * v_half;
  v_fill = 1.0 - exp2(-a_count * 0.5);
  gl_Position = vec4((a + b) * 0.5 + v_at * u_pixel, 0.0, 1.0);
}`,
  fragment: `${head}
in vec2 v_at;
flat in vec2 v_half;
flat in float v_fill;
uniform vec4 u_color;
uniform float u_width;
out vec4 color;
void main() {
  vec2 inward = v_half - abs(v_at);
  float edge = clamp(u_width + 0.5 - min(inward.x, inward.y), 0.0, 1.0);
  float cover = u_color.a * max(v_fill * 0.45, edge * 0.8);
  color = vec4(u_color.rgb * cover, cover);
}`,
};

// Triangles of one color: polygons.
export const fill = {
  attributes: ["a_at"],
  vertex: `${head}
in vec2 a_at;
uniform vec4 u_map;
void main() { gl_Position = vec4(a_at * u_map.xy + u_map.zw, 0.0, 1.0); }`,
  fragment: `${head}
uniform vec3 u_fill;
out vec4 color;
void main() { color = vec4(u_fill, 1.0); }`,
};

// The grid: lines at multiples of a spacing, every fifth one stronger. u_grid holds the position of
// the first line and the spacing, in pixels.
export const grid = {
  attributes: [],
  vertex: `${head}
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0, 0.0, 1.0); }`,
  fragment: `${head}
uniform vec4 u_color;
uniform vec3 u_grid;
uniform float u_width;
out vec4 color;
float lines(float spacing) {
  vec2 away = abs(fract((gl_FragCoord.xy - u_grid.xy) / spacing + 0.5) - 0.5) * spacing;
  return clamp(u_width * 0.5 + 0.5 - min(away.x, away.y), 0.0, 1.0);
}
void main() {
  float cover = u_color.a * max(lines(u_grid.z) * 0.5, lines(u_grid.z * 5.0));
  color = vec4(u_color.rgb * cover, cover);
}`,
};
