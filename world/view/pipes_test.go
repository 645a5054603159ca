package view

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
)

// bubble runs a test with a clock of its own, which goes on by itself to the next
// thing that is due when all goroutines wait for time or for one another, and
// stands still otherwise.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// pipes is a listener without a network, which a bubble cannot see through. What is
// written to one of its connections stays with the writer until it is read.
type pipes struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func newPipes() *pipes {
	return &pipes{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// dial connects to the server.
func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.accepted <- theirs:
		return ours, nil
	case <-p.closed:
	case <-ctx.Done():
	}
	return nil, net.ErrClosed
}

// piped lets a server listen at pipes, with the usual delays.
func piped(o *setup) {
	o.Scenes.Options.Workers, o.delays = 1, delays{}
	o.listener = newPipes()
}

// web returns what connects to a server, by pipes if it listens at some.
func web(s *server) *http.Client {
	if p, ok := s.listener.(*pipes); ok {
		return &http.Client{Transport: &http.Transport{DialContext: p.dial}}
	}
	return http.DefaultClient
}
