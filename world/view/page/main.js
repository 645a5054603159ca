// The main module of the live view. It connects the other modules and holds the state. In each
// frame of the browser, it requests, decodes and draws a frame of the server.

import * as cam from "./camera.js";
import { Asks, Connection } from "./connection.js";
import { Curves } from "./curves.js";
import { COLORINGS } from "./colors.js";
import { byId, text } from "./dom.js";
import { agentsAt, countDots } from "./dots.js";
import { baseName } from "./format.js";
import { listen } from "./gestures.js";
import { Inspector } from "./inspector.js";
import { Film, keepPicture, keepScene, keepText, listenToFiles, sceneOf, textOf } from "./files.js";
import { fillHelp, giveKeysBack, listenToKeys } from "./keys.js";
import { LAYERS as SHOWN, Legend } from "./legend.js";
import { Opening, readLink, writeLink } from "./link.js";
import { Measured } from "./measured.js";
import { Meter } from "./meter.js";
import { Overlay } from "./overlay.js";
import { isSmall, Panel } from "./panel.js";
import { decodeField, decodeFrame, decodeObstacles, FIELD, FRAME, LAYERS as SENT, largestRadius, newFrame } from "./protocol.js";
import { Renderer } from "./renderer.js";
import { Timeline } from "./timeline.js";
import { onTheme, isDark, switchTheme } from "./theme.js";
import { Ended, Starting, toast } from "./toast.js";
import { Tools } from "./tools.js";

const AROUND = 48; // pixels between the selected agent and the edges after the stage shrinks
const FEW = 2000; // agents; a larger scene colored by group opens without trails
const LATE = 2000; // ms without stats, which come four times a second between steps
const sliders = new URLSearchParams(location.search).get("embedded"); // words for the filter if another page embeds this one, otherwise null
if (sliders !== null) {
  byId("filter").value = sliders;
  byId("whole").href = location.href.replace(/\?[^#]*/, "");
}
const stage = byId("stage"), camera = cam.newCamera();
const FIRST = { targets: false, threats: false, steering: false, cells: false, neighbors: false, velocities: false, trails: false, heat: false, field: false, contours: false, routes: false, beside: true, obstacles: true, paths: true, measurements: true, box: true, grid: true }; // layers of a newly opened scene
const show = { ...FIRST };
let renderer = null, version = "", viewer = 0, scene = null, stats = null, obstacles = null;
let field = null; // newest walking distances
let frame = null, spare = newFrame(), newest = null; // the frame that is drawn, the frame to decode into, and the newest message
let coloring = sessionStorage.getItem("coloring") ?? "", drawnColoring = "speed"; // the chosen coloring (empty means the scene's), and the coloring of the drawn frame
let statsAt = NaN; // ms, time of the newest stats
let dots = null; // agents at the same point of the screen; see countDots
let follow = false, lost = false, dirty = true, size = null;

// app is the part of the page that the tools need.
const app = {
  camera,
  get scene() { return scene; },
  get obstacles() { return obstacles; },
  get agent() { return inspector.id; },
  send: (message) => connection.send(message),
  redraw: () => { dirty = true; },
  largestRadius: () => largestRadius(frame),
};

const connection = new Connection({
  open() {
    asks.other = true;
    newest = null;
    fresh = true;
    status("connected");
    connection.send({ do: "select", ...(inspector.id ? { id: inspector.id } : {}) }); // the server drops viewers that send nothing
  },
  closed(wait, reason) {
    opened();
    status("reconnecting…");
    starting.end();
    statsAt = NaN;
    tools.lost();
    const tries = wait < 1000 ? "" : ` in ${Math.round(wait / 1000)} s`;
    text(byId("banner-text"), `${reason ? `The server says: ${reason}` : "The connection to crowd is lost"}. Trying again${tries}…`);
  },
  text: hear,
  binary(buffer) {
    const [kind] = new Uint8Array(buffer, 0, 1);
    if (kind === FIELD) {
      field = decodeField(buffer);
      renderer?.setField(field);
      dirty = true;
      return;
    }
    if (kind !== FRAME) {
      obstacles = decodeObstacles(buffer);
      renderer?.setObstacles(obstacles);
      tools.obstaclesChanged();
      dirty = true;
      return;
    }
    connection.answered();
    newest = buffer;
  },
});
let fresh = true; // connected, but no scene has come yet

const asks = new Asks(connection);
const meter = new Meter(), starting = new Starting();
const ended = new Ended({ restart: () => panel.restart(), next: () => panel.nextScene() });
const inspector = new Inspector({ follow: () => setFollow(!follow), release: () => connection.send({ do: "select" }) });
const tools = new Tools(app);
const overlay = new Overlay(byId("overlay"));
let tunedIn = null; // last build with a parameter changed after its first step
const panel = new Panel((message) => {
  if (message.do === "set" && frame?.step > 0) tunedIn = frame.build;
  connection.send(message);
});
const timeline = new Timeline({
  send: (message) => connection.send(message),
  paused: () => panel.paused,
  pause: (on) => { if (panel.paused !== on) panel.togglePause(); },
});
const film = new Film(), layers = [stage, byId("overlay")];
const link = readLink(location.hash);
if (link?.text) keepText(link.scene, link.text);
let opening = link && new Opening(link, (message) => connection.send(message), () => panel.paused); // carries out the link in the address
const curves = new Curves(), measured = new Measured();
const legend = new Legend({ coloring: setColoring, layer: setLayer, toggled: refit });

// opened shows the controls.
function opened() {
  document.documentElement.classList.remove("opening");
}

function status(words) {
  text(byId("status"), words);
  byId("status").dataset.state = connection?.connected ? "on" : "off";
  byId("banner").hidden = connection?.connected !== false;
}

function hear(m) {
  switch (m.kind) {
    case "hello":
      if (version && version !== m.version) return location.reload();
      version = m.version;
      viewer = m.viewer;
      opening?.again();
      text(byId("version"), version);
      panel.hello(m);
      break;
    case "starting":
      starting.show(m, viewer);
      if (m.over) {
        panel.restore(scene);
        leaveLink();
      }
      break;
    case "scene":
      if (m.build !== scene?.build) starting.end();
      startScene(m);
      break;
    case "stats":
      statsAt = performance.now();
      stats = m;
      panel.stats(m, scene);
      timeline.stats(m, scene);
      openLink(scene, m.step);
      curves.stats(m, scene?.build, meter.read(m.paused));
      measured.stats(m, scene);
      ended.show(m);
      text(byId("trace"), m.trace ? `Trace ${m.trace} at step ${m.traceStep}` : "");
      legend.beside(scene, m);
      text(byId("hud"), meter.words(frame?.n ?? 0, frame?.agents ?? m.agents, dots) + (scene?.beside ? ` · ${m.beside} recorded` : ""));
      break;
    case "agent":
      if (m.id !== inspector.id) panel.chosen(m.id);
      if (!m.id || !m.alive) setFollow(false);
      inspector.show(m, scene);
      tools.show();
      dirty = true;
      break;
    case "file":
      if (linking) giveLink(scene.drawn ? `${baseName(scene.name).replace(/\.toml$/, "")} with changes.toml` : scene.name, m.text);
      else keepScene(m.text, fileName().replace(/-\d+$/, ""));
      linking = false;
      break;
    case "error":
      if (m.text.startsWith("next:")) connection.answered(); // no frame answers that request
      else {
        leaveLink();
        tools.known = null; // the server may have refused the obstacle that was added
      }
      toast(m.text, "error");
      panel.restore(scene);
      break;
  }
}

function startScene(m) {
  const started = fresh || m.build !== scene.build;
  const other = !scene || m.name !== scene.name || String(m.box) !== String(scene.box);
  scene = m;
  fresh = false;
  document.title = `${baseName(m.name)} · crowd`;
  text(byId("title"), document.title);
  panel.scene(m, started);
  if (!started) return;
  tools.forget();
  timeline.start();
  asks.other = true; // the coloring of this scene may differ
  renderer?.setScene(m);
  legend.beside(m, null);
  if (other) {
    tools.start(m); // the hint changes the edges
    cam.fit(camera, cam.boxOf(m), edges());
    setFollow(false);
    Object.assign(show, FIRST);
    show.trails = m.colorBy === "group" && m.agents <= FEW;
    legend.layers(show);
  }
  connection.send({ do: "select", ...(inspector.id && !other ? { id: inspector.id } : {}) });
  stage.setAttribute("aria-label", `${baseName(m.name)}: ${m.text}`);
  dirty = true;
}

// leaveLink gives up on a link that cannot be opened.
function leaveLink() {
  opening?.fails();
  closeLink();
}

// closeLink removes the link from the address, so reloading the page starts nothing.
function closeLink() {
  if (opening) history.replaceState(null, "", location.pathname + location.search);
  opening = null;
}

// openLink carries out the link in the address, once, in a scene that is at the given step.
function openLink(m, step) {
  if (!opening) return;
  if (m.can.includes("start") && !opening.scene(m, step)) return;
  if (m.can.includes("start") && link.at) {
    const [x, y, across] = link.at, { width, height } = stage.getBoundingClientRect();
    cam.resize(camera, width, height);
    cam.look(camera, x, y);
    cam.zoom(camera, Math.min(camera.width, camera.height) / across / camera.scale);
  }
  closeLink();
}

// edges returns how much of the stage is covered at each edge, in pixels.
function edges() {
  const embedded = sliders !== null, bottom = embedded || legend.isOpen ? 44 : legend.height + 20;
  if (isSmall() || camera.width < 700) return { left: 12, right: 12, top: (embedded ? 12 : 64) + byId("hint").offsetHeight, bottom: camera.height < 400 ? 12 : bottom };
  return { left: legend.isOpen && !embedded ? 240 : 24, right: embedded ? 24 : 68, top: 20, bottom };
}

// ----- view

function setColoring(name) {
  coloring = name;
  sessionStorage.setItem("coloring", name);
  asks.other = true;
  dirty = true;
}

function setLayer(name, on) {
  show[name] = on;
  legend.layers(show);
  if (SENT.includes(name)) asks.other = true; // while paused, the server does not answer a repeated request
  dirty = true;
}

// fieldToSee returns the number of the field to show, or undefined for none. It is the field of the selected
// agent, or else the field shown last, or else the first field.
function fieldToSee() {
  if (!show.field && !show.contours || !(scene.fields > 0)) return undefined;
  return inspector.field ?? Math.min(field?.index ?? 0, scene.fields - 1);
}

function setFollow(on) {
  follow = on && !!inspector.id && !byId("follow").disabled;
  inspector.following(follow);
  lookAtAgent();
  dirty = true;
}

// lookAtAgent centers the view on the selected agent, if the view follows it.
function lookAtAgent() {
  if (follow && frame && frame.agentX === frame.agentX) cam.look(camera, frame.agentX, frame.agentY);
}

function fit() {
  if (!scene) return;
  setFollow(false);
  cam.fit(camera, cam.boxOf(scene), edges());
  dirty = true;
}

// refit fits the scene again after the free space on the stage has changed.
function refit() {
  if (scene && camera.fitted) cam.fit(camera, cam.boxOf(scene), edges());
  dirty = true;
}

function zoom(factor, x, y) {
  cam.zoom(camera, factor, ...(follow ? [] : [x, y]));
  dirty = true;
}

function pan(dx, dy) {
  if (follow) setFollow(false);
  cam.pan(camera, dx, dy);
  dirty = true;
}

onTheme((dark) => {
  overlay.setColors(dark);
  renderer?.setColors(dark, drawnColoring);
  curves.setTheme(dark);
  measured.setTheme(dark);
  inspector.setTheme(dark);
  dirty = true;
});

// ----- frames

// take decodes the newest frame. It skips frames of builds before that of the scene. Frames of later
// builds wait for their scene.
function take() {
  if (!newest || !scene) return;
  const f = decodeFrame(newest, spare);
  if (f.build > scene.build) return;
  newest = null;
  if (f.build < scene.build) return;
  spare = frame ?? newFrame();
  frame = f;
  meter.came(f.buffer.byteLength);
  timeline.frame(f.step, f.time);
  if (drawnColoring !== COLORINGS[frame.coloring]) {
    drawnColoring = COLORINGS[frame.coloring];
    renderer?.setColors(isDark(), drawnColoring);
  }
  renderer?.setFrame(frame);
  legend.cut(frame.cut);
  lookAtAgent();
  dirty = true;
}

// ----- the loop

function resize() {
  if (!size) return;
  const [width, height, w, h] = size;
  size = null;
  for (const canvas of layers) {
    canvas.width = w;
    canvas.height = h;
  }
  const seen = frame && cam.holds(camera, frame.agentX, frame.agentY, 0);
  cam.resize(camera, width, height);
  refit();
  if (seen) cam.reveal(camera, frame.agentX, frame.agentY, AROUND); // the drawer must not hide the selected agent
}

function tick(now) {
  requestAnimationFrame(tick);
  resize();
  tools.flush(now);
  take();
  if (now - statsAt > LATE) text(byId("hud"), `a step is taking longer than ${Math.floor((now - statsAt) / 1000)} s`);
  if (scene) asks.ask(camera, stage, coloring || scene.colorBy, show, fieldToSee(), !panel.paused);
  if (!dirty || lost) return;
  dirty = false;
  const start = performance.now();
  renderer?.draw(camera, show);
  const { agent, arrows, looks, choice } = inspector, shown = field?.build === scene?.build ? field : null;
  dots = countDots(frame, camera);
  if (frame && frame.agentX === frame.agentX) inspector.shares(agentsAt(dots, cam.toScreenX(camera, frame.agentX), cam.toScreenY(camera, frame.agentY)));
  overlay.draw({ camera, show, tool: tools, frame, scene, obstacles, agent, arrows, looks, choice, field: shown, dots });
  film.add(layers);
  legend.show(drawnColoring, scene, isDark(), frame ? niceTop(frame.topSpeed) : NaN);
  legend.field((show.field || show.contours) && !!scene, shown, scene, isDark());
  legend.heat(show.heat && !!frame && !!renderer, renderer?.heat.top, renderer?.heat.spread, scene?.unit, isDark());
  meter.drew(performance.now() - start);
  if (frame) requestAnimationFrame(opened);
}

const niceTop = (top) => Number(top.toPrecision(6));

new ResizeObserver(() => {
  byId("hud").style.maxWidth = `calc(100% - ${byId("legend").offsetWidth + 196}px)`; // between the legend and the scale
  refit();
}).observe(byId("legend-scale"));

new ResizeObserver(([entry]) => {
  const { width, height } = entry.contentRect, dpr = devicePixelRatio;
  const exact = entry.devicePixelContentBoxSize?.[0]; // exact pixels, if the browser knows them
  const pixels = (css, device) => Math.abs(device - css * dpr) < 2 ? device : Math.round(css * dpr);
  if (width > 0 && height > 0) size = [width, height, pixels(width, exact?.inlineSize), pixels(height, exact?.blockSize)];
}).observe(stage);

// ----- the GPU

function fail(title, words) {
  opened();
  text(byId("failure-title"), title);
  text(byId("failure-text"), words);
  byId("failure").hidden = false;
}

function startRenderer() {
  const readable = new URLSearchParams(location.search).has("test");
  try {
    renderer = new Renderer(stage, readable);
    renderer.setColors(isDark(), drawnColoring);
  } catch (err) {
    console.warn(err.message);
    fail("This browser cannot show the crowd", "The view needs WebGL2, which is missing or switched off. Current versions of Firefox, Chrome, Edge and Safari have WebGL2; check that hardware acceleration is on.");
  }
}

stage.addEventListener("webglcontextlost", (e) => {
  e.preventDefault();
  lost = true;
  fail("The graphics card has dropped the view", "The view usually comes back by itself. If it does not, reload the page.");
});
stage.addEventListener("webglcontextrestored", () => {
  lost = false;
  byId("failure").hidden = true;
  renderer.start();
  dirty = true;
});

// ----- mouse, touch and keys

listen(stage, {
  press: (x, y, e) => tools.press(x, y, e),
  drag: (x, y) => tools.drag(x, y),
  drop: () => tools.drop(),
  cancel: () => tools.cancel(),
  click: (x, y, e) => tools.click(x, y, e),
  hover: (x, y) => tools.hover(x, y),
  leave() { tools.over = null; dirty = true; },
  pan, zoom,
});

const keys = {
  " ": () => panel.togglePause(), ".": () => panel.step(), "r": () => panel.restart(),
  "+": () => panel.changePace(1), "=": () => panel.changePace(1), "-": () => panel.changePace(-1), "0": () => panel.fullSpeed(),
  "f": fit, "[": () => zoom(1 / 1.25), "]": () => zoom(1.25), "d": switchTheme, "l": () => legend.toggle(),
  "c": () => setColoring(COLORINGS[(COLORINGS.indexOf(drawnColoring) + 1) % COLORINGS.length]),
  "p": () => tools.set("pointer"), "o": () => tools.set("obstacle"), "w": () => tools.set("wall"), "e": () => tools.set("door"), "g": () => tools.set("goal"), "v": () => setFollow(!follow), "j": () => choose(1), "k": () => choose(-1),
  "ArrowLeft": () => pan(60, 0), "ArrowRight": () => pan(-60, 0), "ArrowUp": () => pan(0, 60), "ArrowDown": () => pan(0, -60),
  "Delete": () => tools.remove(), "Backspace": () => tools.remove(), "?": openHelp,
  "Escape": letGo, "undo": () => tools.undo(),
};
for (const [name, , , key] of SHOWN) keys[key] = () => setLayer(name, !show[name]);
listenToKeys(keys);
giveKeysBack();

// choose selects the agent whose number is greater by the given difference, and wraps around.
function choose(by) {
  const last = scene?.size || scene?.agents;
  if (!last) return;
  const now = Number(inspector.id || (by > 0 ? 0 : last + 1));
  connection.send({ do: "select", id: String((now + by + last - 1) % last + 1) });
}

byId("choose").onsubmit = (e) => {
  e.preventDefault();
  const id = byId("agent-id").value.trim();
  if (/^[1-9]\d{0,19}$/.test(id)) connection.send({ do: "select", id });
  else toast(`Agent number is ${id || "missing"}, want 1 or more`, "error");
};

// letGo ends the edit of an obstacle, or else following, or else the use of a tool, or else the selection.
function letGo() {
  if (tools.ghost || tools.held || tools.chosen !== null) {
    tools.ghost = tools.held = tools.chosen = null;
    tools.show();
  } else if (follow) setFollow(false);
  else if (tools.mode !== "look") tools.set("look");
  else if (inspector.id) connection.send({ do: "select" });
}

// ----- files and links

// fileName returns a name for saved files, made from the name of the scene and the step.
const fileName = () => `${baseName(scene?.name ?? "crowd").replace(/\.toml$/, "")}-${frame?.step ?? 0}`;

let linking = false; // the scene file was requested for a link

function copyLink() {
  if (!scene || !frame) return;
  linking = scene.drawn || !panel.scenes.names.includes(scene.name); // then only the file has the whole scene
  if (linking) connection.send({ do: "file" });
  else giveLink(scene.name, textOf(scene.name));
}

// giveLink copies a link to the view. In the linked scene, edited obstacles are present from the first step.
async function giveLink(name, text) {
  const { x, y, width, height, scale } = camera;
  const address = location.href.replace(/#.*/, "") + "#" + writeLink({ scene: { ...scene, name }, text, step: frame.step, x, y, across: Math.min(width, height) / scale });
  try {
    await navigator.clipboard.writeText(address);
    const led = tools.led === scene.build && " It leaves out the moves of the pointer and the goals that you set.";
    const tuned = tunedIn === scene.build && " It sets the changed parameters from the first step.";
    toast(led || tuned ? ["The link is copied.", led, tuned].filter(Boolean).join("") : "The link is copied");
  } catch { // no permission, or an insecure connection
    prompt("The link:", address);
  }
}

function keepStage() {
  if (!renderer || lost) return;
  renderer.draw(camera, show); // the canvas may have lost the last drawing
  keepPicture(layers, fileName());
}

function switchFilm() {
  if (film.runs) film.stop();
  else if (renderer && !lost) {
    renderer.draw(camera, show);
    film.start(layers, fileName());
  }
  byId("film").setAttribute("aria-pressed", String(film.runs));
  text(byId("film"), film.runs ? "Stop film" : "Film");
}

function openHelp() {
  byId("help-dialog").showModal();
}

byId("fit").onclick = fit;
byId("copy-link").onclick = copyLink;
byId("save-scene").onclick = () => connection.send({ do: "file" });
byId("scene-open").onclick = () => byId("scene-file").click();
listenToFiles(byId("scene-file"), (name) => {
  byId("scenes-dialog").close();
  connection.send(sceneOf(name));
}, (words) => toast(words, "error"));
byId("picture").onclick = keepStage;
byId("film").onclick = switchFilm;
byId("film").hidden = !film.can;
byId("zoom-in").onclick = () => zoom(1.4);
byId("zoom-out").onclick = () => zoom(1 / 1.4);
byId("theme").onclick = switchTheme;
byId("help").onclick = openHelp;
byId("help-close").onclick = () => byId("help-dialog").close();
byId("help-dialog").onclick = (e) => { if (e.target === byId("help-dialog")) byId("help-dialog").close(); };
byId("cancel").onclick = () => connection.send({ do: "cancel" });
byId("retry").onclick = () => connection.hurry();
addEventListener("online", () => connection.hurry());
document.addEventListener("visibilitychange", () => { if (!document.hidden) connection.hurry(); });

// ----- for tests, read only

window.crowdView = Object.freeze({
  get frame() { return frame; },
  get scene() { return scene; },
  get stats() { return stats; },
  get agent() { return inspector.message ?? null; },
  get obstacles() { return obstacles; },
  get field() { return field; },
  get camera() { return { ...camera }; },
  get filmed() { return film.bytes; },
  get connected() { return connection.connected; },
  get ready() { return connection.connected && !!scene && !!frame && frame.build === scene.build && !lost && !document.documentElement.classList.contains("opening"); },
  toScreen: (x, y) => [cam.toScreenX(camera, x), cam.toScreenY(camera, y)],
});

fillHelp();
legend.layers(show);
panel.open(isSmall() && !sliders ? "" : "tune");
startRenderer();
requestAnimationFrame(tick);
