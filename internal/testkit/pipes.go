package testkit

import (
	"context"
	"net"
	"sync"
)

// Listener is a listener without a network, for a synctest bubble. A write to a connection blocks until the
// other end reads.
type Listener struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func NewListener() *Listener {
	return &Listener{accepted: make(chan net.Conn), closed: make(chan struct{})}
}

func (p *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-p.accepted:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *Listener) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *Listener) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// Dial returns a connection when Accept has returned its other end. It returns net.ErrClosed if the listener
// is closed or ctx is done first.
func (p *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.accepted <- theirs:
		return ours, nil
	case <-p.closed:
	case <-ctx.Done():
	}
	return nil, net.ErrClosed
}
