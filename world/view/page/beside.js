// A second crowd among the agents, such as recorded people.

import { whole } from "./format.js";

// boxOf returns the initial view: the box of the scene extended by that of the recorded people.
export function boxOf({ box, beside }) {
  if (!beside) return box;
  const [x0, y0, x1, y1] = beside.box;
  return [Math.min(box[0], x0), Math.min(box[1], y0), Math.max(box[2], x1), Math.max(box[3], y1)];
}

// wordsOf returns the number of people present, of all.
export const wordsOf = (scene, stats) => `${whole(stats?.beside ?? NaN)} of ${whole(scene.beside.people)} recorded people`;
