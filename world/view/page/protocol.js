// Decodes messages of the server without copying. A frame is its buffer with offsets, ready for the GPU.

export const FRAME = 1, OBSTACLES = 2, FIELD = 3;

// The layers that the server sends, in the order of their bits.
export const LAYERS = ["targets", "threats", "steering", "cells", "neighbors", "routes", "beside"];
const BYTES = { cells: 20, neighbors: 20, routes: 20 }; // bytes per item; other layers have 16

const HEADER = 104;
const NUMBERS = ["step", "time", "x0", "y0", "x1", "y1", "pointerX", "pointerY", "agentX", "agentY"]; // from byte 8
const pad4 = (n) => (n + 3) & ~3;

export function newFrame() {
  return {
    buffer: null, near: false, cut: false, coloring: 0, build: 0, step: 0, time: 0,
    x0: 0, y0: 0, x1: 1, y1: 1, pointerX: NaN, pointerY: NaN, agentX: NaN, agentY: NaN,
    topSpeed: 1, obstacles: 0, agents: 0, n: 0,
    x: 0, y: 0, heading: 0, radius: 0, value: 0, // offsets in bytes
    layers: LAYERS.map((name) => ({ name, count: 0, offset: 0, own: 0 })),
  };
}

// decodeFrame reads a binary frame into out, and returns out. It throws if the message is too short or not a frame.
export function decodeFrame(buffer, out) {
  need(buffer, HEADER);
  const d = new DataView(buffer);
  if (d.getUint8(0) !== FRAME) throw new Error(`frame: kind is ${d.getUint8(0)}, want ${FRAME}`);
  const flags = d.getUint8(1), present = d.getUint16(2, true);
  out.buffer = buffer;
  out.near = (flags & 1) !== 0;
  out.cut = (flags & 2) !== 0;
  out.coloring = flags >> 4; // index in COLORINGS
  out.build = d.getUint32(4, true);
  NUMBERS.forEach((name, i) => { out[name] = d.getFloat64(8 + 8 * i, true); });
  out.topSpeed = d.getFloat32(88, true);
  out.obstacles = d.getUint32(92, true);
  out.agents = d.getUint32(96, true);
  const n = out.n = d.getUint32(100, true);
  out.x = HEADER;
  out.y = out.x + 2 * n;
  out.heading = out.y + 2 * n;
  out.radius = pad4(out.heading + (out.near ? 2 * n : 0));
  out.value = out.radius + (out.near ? 4 * n : 0);
  let at = pad4(out.value + n);
  need(buffer, at);
  for (let bit = 0; bit < LAYERS.length; bit++) {
    const layer = out.layers[bit];
    layer.count = layer.offset = layer.own = 0;
    if (!(present & 1 << bit)) continue;
    need(buffer, at + 4);
    layer.count = d.getUint32(at, true);
    layer.offset = at + 4;
    at = layer.offset + layer.count * (BYTES[LAYERS[bit]] ?? 16);
    need(buffer, at);
  }
  for (const near of [out.layers[4], out.layers[5]]) { // items of the selected agent come first
    while (near.own < near.count && d.getFloat32(near.offset + 20 * near.own + 16, true) > 0) near.own++;
  }
  return out;
}

// sightsOf returns the agents that the selected agent sees: their positions in meters, and one
// bit for each behavior of the selected agent that sees them.
export function sightsOf(f) {
  const { offset, own } = f.layers[4], numbers = new Float32Array(f.buffer, offset, 5 * own);
  return Array.from({ length: own }, (_, i) => ({ x: f.x0 + numbers[5 * i + 2], y: f.y0 + numbers[5 * i + 3], by: numbers[5 * i + 4] }));
}

export function agentViews(f) {
  return {
    x: new Uint16Array(f.buffer, f.x, f.n),
    y: new Uint16Array(f.buffer, f.y, f.n),
    heading: f.near ? new Uint16Array(f.buffer, f.heading, f.n) : null,
    radius: f.near ? new Float32Array(f.buffer, f.radius, f.n) : null,
    value: new Uint8Array(f.buffer, f.value, f.n),
  };
}

// largestRadius returns the largest radius in a sample of agents, in meters, or 0 if the frame has no radii.
export function largestRadius(f) {
  if (!f?.near) return 0;
  const some = new Float32Array(f.buffer, f.radius, Math.min(f.n, 256));
  return some.reduce((most, r) => Math.max(most, r), 0);
}

// ROUND is the size of a circle or wall in bytes, and ROUNDS is the offset of the first one.
export const ROUND = 24, ROUNDS = 40;

// decodeObstacles decodes the obstacles. Positions are relative to (ox, oy). Each circle or wall takes
// six elements: ax, ay, bx, by and radius in floats, and then its id in ids.
export function decodeObstacles(buffer) {
  need(buffer, ROUNDS);
  const d = new DataView(buffer);
  if (d.getUint8(0) !== OBSTACLES) throw new Error(`obstacles: kind is ${d.getUint8(0)}, want ${OBSTACLES}`);
  const rounds = d.getUint32(24, true), rings = d.getUint32(28, true), corners = d.getUint32(32, true);
  const ringIds = ROUNDS + ROUND * rounds, ringStarts = ringIds + 4 * rings, first = ringStarts + 4 * rings;
  const doorsAt = first + 8 * corners, doorCount = d.getUint32(36, true), doors = new Map();
  need(buffer, doorsAt + 8 * doorCount);
  for (let i = 0; i < doorCount; i++) doors.set(d.getUint32(doorsAt + 8 * i, true), d.getUint32(doorsAt + 8 * i + 4, true) === 1);
  const open = [...doors.values()].filter((is) => is).length;
  return {
    buffer, rounds, rings,
    doors, // id → whether it is open
    closed: rounds - open, // open doors are the last of the rounds
    version: d.getUint32(4, true), ox: d.getFloat64(8, true), oy: d.getFloat64(16, true),
    floats: new Float32Array(buffer, ROUNDS, 6 * rounds),
    ids: new Uint32Array(buffer, ROUNDS, 6 * rounds), // every sixth number, starting at index 5
    ringIds: new Uint32Array(buffer, ringIds, rings),
    ringStarts: new Uint32Array(buffer, ringStarts, rings),
    corners: new Float32Array(buffer, first, 2 * corners),
  };
}

// decodeField decodes the walking distances of a field: 65534 means a distance of top meters, and 65535
// means no path. A goal has the x and y of two corners, relative to (x, y).
export function decodeField(buffer) {
  const head = 52;
  need(buffer, head);
  const d = new DataView(buffer);
  if (d.getUint8(0) !== FIELD) throw new Error(`field: kind is ${d.getUint8(0)}, want ${FIELD}`);
  const columns = d.getUint32(36, true), rows = d.getUint32(40, true), goals = d.getUint32(44, true);
  need(buffer, head + 16 * goals + 2 * columns * rows);
  return {
    build: d.getUint32(4, true), x: d.getFloat64(8, true), y: d.getFloat64(16, true), cell: d.getFloat64(24, true),
    index: d.getUint32(32, true), columns, rows, top: d.getFloat32(48, true),
    goals: new Float32Array(buffer, head, 4 * goals),
    ways: new Uint16Array(buffer, head + 16 * goals, columns * rows),
  };
}

// number returns a number of a JSON message, in which infinite numbers are strings. A missing number is NaN.
export function number(v) {
  if (v === "Infinity" || v === "+Inf") return Infinity;
  if (v === "-Infinity" || v === "-Inf") return -Infinity;
  return v === null || v === undefined || v === "" ? NaN : Number(v);
}

function need(buffer, bytes) {
  if (buffer.byteLength < bytes) throw new Error(`message has ${buffer.byteLength} bytes, want at least ${bytes}`);
}
