// Files: scenes, which viewers open and save, and pictures and films of the stage.

import { el } from "./dom.js";

// layered draws canvases on top of each other, into a given canvas or a new one.
function layered(canvases, to = document.createElement("canvas")) {
  const [{ width, height }] = canvases;
  if (to.width !== width || to.height !== height) Object.assign(to, { width, height });
  const context = to.getContext("2d");
  for (const canvas of canvases) context.drawImage(canvas, 0, 0, width, height);
  return to;
}

// keep saves data as a file.
function keep(blob, name) {
  const url = URL.createObjectURL(blob);
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// keepPicture saves the present content of canvases. WebGL must have drawn it in the same task.
export function keepPicture(canvases, name) {
  layered(canvases).toBlob((blob) => keep(blob, `${name}.png`), "image/png");
}

export function keepScene(text, name) {
  keep(new Blob([text], { type: "application/toml" }), `${name}.toml`);
}

const FILM = "video/webm", RATE = 30, BITS = 12e6; // pictures per second and bits per second

// Film records the content of canvases.
export class Film {
  constructor() {
    this.recorder = null;
    this.bytes = 0; // recorded so far
  }

  // can reports whether the browser can record films.
  get can() {
    return typeof MediaRecorder === "function" && !!HTMLCanvasElement.prototype.captureStream && MediaRecorder.isTypeSupported(FILM);
  }

  get runs() {
    return this.recorder !== null;
  }

  start(canvases, name) {
    const canvas = layered(canvases), parts = [];
    const recorder = new MediaRecorder(canvas.captureStream(RATE), { mimeType: FILM, videoBitsPerSecond: BITS });
    this.bytes = 0;
    recorder.ondataavailable = ({ data }) => {
      parts.push(data);
      this.bytes += data.size;
    };
    recorder.onstop = () => keep(new Blob(parts, { type: FILM }), `${name}.webm`);
    recorder.start(1000);
    this.canvas = canvas;
    this.recorder = recorder;
  }

  add(canvases) {
    if (this.runs) layered(canvases, this.canvas);
  }

  stop() {
    this.recorder?.stop();
    this.recorder = null;
  }
}

const MOST = 1 << 19; // bytes; the server accepts messages of twice this size, because JSON escapes characters

const texts = new Map(); // name → TOML

export const keepText = (name, text) => texts.set(name, text);

// textOf returns the text of a scene, or undefined for a scene of the server.
export const textOf = (name) => texts.get(name);

// sceneOf returns the message that starts a scene.
export function sceneOf(name, more = {}) {
  const text = textOf(name);
  return { do: "scene", name, ...(text === undefined ? {} : { text }), ...more };
}

// listenToFiles keeps the text of each scene that is dropped onto the page or chosen with input, and calls
// open with its name, or fail with a message.
export function listenToFiles(input, open, fail) {
  const take = async ([file] = []) => {
    if (!file) return;
    if (file.size > MOST) return fail(`${file.name} has ${file.size} bytes, want a scene in TOML of at most ${MOST} bytes`);
    const text = await file.text();
    if (/[\0\uFFFD]/.test(text)) return fail(`${file.name} is not text, want a scene in TOML`);
    if (!text.trim()) return fail(`${file.name} is empty, want a scene in TOML`);
    keepText(file.name, text);
    open(file.name);
  };
  input.onchange = () => {
    take(input.files);
    input.value = ""; // so that the same file can be chosen again
  };
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", (e) => {
    e.preventDefault();
    take(e.dataTransfer?.files);
  });
}
