// The connection to the server. It reconnects, and requests frames. The server sends one frame per
// request, so a slow page never gets more than it can draw.

import { toWorldX, toWorldY } from "./camera.js";
import { LAYERS } from "./protocol.js";
import { connect } from "./socket.js";

const FIRST = 250, LONGEST = 5000; // ms between attempts

export class Connection {
  // on holds the callbacks open(), text(message), binary(buffer) and closed(ms until the next
  // attempt, reason given by the server).
  constructor(on) {
    this.on = on;
    this.connected = false;
    this.unanswered = 0;
    this.delay = FIRST;
    this.timer = 0;
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = this.socket = connect();
    socket.binaryType = "arraybuffer";
    socket.onopen = () => {
      this.connected = true;
      this.unanswered = 0;
      this.on.open();
    };
    socket.onmessage = ({ data }) => {
      this.delay = FIRST;
      if (typeof data === "string") this.on.text(JSON.parse(data));
      else this.on.binary(data);
    };
    socket.onclose = ({ reason }) => {
      if (socket !== this.socket) return;
      this.connected = false;
      const wait = this.delay * (0.75 + Math.random() / 2);
      this.delay = Math.min(this.delay * 1.6, LONGEST);
      this.timer = setTimeout(() => this.open(), wait);
      this.on.closed(wait, reason);
    };
  }

  // hurry reconnects at once, unless the page is connected or connecting.
  hurry() {
    if (this.connected || this.socket.readyState === WebSocket.CONNECTING) return;
    this.delay = FIRST;
    this.open();
  }

  // send sends a message if there is a connection.
  send(what) {
    if (this.connected && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(what));
  }

  // mayAsk reports whether to request a frame. While the scene runs, at most two requests are
  // pending, so the next frame arrives in time. While it is paused, at most one is pending. If the
  // view has changed, up to three may be pending, because older requests are for the old view.
  mayAsk(running, changed) {
    return this.connected && this.unanswered < (changed ? 3 : running ? 2 : 1);
  }

  ask(what) {
    this.unanswered++;
    this.send(what);
  }

  answered() {
    if (this.unanswered > 0) this.unanswered--;
  }
}

export class Asks {
  constructor(connection) {
    this.connection = connection;
    this.message = { do: "next", view: [0, 0, 0, 0], pixels: [0, 0], color: "", layers: [] };
    this.x = this.y = this.scale = this.width = this.height = NaN;
    this.other = true; // colors or layers have changed
  }

  // ask requests the next frame if mayAsk allows it. field is the number of the field to show; undefined
  // means none. While the scene is paused, the last request stays pending, and no frames come.
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
