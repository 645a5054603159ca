// Scenes from the viewer: dropped onto the page, or in a link.

const MOST = 1 << 19; // characters; the server accepts twice as many bytes

const texts = new Map(); // name → TOML

// keepText keeps the text of a scene.
export const keepText = (name, text) => texts.set(name, text);

// textOf returns the text of a scene; undefined for the server's.
export const textOf = (name) => texts.get(name);

// sceneOf returns the message that starts a scene.
export function sceneOf(name, more = {}) {
  const text = textOf(name);
  return { do: "scene", name, ...(text === undefined ? {} : { text }), ...more };
}

// listenToDrops calls open with the name of each scene dropped onto the page, and fail with an error.
export function listenToDrops(open, fail) {
  addEventListener("dragover", (e) => e.preventDefault());
  addEventListener("drop", async (e) => {
    e.preventDefault();
    const [file] = e.dataTransfer?.files ?? [];
    if (!file) return;
    if (file.size > MOST) return fail(`${file.name} has ${file.size} bytes, want a scene in TOML of at most ${MOST}`);
    keepText(file.name, await file.text());
    open(file.name);
  });
}
