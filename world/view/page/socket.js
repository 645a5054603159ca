// The connection to the server. Sites without a server replace this file.

// connect opens a WebSocket, or an object with the same events and methods.
export const connect = () => new WebSocket(new URL("live", location.href.replace(/^http/, "ws")));

// storage keeps values that a restarted server does not have.
export const storage = sessionStorage;
