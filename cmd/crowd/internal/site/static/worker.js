// Runs the engine: cmd/crowd, compiled for browsers.
"use strict";
importScripts("wasm_exec.js");

self.firstScene = new URLSearchParams(location.search).get("scene") ?? "";

async function start() {
  const answer = await fetch("crowd.bin"); // gzipped, because simple hosts do not compress files
  if (!answer.ok) throw new Error(`the engine cannot be loaded: ${answer.status} ${answer.statusText}`);
  const bytes = answer.body.pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(new Response(bytes, { headers: { "Content-Type": "application/wasm" } }), go.importObject);
  await go.run(instance);
}

start().catch((e) => postMessage({ failed: e.message }));
