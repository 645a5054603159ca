import test from "node:test";
import assert from "node:assert/strict";
import { agentViews, decodeField, decodeFrame, decodeObstacles, newFrame, number, sightsOf } from "../page/protocol.js";
import { everyOf } from "../page/walking.js";

// frame encodes a frame of two agents as the server does.
function frame({ near, layers = 0 }) {
  const head = new DataView(new ArrayBuffer(104)), bytes = [];
  head.setUint8(0, 1);
  head.setUint8(1, near ? 1 : 0);
  head.setUint16(2, layers, true);
  head.setUint32(4, 7, true);
  [120, 2, -10, -5, 10, 5, NaN, NaN, 1, 2].forEach((v, i) => head.setFloat64(8 + 8 * i, v, true));
  head.setFloat32(88, 1.5, true);
  [3, 1000, 2].forEach((v, i) => head.setUint32(92 + 4 * i, v, true));
  bytes.push(...new Uint8Array(head.buffer), ...new Uint8Array(new Uint16Array([0, 65535, 1, 2]).buffer));
  const pad = () => { while (bytes.length % 4) bytes.push(0); };
  if (near) {
    bytes.push(...new Uint8Array(new Uint16Array([16384, 0]).buffer));
    pad();
    bytes.push(...new Uint8Array(new Float32Array([0.25, 0.5]).buffer));
  }
  pad();
  bytes.push(9, 255);
  pad();
  if (layers & 1) bytes.push(...new Uint8Array(new Uint32Array([1]).buffer), ...new Uint8Array(new Float32Array([1, 2, 3, 4]).buffer));
  if (layers & 8) bytes.push(...new Uint8Array(new Uint32Array([2]).buffer), ...new Uint8Array(new Float32Array(10).buffer));
  if (layers & 16) bytes.push(...new Uint8Array(new Uint32Array([3]).buffer), ...new Uint8Array(new Float32Array([1, 2, 3, 4, 5, 1, 2, 7, 8, 1, 1, 2, 5, 6, 0]).buffer));
  return new Uint8Array(bytes).buffer;
}

for (const near of [false, true]) {
  test(`frame, near ${near}`, () => {
    const f = decodeFrame(frame({ near, layers: 25 }), newFrame()), v = agentViews(f);
    assert.deepEqual([f.near, f.build, f.step, f.time, f.n, f.agents, f.obstacles], [near, 7, 120, 2, 2, 1000, 3]);
    assert.deepEqual([f.x0, f.y0, f.x1, f.y1, f.pointerX, f.agentX, f.agentY, f.topSpeed], [-10, -5, 10, 5, NaN, 1, 2, 1.5]);
    assert.deepEqual([[...v.x], [...v.y], [...v.value]], [[0, 65535], [1, 2], [9, 255]]);
    if (near) assert.deepEqual([[...v.heading], [...v.radius]], [[16384, 0], [0.25, 0.5]]);
    assert.deepEqual(f.layers.map((l) => l.count), [1, 0, 0, 2, 3, 0, 0]);
    assert.deepEqual(sightsOf(f), [{ x: -7, y: -1, by: 5 }, { x: -3, y: 3, by: 1 }]);
    assert.deepEqual([...new Float32Array(f.buffer, f.layers[0].offset, 4)], [1, 2, 3, 4]);
  });
}

test("decoding into a used frame clears its layers", () => {
  const f = decodeFrame(frame({ near: true, layers: 1 }), newFrame());
  decodeFrame(frame({ near: false }), f);
  assert.deepEqual([f.near, f.layers[0].count], [false, 0]);
});

test("truncated frames are rejected", () => {
  const whole = frame({ near: true, layers: 25 });
  for (let n = 0; n < whole.byteLength; n++) assert.throws(() => decodeFrame(whole.slice(0, n), newFrame()), `${n} bytes`);
});

test("obstacles", () => {
  const b = new ArrayBuffer(40 + 24 + 4 + 4 + 24), d = new DataView(b);
  d.setUint8(0, 2);
  d.setUint32(4, 5, true);
  d.setFloat64(8, 100, true);
  [1, 1, 3].forEach((v, i) => d.setUint32(24 + 4 * i, v, true));
  [1, 2, 3, 4, 0.5].forEach((v, i) => d.setFloat32(40 + 4 * i, v, true));
  d.setUint32(60, 17, true);
  d.setUint32(64, 18, true);
  const o = decodeObstacles(b);
  assert.deepEqual([o.version, o.ox, o.rounds, o.rings, o.ids[5], o.ringIds[0], o.corners.length], [5, 100, 1, 1, 17, 18, 6]);
  assert.deepEqual([...o.floats.subarray(0, 5)], [1, 2, 3, 4, 0.5]);
  assert.throws(() => decodeObstacles(b.slice(0, 90)));
});

test("open doors are the last of the obstacles", () => {
  const b = new ArrayBuffer(40 + 2 * 24 + 16), d = new DataView(b);
  d.setUint8(0, 2);
  [2, 0, 0, 2].forEach((v, i) => d.setUint32(24 + 4 * i, v, true));
  [4, 0, 9, 1].forEach((v, i) => d.setUint32(88 + 4 * i, v, true));
  const o = decodeObstacles(b);
  assert.deepEqual([o.rounds, o.closed, [...o.doors]], [2, 1, [[4, false], [9, true]]]);
  assert.throws(() => decodeObstacles(b.slice(0, 100)));
});

test("a field", () => {
  const b = new ArrayBuffer(52 + 16 + 2 * 6), d = new DataView(b);
  d.setUint8(0, 3);
  d.setUint32(4, 7, true);
  [-1, 2, 0.5].forEach((v, i) => d.setFloat64(8 + 8 * i, v, true));
  [3, 3, 2, 1].forEach((v, i) => d.setUint32(32 + 4 * i, v, true));
  [10, 1, 0, 2, 2].forEach((v, i) => d.setFloat32(48 + 4 * i, v, true));
  [0, 1, 2, 3, 65534, 65535].forEach((v, i) => d.setUint16(68 + 2 * i, v, true));
  const f = decodeField(b);
  assert.deepEqual([f.build, f.x, f.y, f.cell, f.index, f.columns, f.rows, f.top], [7, -1, 2, 0.5, 3, 3, 2, 10]);
  assert.deepEqual([[...f.goals], [...f.ways]], [[1, 0, 2, 2], [0, 1, 2, 3, 65534, 65535]]);
  for (let n = 0; n < b.byteLength; n++) assert.throws(() => decodeField(b.slice(0, n)), `${n} bytes`);
});

test("distances between contours", () => {
  assert.deepEqual([0, 6, 12, 23, 24, 60, 119, 1200].map(everyOf), [1, 0.5, 1, 1, 2, 5, 5, 100]);
});

test("numbers that JSON cannot represent", () => {
  assert.deepEqual([number("Infinity"), number("-Infinity"), number(2), number(undefined)], [Infinity, -Infinity, 2, NaN]);
});
