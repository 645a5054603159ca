package site

import (
	"net"
	"net/http"
	"sync"
)

// maxConnections is how many connections may be open that are not, or not yet, those
// of viewers. A page takes up to six for a moment.
const maxConnections = 128

// connections are those that are open and not of viewers. When they are too many
// the one that has been silent for longest makes room; all come from one address
// where a tunnel or a proxy is in front, so the address tells nothing.
type connections struct {
	most  int
	mu    sync.Mutex
	open  map[net.Conn]connection
	count uint64
}

type connection struct {
	since  uint64 // grows from one change of a state to the next
	silent bool   // nothing has been asked, or all has been answered
}

// changed is called with every new state of a connection.
func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateHijacked, http.StateClosed:
		delete(c.open, conn)
		return
	}
	if _, known := c.open[conn]; !known && len(c.open) >= c.most {
		c.makeRoom()
	}
	c.count++
	c.open[conn] = connection{c.count, state != http.StateActive}
}

// makeRoom closes the connection that has been silent for longest; if all are
// busy, the one that has been for longest.
func (c *connections) makeRoom() {
	var oldest net.Conn
	var found connection
	for conn, is := range c.open {
		if oldest == nil || is.silent && !found.silent || is.silent == found.silent && is.since < found.since {
			oldest, found = conn, is
		}
	}
	delete(c.open, oldest)
	oldest.Close()
}
