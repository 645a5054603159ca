// The connection to the server: opens it again by itself when it is lost,
// and asks for frames. Each ask is a credit: the server sends one frame for
// it, so that a slow page is never sent more than it can draw.

import { connect } from "./socket.js";

const FIRST = 250, LONGEST = 5000; // ms between attempts

export class Connection {
  // on has open(), text(message), binary(buffer) and closed(ms until the next
  // attempt, what the server gave as its reason, if it did).
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
      this.delay = FIRST; // it works: the next loss is a new one
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

  // hurry tries at once instead of waiting for the next attempt.
  hurry() {
    if (this.connected || this.socket.readyState === WebSocket.CONNECTING) return;
    this.delay = FIRST;
    this.open();
  }

  // send sends what is asked for, if there is a connection.
  send(what) {
    if (this.connected && this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(what));
  }

  // mayAsk says whether one may ask for a frame: two are under way at most
  // while the scene runs, so that the next one comes in time, and one while it
  // stands still. There is always room for one more when what the page shows has
  // changed: the asks that wait would be answered, but do not tell of it.
  mayAsk(running, changed) {
    return this.connected && this.unanswered < (changed ? 3 : running ? 2 : 1);
  }

  ask(what) {
    this.unanswered++;
    this.send(what);
  }

  // answered counts a frame that came.
  answered() {
    if (this.unanswered > 0) this.unanswered--;
  }
}
