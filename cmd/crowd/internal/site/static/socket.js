// The connection to the engine, which runs in a worker of this page. It has those parts of a WebSocket
// that the page uses.

class Engine {
  constructor() {
    this.readyState = WebSocket.CONNECTING;
    const scene = new URLSearchParams(location.hash.slice(1)).get("scene") ?? "";
    this.worker = new Worker(new URL(`../../engine/worker.js?scene=${encodeURIComponent(scene)}`, import.meta.url));
    this.worker.onmessage = ({ data }) => {
      if (data.ready) {
        this.readyState = WebSocket.OPEN;
        this.onopen?.();
      } else if (data.failed !== undefined) this.end(data.failed);
      else this.onmessage?.({ data });
    };
    this.worker.onerror = (e) => this.end(e.message);
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

export const connect = () => new Engine();
