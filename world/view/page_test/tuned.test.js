import test from "node:test";
import assert from "node:assert/strict";
import { differing, parametersOf, Tuned } from "../page/tuned.js";

// scene has two groups with a max-speed; the first group seeks.
const scene = (one, two, gain) => ({
  name: "a", parameters: [
    { name: "dt", group: -1, section: "", label: "dt", value: 0.1 },
    { name: "groups[0].max-speed", group: 0, section: "", label: "max-speed", value: one },
    { name: "groups[0].seek.gain", group: 0, section: "seek", label: "gain", value: gain },
    { name: "groups[1].max-speed", group: 1, section: "", label: "max-speed", value: two },
  ],
});

test("a name without a group applies to all groups", () => {
  const names = (name) => parametersOf(scene(1, 1, 1), name).map((p) => p.name);
  assert.deepEqual(names("max-speed"), ["groups[0].max-speed", "groups[1].max-speed"]);
  assert.deepEqual(names("groups[1].max-speed"), ["groups[1].max-speed"]);
  assert.deepEqual(names("seek.gain"), ["groups[0].seek.gain"]);
  assert.deepEqual(names("dt"), ["dt"]);
  assert.deepEqual(names("gain"), []);
});

test("differing values", () => {
  assert.deepEqual(differing(scene(2, 2, 1), { "max-speed": 2 }), []);
  assert.deepEqual(differing(scene(2, 3, 1), { "max-speed": 2 }), ["max-speed"]);
  assert.deepEqual(differing(scene(2, 3, 1), { "max-speed": 2, "groups[1].max-speed": 3 }), []);
  assert.deepEqual(differing(scene(2, 3, 1), { "groups[1].max-speed": 3, "max-speed": 2 }), ["max-speed"]);
  assert.deepEqual(differing(scene(1, 1, 1), { "groups[7].max-speed": 3, "seek.gain": 2 }), ["seek.gain"]);
});

// tab returns a Tuned; the values that it keeps, offers and sets; and a function that advances the time.
function tab() {
  const kept = new Map(), offers = [], sets = [];
  const storage = { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v), removeItem: (k) => kept.delete(k) };
  const ask = (words, button, done) => {
    const one = { words, done, there: true, remove: () => { one.there = false; } };
    offers.push(one);
    return one;
  };
  const tuned = new Tuned((name, value) => sets.push([name, value]), storage, ask);
  return { tuned, kept, offers, sets, later: () => tuned.setAt.clear() };
}

test("values that a restarted server lacks are offered once", () => {
  const { tuned, kept, offers, sets } = tab();
  tuned.hello("one");
  tuned.keep(scene(1, 1, 1), "max-speed", 2);
  tuned.keep(scene(1, 1, 1), "groups[0].seek.gain", 3);
  tuned.show(scene(2, 2, 3));
  assert.equal(offers.length, 0);
  tuned.hello("two");
  tuned.show(scene(1, 1, 1));
  tuned.show(scene(1, 1, 1));
  assert.deepEqual(offers.map((o) => o.words), ["The server has restarted without your 2 changed values."]);
  offers[0].done(true);
  assert.deepEqual(sets, [["max-speed", 2], ["groups[0].seek.gain", 3]]);
  tuned.show(scene(2, 2, 3));
  assert.equal(offers.length, 1);
  tuned.hello("three");
  tuned.show(scene(1, 1, 1));
  offers[1].done(false);
  assert.equal(kept.size, 0);
});

test("an offer disappears when another viewer sets the values", () => {
  const { tuned, offers, later } = tab();
  tuned.hello("one");
  tuned.keep(scene(1, 1, 1), "seek.gain", 3);
  later();
  tuned.hello("two");
  tuned.show(scene(1, 1, 1));
  assert.ok(offers[0].there);
  tuned.show(scene(1, 1, 3));
  assert.ok(!offers[0].there);
});

test("values that others change, or that the server rejects, are not kept", () => {
  for (const refused of [false, true]) {
    const { tuned, kept, later } = tab();
    tuned.hello("one");
    tuned.keep(scene(1, 1, 1), "seek.gain", 3);
    tuned.show(scene(1, 1, 1)); // the value has not come back yet
    assert.equal(kept.size, 1);
    if (!refused) later();
    tuned.show(scene(1, 1, 1), refused);
    assert.equal(kept.size, 0);
  }
});
