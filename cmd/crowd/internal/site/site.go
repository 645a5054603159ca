//go:build !js

// Package site serves pages to this machine, or to visitors with a token, and writes a static site.
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

// Site listens on an address for visitors.
type Site struct {
	listener net.Listener
	token    string // empty admits everyone
	host     string // as given to Listen
	port     string
}

// Listen listens on host:port. Port 0 means any free port. Visitors need the token in the address or in a
// cookie. An empty token admits everyone, and is only for loopback addresses.
func Listen(address, token string) (*Site, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return siteOf(listener, address, token), nil
}

func siteOf(listener net.Listener, address, token string) *Site {
	s := &Site{listener: listener, token: token}
	s.host, _, _ = net.SplitHostPort(address)
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	return s
}

// NewToken returns an unguessable token.
func NewToken() string { return rand.Text() }

// Host returns the host given to Listen.
func (s *Site) Host() string { return s.host }

// Addr returns the address of the site.
func (s *Site) Addr() net.Addr { return s.listener.Addr() }

// URL returns the address for a browser, with the token.
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

func ownAddress() string {
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && !n.IP.IsLoopback() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	return "127.0.0.1"
}

// Close stops listening. Call it only if nothing is served.
func (s *Site) Close() error { return s.listener.Close() }

// Show runs and serves a view until it ends, ctx is done, or serving fails. It closes the view and stops
// listening. It returns nil unless serving failed.
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

// Serve serves pages until ctx is done or serving fails, and stops listening. If ctx is done, it returns nil.
func (s *Site) Serve(ctx context.Context, pages http.Handler) error {
	open := connections{open: map[net.Conn]connection{}}
	server := &http.Server{ // viewers have limits of their own
		Handler:        cli.SameHost(s.known(pages), s.host, s.port, s.token != ""),
		ConnState:      open.changed,
		ReadTimeout:    5 * time.Second,
		WriteTimeout:   30 * time.Second,
		IdleTimeout:    30 * time.Second,
		MaxHeaderBytes: 1 << 14,
	}
	defer server.Close()
	defer context.AfterFunc(ctx, func() { server.Close() })()
	if err := server.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// maxConnections is the maximum number of open connections, excluding those of viewers. A page briefly needs
// six.
const maxConnections = 128

// connections limits the open connections other than those of viewers. It ignores remote addresses: all
// visitors behind a tunnel or a proxy share one.
type connections struct {
	mu    sync.Mutex
	open  map[net.Conn]connection
	count uint64
}

type connection struct {
	since  uint64 // connections.count at the last change
	silent bool   // no pending request
}

func (c *connections) changed(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateHijacked, http.StateClosed:
		delete(c.open, conn)
		return
	}
	if _, known := c.open[conn]; !known && len(c.open) >= maxConnections {
		c.makeRoom()
	}
	c.count++
	c.open[conn] = connection{c.count, state != http.StateActive}
}

// makeRoom closes the connection that has been silent longest, or busy longest if none is silent.
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

// known returns next, guarded against visitors without the token. It replaces a token in the address with a
// cookie.
func (s *Site) known(next http.Handler) http.Handler {
	same := func(shown string) bool { return subtle.ConstantTimeCompare([]byte(shown), []byte(s.token)) == 1 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.token == "" {
			next.ServeHTTP(w, r)
			return
		}
		// SameSite=Lax keeps links on other sites working. A WebSocket request from another site has no
		// cookie, and its Origin is checked too.
		if r.URL.Path == "/" && same(r.URL.Query().Get("token")) {
			http.SetCookie(w, &http.Cookie{
				Name: cookie + s.port, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
			})
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(cookie + s.port); err != nil || !same(c.Value) {
			http.Error(w, "the token is missing or wrong: open the whole address that was printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
