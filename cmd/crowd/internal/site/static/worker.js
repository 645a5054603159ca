// Runs the engine: cmd/crowd, compiled for browsers. The name of the worker is the link in the address of the page.
"use strict";
importScripts("wasm_exec.js");

const link = new URLSearchParams(name.slice(1));
self.firstScene = link.get("scene") ?? "";
self.firstText = link.get("text") ?? "";

async function start() {
  const answer = await fetch("crowd.bin"); // gzipped, because simple hosts do not compress files
  if (!answer.ok) throw new Error(`the engine cannot be loaded: ${answer.status} ${answer.statusText}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  await go.run(instance);
}

start().catch((e) => postMessage({ failed: e.message }));
