import test from "node:test";
import assert from "node:assert/strict";
import { Meter } from "../page/meter.js";

// after returns the rates at four readings a second. frames holds the number of frames before each reading.
function after(paused, frames) {
  const m = new Meter(0);
  let now = 0;
  return frames.map((n) => {
    for (let i = 0; i < n; i++) m.came(200);
    m.read(paused, now += 250);
    return m.words(1, 1).split(" · ")[1];
  });
}

test("a fast scene", () => assert.deepEqual(after(false, [15, 15]), ["60 fps", "60 fps"]));
test("a slow scene is not idle", () => {
  assert.deepEqual(after(false, [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]).slice(4), ["1.3 s per frame", ...Array(7).fill("1.5 s per frame"), "1.8 s per frame"]);
});
test("a paused scene is idle", () => assert.deepEqual(after(true, [5, 0, 0, 0, 0]), ["20 fps", "20 fps", "20 fps", "20 fps", "idle"]));
test("words", () => {
  const m = new Meter(0);
  m.came(200);
  assert.equal(m.words(1, 1), "1 of 1 agent · idle · 0.0 ms to draw · 200 B");
  assert.equal(m.words(40, 40, { dots: 3 }), "40 of 40 agents on 3 dots · idle · 0.0 ms to draw · 200 B");
  assert.equal(m.words(40, 40, { dots: 40 }), "40 of 40 agents · idle · 0.0 ms to draw · 200 B");
  assert.equal(m.words(20, 1000), "20 of 1,000 agents · idle · 0.0 ms to draw · 200 B");
});
