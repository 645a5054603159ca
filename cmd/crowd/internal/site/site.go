//go:build !js

// Package site serves a live view, or other pages, at an address: to this machine alone, or to
// visitors with a token.
package site

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/view"
)

// Site is a listening address.
type Site struct {
	listener net.Listener
	token    string // required of visitors; empty: none
	host     string // as requested
	port     string
}

// Listen listens at an address, host:port; port 0 selects a free one. Visitors must show the token
// in the address or as a cookie, unless it is empty, which is for loopback addresses.
func Listen(address, token string) (*Site, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return siteOf(listener, address, token), nil
}

// siteOf returns the site of a listener at the requested address.
func siteOf(listener net.Listener, address, token string) *Site {
	s := &Site{listener: listener, token: token}
	s.host, _, _ = net.SplitHostPort(address)
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	return s
}

// NewToken returns an unguessable token.
func NewToken() string { return rand.Text() }

// Host returns the requested name or address.
func (s *Site) Host() string { return s.host }

// Addr returns the listening address.
func (s *Site) Addr() net.Addr { return s.listener.Addr() }

// URL returns the address to open.
func (s *Site) URL() string {
	host := s.listener.Addr().String()
	if ip := net.ParseIP(s.host); s.host == "" || ip != nil && ip.IsUnspecified() {
		host = net.JoinHostPort(ownAddress(), s.port)
	}
	url := "http://" + host + "/"
	if s.token != "" {
		url += "?token=" + s.token
	}
	return url
}

// ownAddress returns an address of this machine that others may reach.
func ownAddress() string {
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	return "127.0.0.1"
}

// Close closes the listener, if nothing is served.
func (s *Site) Close() error { return s.listener.Close() }

// Show runs a view and serves it until the context ends; then it closes both.
func (s *Site) Show(ctx context.Context, live *view.View) error {
	ctx, cancel := context.WithCancel(ctx)
	defer live.Close()
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	work.Go(func() {
		defer cancel()
		live.Run(ctx)
	})
	return s.Serve(ctx, live)
}

// Serve serves pages to permitted visitors until the context ends.
func (s *Site) Serve(ctx context.Context, pages http.Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	open := connections{most: maxConnections, open: map[net.Conn]connection{}}
	server := &http.Server{ // none of its limits applies to viewers, who have their own
		Handler:        cli.SameHost(s.known(pages), s.host, s.port, s.token != ""),
		ConnState:      open.changed,
		ReadTimeout:    5 * time.Second,
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    30 * time.Second,
		MaxHeaderBytes: 1 << 14,
	}
	work.Go(func() {
		<-ctx.Done()
		server.Close()
	})
	if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// maxConnections is the number of connections, other than those of viewers, that may be open. A
// page briefly uses up to six.
const maxConnections = 128

// connections are the open ones that are not viewers. If they are too many, the one that has been
// silent longest is closed. Behind a tunnel or a proxy all come from one address, so addresses do
// not help.
type connections struct {
	most  int
	mu    sync.Mutex
	open  map[net.Conn]connection
	count uint64
}

type connection struct {
	since  uint64 // counts state changes
	silent bool   // no request is pending
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

// makeRoom closes the connection that has been silent longest; if all are busy, the one that has
// been busy longest.
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

const cookie = "crowd-view"

// known rejects visitors without the token, if there is one. Those that show it in the address get
// a cookie, and an address without it.
func (s *Site) known(next http.Handler) http.Handler {
	same := func(shown string) bool { return subtle.ConstantTimeCompare([]byte(shown), []byte(s.token)) == 1 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.token == "" {
			next.ServeHTTP(w, r)
			return
		}
		// Lax, so that the link works on a page of another site; the WebSocket, which gets no such
		// cookie from there, also checks the Origin.
		if r.URL.Path == "/" && same(r.URL.Query().Get("token")) {
			http.SetCookie(w, &http.Cookie{
				Name: cookie + s.port, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
			})
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(cookie + s.port); err != nil || !same(c.Value) {
			http.Error(w, "the token is missing: open the whole address that was printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
