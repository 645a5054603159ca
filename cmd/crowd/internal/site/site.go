// Package site serves a live view, or other pages, at an address: to this machine alone, or to others who
// show a token.
package site

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/world/view"
)

// Site is an address that is listened at.
type Site struct {
	listener net.Listener
	token    string // that visitors must show; empty: none
	host     string // that was asked for
	port     string
}

// Listen listens at an address, host:port; port 0 is any that is free. Visitors must show
// the token in the address or as a cookie, unless it is empty, which is for loopback
// addresses.
func Listen(address, token string) (*Site, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return siteOf(listener, address, token), nil
}

// siteOf returns the site of a listener at an address that was asked for.
func siteOf(listener net.Listener, address, token string) *Site {
	s := &Site{listener: listener, token: token}
	s.host, _, _ = net.SplitHostPort(address)
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	return s
}

// NewToken returns a token that nobody can guess.
func NewToken() string { return rand.Text() }

// Host returns the name or address that was asked for.
func (s *Site) Host() string { return s.host }

// Addr returns the address that is listened at.
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

// Close ends the listening, if nothing is served.
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

// Serve serves pages to those who may see them until the context ends.
func (s *Site) Serve(ctx context.Context, pages http.Handler) error {
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	open := connections{most: maxConnections, open: map[net.Conn]connection{}}
	server := &http.Server{ // none of its limits is for viewers, who have their own
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
