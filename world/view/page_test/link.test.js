import test from "node:test";
import assert from "node:assert/strict";
import { Opening, readLink, writeLink } from "../page/link.js";

const scene = {
  name: "scenes/a & b.toml", build: 3, size: 40, agents: 12, seed: "18446744073709551615", parameters: [
    { name: "dt", value: 0.05, first: 0.05 },
    { name: "groups[0].seek.gain", value: 2.5, first: 1 },
    { name: "groups[1].max-speed", value: "Infinity", first: 1 },
  ],
};

test("links are read as they were written", () => {
  const words = writeLink({ scene, step: 120, x: 1.25, y: -3, across: 20.123456789 });
  assert.deepEqual(readLink(`#${words}`), {
    scene: scene.name, agents: 40, seed: scene.seed, text: undefined, step: 120, at: [1.25, -3, 20.1235], values: new Map([["groups[0].seek.gain", 2.5]]),
  });
});

test("a link to the viewer's own scene has its text", () => {
  const text = "# 100 % & more\n[[groups]]\ncount = 3\n";
  assert.equal(readLink(`#${writeLink({ scene, text, step: 1, x: 0, y: 0, across: 1 })}`).text, text);
});

test("missing and invalid parts of links are ignored", () => {
  for (const none of ["", "#", "#x=1", "#seed=7", "#scene="]) assert.equal(readLink(none), null, none);
  const bare = { scene: "a", agents: undefined, seed: undefined, text: undefined, step: undefined, at: undefined, values: new Map() };
  assert.deepEqual(readLink("#scene=a"), bare);
  assert.equal(readLink("#scene=a&seed=007").seed, "7");
  for (const wrong of ["agents=0", "agents=-1", "agents=1e3", "seed=x", "seed=-1", "step=1.5", "step=-1", "at=1,2", "at=1,2,0", "at=1,,3", "at=a,b,c", "set=", "set=a", "set=a=b", "set==1", "set=a=Infinity"]) {
    assert.deepEqual(readLink(`#scene=a&${wrong}`), bare, wrong);
  }
});

test("a link is opened only in the scene that it starts", () => {
  const sent = [], link = { scene: "a", agents: 40, seed: "7", step: 9, values: new Map([["dt", 0.1]]) };
  const opening = new Opening(link, (m) => sent.push(m), () => false);
  const is = (build, seed = "7", size = 40, name = "a") => opening.scene({ build, name, size, seed, parameters: [] });
  assert.equal(is(5), false);
  assert.deepEqual(sent.splice(0), [{ do: "pause", on: true }, { do: "scene", name: "a", n: 40, seed: "7" }]);
  for (const [build, seed, size, name] of [[5, "7", 40, "a"], [6, "8", 40, "a"], [6, "7", 41, "a"], [6, "7", 40, "b"]]) assert.equal(is(build, seed, size, name), false);
  assert.deepEqual(sent, []);
  assert.equal(is(7), true);
  assert.deepEqual(sent, [{ do: "set", name: "dt", value: 0.1 }, { do: "seek", tick: 9 }]);
});

test("a crowd that has not begun is not started again", () => {
  const link = { scene: "a", step: undefined, values: new Map() }, made = [{ name: "dt", value: 1, first: 1 }], tuned = [{ name: "dt", value: 2, first: 1 }];
  const open = (link, step, parameters, paused) => {
    const sent = [], is = new Opening(link, (m) => sent.push(m), () => paused).scene({ build: 1, name: "a", size: 40, seed: "7", parameters }, step);
    return [is, sent.map((m) => m.do).join()];
  };
  assert.deepEqual(open(link, 0, made, false), [true, "pause"]);
  assert.deepEqual(open({ ...link, agents: 40, seed: "7", step: 9 }, 0, made, false), [true, "pause,seek"]);
  for (const other of [{ scene: "b" }, { agents: 41 }, { seed: "8" }, { step: 0 }, { text: "dt = 1" }, { values: new Map([["dt", 2]]) }]) {
    assert.deepEqual(open({ ...link, ...other }, 0, made, false), [false, "pause,scene"], JSON.stringify(other));
  }
  for (const [step, parameters, paused] of [[1, made, false], [0, tuned, false], [0, made, true]]) assert.deepEqual(open(link, step, parameters, paused), [false, "pause,scene"]);
});

test("a link that fails does not change the crowd", () => {
  for (const paused of [false, true]) {
    const sent = [], opening = new Opening({ scene: "none", values: new Map() }, (m) => sent.push(m), () => paused);
    opening.fails();
    assert.deepEqual(sent, [], "it has not begun");
    opening.scene({ build: 5, name: "a", parameters: [] });
    opening.again();
    opening.scene({ build: 5, name: "a", parameters: [] });
    assert.equal(sent.splice(0).filter((m) => m.do === "scene").length, 2, "a new connection asks again");
    opening.fails();
    assert.deepEqual(sent, paused ? [] : [{ do: "pause", on: false }]);
  }
});
