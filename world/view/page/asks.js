// Requests for frames of the visible part of the plane.

import { toWorldX, toWorldY } from "./camera.js";
import { LAYERS } from "./protocol.js";

export class Asks {
  constructor(connection) {
    this.connection = connection;
    this.message = { do: "next", view: [0, 0, 0, 0], pixels: [0, 0], color: "", layers: [] };
    this.x = this.y = this.scale = this.width = this.height = NaN;
    this.other = true; // colors or layers have changed
  }

  // ask requests the next frame when it is time. field is the number of the field to see; undefined:
  // none. While the scene is paused, the last request stays unanswered, and there is no traffic.
  ask(camera, canvas, coloring, show, field, running) {
    const { message: m } = this, { x, y, scale } = camera, { width, height } = canvas;
    const changed = this.other || field !== m.field || x !== this.x || y !== this.y || scale !== this.scale || width !== this.width || height !== this.height;
    if (!this.connection.mayAsk(running, changed)) return;
    m.view[0] = toWorldX(camera, 0);
    m.view[1] = toWorldY(camera, camera.height);
    m.view[2] = toWorldX(camera, camera.width);
    m.view[3] = toWorldY(camera, 0);
    m.pixels[0] = width;
    m.pixels[1] = height;
    m.color = coloring;
    if (field === undefined) delete m.field;
    else m.field = field;
    if (this.other) m.layers = LAYERS.filter((name) => show[name]);
    this.connection.ask(m);
    this.other = false;
    this.x = x;
    this.y = y;
    this.scale = scale;
    this.width = width;
    this.height = height;
  }
}
