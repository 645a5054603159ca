// The way to the server. A site without a server has another file in this place.

// connect opens a WebSocket, or what has the same events and methods.
export const connect = () => new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));
