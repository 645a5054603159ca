// A second crowd among the agents, such as people who were recorded.

import { whole } from "./format.js";

// boxOf returns the part of a scene that the page shows first: its box, and where recorded people are.
export function boxOf({ box, beside }) {
  if (!beside) return box;
  const [x0, y0, x1, y1] = beside.box;
  return [Math.min(box[0], x0), Math.min(box[1], y0), Math.max(box[2], x1), Math.max(box[3], y1)];
}

// wordsOf says how many of them are there, now of ever.
export const wordsOf = (scene, stats) => `${whole(stats?.beside ?? NaN)} of ${whole(scene.beside.people)} recorded people`;
