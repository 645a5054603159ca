// The connection to the engine, which runs in a worker of this page. It has the parts of a WebSocket that
// the page uses. The first engine starts at once, and its messages are kept until the page connects.

class Engine {
  constructor() {
    this.readyState = WebSocket.CONNECTING;
    this.worker = new Worker(new URL("../../engine/worker.js", import.meta.url), { name: location.hash }); // not in the address, which hosts see and limit
    this.kept = [];
    this.worker.onmessage = ({ data }) => this.onmessage ? this.take(data) : this.kept.push(data);
    this.worker.onerror = (e) => this.end(e.message);
  }

  take(data) {
    if (data.ready) {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    } else if (data.failed !== undefined) this.end(data.failed);
    else this.onmessage({ data });
  }

  // deliver takes the messages that came before the page set its callbacks.
  deliver() {
    for (const data of this.kept.splice(0)) this.take(data);
  }

  send(text) {
    this.worker.postMessage(text);
  }

  end(reason) {
    this.worker.terminate();
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ reason });
  }
}

let first = new Engine();

// storage keeps values for this page only: the engine of another page is no restarted one.
const kept = new Map();
export const storage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };

export function connect() {
  const engine = first ?? new Engine();
  first = null;
  queueMicrotask(() => engine.deliver()); // after the page has set its callbacks
  return engine;
}
