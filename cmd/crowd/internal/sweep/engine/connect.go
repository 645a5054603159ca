package engine

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// link is a connection that comes back by itself. It tells when it is cut, and gives up
// when the server stays away for too long.
type link struct {
	*nats.Conn
	mu      sync.Mutex
	cut     error           // why there is no connection; nil: there is one
	session context.Context // ends when the connection is cut
	end     context.CancelFunc
}

// linking says how to connect.
type linking struct {
	urls     string
	name     string
	patience time.Duration // 0: for ever
	note     func(string)
	gaveUp   func(error)
	options  []nats.Option
}

// dial connects. While nobody listens it waits, as long as it may.
func (c linking) dial(ctx context.Context) (*link, error) {
	l := new(link)
	l.session, l.end = context.WithCancel(context.Background())
	var timer *time.Timer
	where := c.urls
	if where == "" {
		where = "this process"
	}
	opts := append([]nats.Option{
		nats.Name(c.name), nats.MaxReconnects(-1), nats.ReconnectWait(200 * time.Millisecond), nats.ReconnectBufSize(-1),
		nats.PingInterval(3 * time.Second), nats.MaxPingsOutstanding(2), nats.Timeout(3 * time.Second),
		nats.IgnoreDiscoveredServers(),
		nats.DisconnectErrHandler(func(conn *nats.Conn, err error) {
			if conn.IsClosed() { // by us
				return
			}
			l.mu.Lock()
			defer l.mu.Unlock()
			if l.cut = err; err == nil {
				l.cut = errors.New("the connection ended")
			}
			l.end()
			c.note(fmt.Sprintf("waiting for the server at %s: %v", where, l.cut))
			if c.patience > 0 {
				err := fmt.Errorf("the server at %s was away for %v: %w", where, c.patience, l.cut)
				timer = time.AfterFunc(c.patience, func() { c.gaveUp(err) })
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.cut = nil
			l.session, l.end = context.WithCancel(context.Background())
			if timer != nil {
				timer.Stop()
			}
			c.note(fmt.Sprintf("connected again to %s", where))
		}),
		nats.ClosedHandler(func(nc *nats.Conn) {
			if err := nc.LastError(); err != nil {
				c.gaveUp(fmt.Errorf("the server at %s: %w", where, err))
			}
		}),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}, c.options...)
	start := time.Now()
	for told := false; ; {
		conn, err := nats.Connect(c.urls, opts...)
		if err == nil {
			l.Conn = conn
			return l, nil
		}
		var lookup *net.DNSError
		if c.patience == 0 || time.Since(start) > c.patience || errors.Is(err, nats.ErrAuthorization) || errors.As(err, &lookup) || !isAway(err) {
			return nil, fmt.Errorf("%s: %w", where, hinted(err))
		}
		if !told {
			c.note(fmt.Sprintf("waiting for the server at %s: %v", where, err))
			told = true
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return nil, context.Cause(ctx)
		}
	}
}

// hinted returns an error of connecting with what to do about it.
func hinted(err error) error {
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return fmt.Errorf("the server refuses this token or these credentials, want --token-file with the file token of the folder of the sweep, or --nats-creds (%w)", err)
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return fmt.Errorf("its certificate is not trusted, want --tls-ca with the file server.pem of the folder of the sweep (%w)", err)
	}
	return err
}

// isAway tells whether an error is of a server that is away, and may come back.
func isAway(err error) bool {
	for _, away := range []error{
		nats.ErrNoServers, nats.ErrTimeout, nats.ErrConnectionClosed, nats.ErrDisconnected, nats.ErrStaleConnection,
		nats.ErrReconnectBufExceeded, io.EOF, io.ErrUnexpectedEOF,
	} {
		if errors.Is(err, away) {
			return true
		}
	}
	var op *net.OpError
	return errors.As(err, &op)
}

// away returns why there is no connection, or nil.
func (l *link) away() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.cut
}

// within returns a context for a question to the server. It ends early when the
// connection is cut: then there will be no answer.
func (l *link) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, d)
	stop := context.AfterFunc(l.now(), cancel)
	return ctx, func() { stop(); cancel() }
}

// now returns a context that ends when the connection of now is cut.
func (l *link) now() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session
}

// trust makes TLS trust certificates in PEM.
func trust(pem string) (nats.Option, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM([]byte(pem)) {
		return nil, errors.New("no certificate in PEM")
	}
	return nats.Secure(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}), nil
}

// token reads the token of a sweep from a file, or without one from the environment.
func token(file string) (string, error) {
	if file == "" {
		return os.Getenv(TokenVariable), nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// folderDialer dials the port that the folder names now: a server that was begun again
// may have another.
type folderDialer string

func (d folderDialer) Dial(network, address string) (net.Conn, error) {
	if now, err := ReadAddress(string(d)); err == nil {
		if u, err := url.Parse(now.URLs[0]); err == nil {
			if host, _, err := net.SplitHostPort(address); err == nil {
				address = net.JoinHostPort(host, u.Port())
			}
		}
	}
	return net.DialTimeout(network, address, 3*time.Second)
}

// sleep waits, and tells whether it was not cut short.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
