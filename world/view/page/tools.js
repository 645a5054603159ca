// The tools for mouse and touch on the stage. They look around and select agents; lead the scene's pointer;
// add, drag and delete obstacles; draw walls and doors; open and close doors; and set goals of agents.

import { toWorldX, toWorldY } from "./camera.js";
import { cornersOf, idsOf, obstacleAt, obstacleOf } from "./shapes.js";
import { byId } from "./dom.js";
import { DOT } from "./dots.js";
import { toast } from "./toast.js";

const REACH = 14, FINGER = 24; // pixels, reach of a click and of a tap
const LEAST = 8; // pixels, length of the shortest wall
const THICK = { m: 0.1, px: 2 }; // half the thickness of walls and doors
const PERIOD = 1000 / 60; // ms between messages during a movement

const EDITS = ["obstacle", "wall", "door", "goal"];

export class Tools {
  // app provides camera, send, scene, obstacles, agent, redraw and largestRadius.
  constructor(app) {
    this.app = app;
    this.mode = "look";
    this.over = this.chosen = null; // ids of obstacles; null means none
    this.ghost = null; // obstacle being added: { x, y, radius } for a circle, { x, y, to } for a wall or door
    this.held = null; // dragged obstacle: its id, its offset from the cursor, and its first position
    this.leading = false; // the scene's pointer follows the mouse
    this.led = null; // build in which this page has led the pointer or set a goal; links leave both out
    this.pending = null;
    this.sentAt = 0;
    this.undos = []; // messages that undo changes of this page, the newest last
    this.known = null; // ids of obstacles before one was added; null means that none was added
    this.again = null; // id that the added obstacle had before it was removed; null means a new obstacle
    for (const button of document.querySelectorAll("[data-tool]")) button.onclick = () => this.set(button.dataset.tool);
    byId("delete").onclick = () => this.remove();
    byId("release").onclick = () => this.release();
    this.show();
  }

  // start chooses the tool that suits a scene.
  start(scene) {
    this.over = this.chosen = this.ghost = this.held = this.pending = null;
    this.leading = false;
    byId("tool-pointer").hidden = !scene.pointer;
    if (scene.pointer) this.mode = "pointer";
    else if (this.mode === "pointer") this.mode = "look";
    this.show();
  }

  // forget forgets this page's changes of obstacles, because a new build numbers the obstacles anew.
  forget() {
    this.undos = [];
    this.known = this.again = null;
  }

  // set changes the tool. If mode is the present tool, set returns to looking around.
  set(mode) {
    if (mode === "pointer" && !this.app.scene?.pointer || EDITS.includes(mode) && !this.app.scene?.can.includes("edit")) return;
    const before = this.mode;
    this.mode = mode === before ? "look" : mode;
    if (before === "pointer") this.release();
    this.over = this.chosen = this.ghost = this.held = null;
    this.show();
  }

  // lost resets the state after the connection was lost.
  lost() {
    this.leading = false;
    this.pending = this.held = this.ghost = null;
    this.show();
  }

  release() {
    if (this.leading) this.app.send({ do: "pointer" });
    this.leading = false;
    this.pending = null;
    this.show();
  }

  remove() {
    if (this.chosen === null) return;
    const { obstacles } = this.app, o = obstacleOf(obstacles, this.chosen);
    if (o && o.ring >= 0) this.undos.push({ again: o.id, do: "add", corners: cornersOf(obstacles, o.ring) });
    else if (o) {
      const line = o.endX !== o.x || o.endY !== o.y;
      this.undos.push({ again: o.id, do: "add", at: [o.x, o.y], radius: o.radius, ...(line ? { to: [o.endX, o.endY] } : {}), ...(obstacles.doors.has(o.id) ? { door: true } : {}) });
    }
    this.app.send({ do: "remove", id: this.chosen });
    this.chosen = this.over = this.held = null;
    this.show();
  }

  show() {
    for (const button of document.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === this.mode));
    byId("stage").dataset.mode = this.mode;
    const kind = this.app.scene?.pointer, what = kind === "both" ? "target and threat" : kind;
    byId("hint").hidden = this.mode === "look";
    const { agent } = this.app;
    byId("hint-text").textContent = {
      obstacle: this.chosen === null ? "Press and drag to add an obstacle, or drag an existing one." : "Drag the obstacle, or delete it.",
      wall: "Drag to draw a wall. Right-click a wall to remove it.",
      door: "Drag to draw a door. Click a door to open or close it; right-click it to remove it.",
      goal: agent ? `Click to set the goal of agent ${agent}, and of all agents that follow the same field.` :
        "Click to set the goal of all agents; select an agent first to set only its goal.",
    }[this.mode] ?? (this.leading ? `You move the ${what}.` : `Move the mouse, or drag a finger, to move the ${what}.`);
    byId("delete").hidden = this.mode !== "obstacle" || this.chosen === null;
    byId("release").hidden = this.mode !== "pointer" || !this.leading;
    this.app.redraw();
  }

  // soon sends the newest message, at most 60 times a second.
  soon(message) {
    this.pending = message;
    this.flush(performance.now());
  }

  flush(now, last = false) {
    if (!this.pending || !last && now - this.sentAt < PERIOD) return;
    this.app.send(this.pending);
    this.pending = null;
    this.sentAt = now;
  }

  lead(x, y) {
    this.soon({ do: "pointer", at: [x, y] });
    this.led = this.app.scene.build;
    if (!this.leading) {
      this.leading = true;
      this.show();
    }
  }

  hover(sx, sy) {
    const { camera } = this.app, x = toWorldX(camera, sx), y = toWorldY(camera, sy);
    if (this.mode === "pointer") this.lead(x, y);
    if (!EDITS.includes(this.mode) || this.mode === "goal") return;
    const over = (this.mode === "obstacle" ? obstacleAt(this.app.obstacles, x, y, 6 / camera.scale)?.id : this.doorAt(x, y, 8)) ?? null;
    if (over === this.over) return;
    this.over = over;
    byId("stage").dataset.over = over === null ? "" : "obstacle";
    this.app.redraw();
  }

  // doorAt returns the id of the door within a few pixels of a place, or null if there is none.
  doorAt(x, y, pixels) {
    const { camera, obstacles } = this.app, o = obstacleAt(obstacles, x, y, pixels / camera.scale, (id) => obstacles.doors.has(id));
    return o ? o.id : null;
  }

  // press starts a drag, and reports whether the tool takes it.
  press(sx, sy, event) {
    const { camera, obstacles } = this.app, x = toWorldX(camera, sx), y = toWorldY(camera, sy);
    if (this.mode === "pointer" && event.pointerType !== "mouse") {
      this.lead(x, y);
      return true;
    }
    if (this.mode === "wall" || this.mode === "door" && this.doorAt(x, y, event.pointerType === "mouse" ? 8 : REACH) === null) {
      this.ghost = { x, y, to: [x, y] };
      this.app.redraw();
      return true;
    }
    if (this.mode !== "obstacle") return false;
    const o = obstacleAt(obstacles, x, y, (event.pointerType === "mouse" ? 6 : REACH) / camera.scale);
    this.chosen = o ? o.id : null;
    if (o) this.held = { id: o.id, dx: o.x - x, dy: o.y - y, from: [o.x, o.y] };
    else this.ghost = { x, y, radius: 0 };
    this.show();
    return true;
  }

  drag(sx, sy) {
    const { camera } = this.app, x = toWorldX(camera, sx), y = toWorldY(camera, sy);
    if (this.mode === "pointer") this.lead(x, y);
    if (this.held) this.held.moved = true;
    if (this.held) this.soon({ do: "move", id: this.held.id, to: [x + this.held.dx, y + this.held.dy] });
    if (this.ghost?.to) this.ghost.to = [x, y];
    else if (this.ghost) this.ghost.radius = Math.hypot(x - this.ghost.x, y - this.ghost.y);
    this.app.redraw();
  }

  drop() {
    const { camera } = this.app;
    this.flush(performance.now(), true);
    if (this.ghost?.to) {
      const { x, y, to } = this.ghost, long = Math.hypot(to[0] - x, to[1] - y) * camera.scale >= LEAST;
      if (long) this.add({ do: "add", at: [x, y], to, radius: THICK[this.app.scene.unit] ?? THICK.m, ...(this.mode === "door" ? { door: true } : {}) });
    } else if (this.ghost) { // a click adds an obstacle that is easy to see
      const { x, y, radius } = this.ghost, least = 5 / camera.scale;
      this.add({ do: "add", at: [x, y], radius: radius > least ? radius : 18 / camera.scale });
    } else if (this.held?.moved) this.undos.push({ do: "move", id: this.held.id, to: this.held.from });
    this.ghost = this.held = null;
    this.app.redraw();
  }

  // cancel ends a drag without adding an obstacle. A dragged obstacle stays where it is.
  cancel() {
    this.ghost = null;
    this.drop();
  }

  // add adds an obstacle. Its id, which undo needs, comes later; see obstaclesChanged.
  add(message) {
    this.known = idsOf(this.app.obstacles);
    this.again = null;
    this.app.send(message);
  }

  // undo undoes this page's last change of obstacles.
  undo() {
    const last = this.undos.pop();
    if (!last) return toast("There is nothing to undo");
    const { again = null, ...message } = last;
    if (again !== null) this.known = idsOf(this.app.obstacles);
    this.again = again;
    this.app.send(message);
  }

  click(sx, sy, event) {
    const { camera } = this.app, x = toWorldX(camera, sx), y = toWorldY(camera, sy);
    const touch = event.pointerType === "touch";
    if (this.mode === "goal" && event.button === 0) {
      const { agent, obstacles } = this.app, o = obstacleAt(obstacles, x, y, 0.01 / camera.scale);
      if (o && obstacles.doors.get(o.id) !== true) toast("An obstacle is in the way: click on free floor", "error");
      else {
        this.app.send({ do: "goal", at: [x, y], ...(agent ? { id: agent } : {}) });
        this.led = this.app.scene.build;
      }
    } else if (this.mode === "door" && event.button === 0) {
      const id = this.doorAt(x, y, touch ? REACH : 8);
      if (id !== null) this.app.send({ do: "door", id, on: !this.app.obstacles.doors.get(id) });
    } else if (EDITS.includes(this.mode)) {
      if (event.button !== 2) return;
      this.chosen = obstacleAt(this.app.obstacles, x, y, 6 / camera.scale)?.id ?? null;
      this.remove();
    } else if (event.button === 0) {
      const reach = touch ? FINGER : REACH;
      this.app.send({ do: "select", at: [x, y], within: Math.max(reach / camera.scale, this.app.largestRadius()), dot: DOT / camera.scale });
    }
  }

  // obstaclesChanged records the ids of added obstacles, and forgets removed obstacles.
  obstaclesChanged() {
    const { obstacles } = this.app, known = this.known;
    for (const id of known ? idsOf(obstacles) : []) {
      if (known.has(id)) continue;
      if (this.again === null) this.undos.push({ do: "remove", id });
      for (const message of this.undos) if (message.id === this.again) message.id = id;
      this.known = this.again = null;
    }
    if (this.chosen === null && this.over === null) return;
    if (!obstacleOf(obstacles, this.over)) this.over = null;
    if (!obstacleOf(obstacles, this.chosen)) {
      this.chosen = null;
      this.show();
    }
  }
}
