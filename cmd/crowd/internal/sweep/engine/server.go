//go:build !js

package engine

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// embedded is a server in this process, whose store is in the folder.
type embedded struct {
	server *server.Server
	token  string
	broken chan error // gets an error of writing the store
}

// startServer starts a server for the folder and returns where it is. It listens at the
// same port as before, if that is free, so that workers find it again.
func startServer(o *Options) (*embedded, *Address, error) {
	token, err := kept(o.Folder, tokenFile)
	if err != nil {
		return nil, nil, err
	}
	host, port := "127.0.0.1", server.RANDOM_PORT
	if o.Listen != "" {
		var name string
		if host, name, err = net.SplitHostPort(o.Listen); err == nil {
			port, err = strconv.Atoi(name)
		}
		if err != nil || port < 0 || port > 65535 {
			return nil, nil, fmt.Errorf("%q is no address to listen at, want host:port", o.Listen)
		}
	}
	if port <= 0 {
		port = freePort(host, o.Folder)
	}
	e := &embedded{token: token, broken: make(chan error, 1)}
	opts := &server.Options{
		Host: host, Port: port, NoSigs: true, NoLog: true, Authorization: token,
		JetStream: true, StoreDir: filepath.Join(o.Folder, storeDir), DisableJetStreamBanner: true,
		JetStreamMaxStore: 1 << 60, // the disk is the limit
	}
	address := &Address{}
	scheme := "nats"
	if o.Listen != "" {
		scheme = "tls"
		pair, ca, err := o.certificate(host)
		if err != nil {
			return nil, nil, err
		}
		address.CA = ca
		opts.TLS, opts.TLSConfig = true, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS13}
		opts.TLSTimeout = 5
	}
	if e.server, err = server.NewServer(opts); err != nil {
		return nil, nil, err
	}
	e.server.SetLoggerV2(e, false, false, false)
	e.server.Start()
	if !e.server.ReadyForConnections(time.Minute) {
		e.close()
		select {
		case err = <-e.broken:
		default:
			err = errors.New("it does not get ready")
		}
		return nil, nil, fmt.Errorf("the server in %s: %w", o.Folder, err)
	}
	at, ok := e.server.Addr().(*net.TCPAddr)
	if !ok {
		e.close()
		return nil, nil, fmt.Errorf("the server in %s does not listen", o.Folder)
	}
	for _, h := range hosts(host) {
		u := url.URL{Scheme: scheme, Host: net.JoinHostPort(h, strconv.Itoa(at.Port))}
		address.URLs = append(address.URLs, u.String())
	}
	return e, address, nil
}

// freePort returns the port of the last address in the folder if it is free, and else
// asks for any.
func freePort(host, folder string) int {
	last, err := ReadAddress(folder)
	if err != nil {
		return server.RANDOM_PORT
	}
	u, err := url.Parse(last.URLs[0])
	if err != nil {
		return server.RANDOM_PORT
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, u.Port()))
	if err != nil {
		return server.RANDOM_PORT
	}
	l.Close()
	port, _ := strconv.Atoi(u.Port())
	return port
}

// hosts returns the names by which others find a host that is listened at, this machine
// first.
func hosts(host string) []string {
	if ip := net.ParseIP(host); host != "" && (ip == nil || !ip.IsUnspecified()) {
		return []string{host}
	}
	all := []string{"127.0.0.1"}
	for _, ip := range ownAddresses() {
		all = append(all, ip.String())
	}
	return all
}

// option connects to the server inside of the process.
func (e *embedded) option() nats.Option {
	return func(o *nats.Options) error {
		o.Token = e.token
		return nats.InProcessServer(e.server)(o)
	}
}

func (e *embedded) close() {
	e.server.Shutdown()
	e.server.WaitForShutdown()
}

// failed tells why the store cannot be written, once.
func (e *embedded) failed() <-chan error { return e.broken }

// Errorf takes the server's errors: those of writing do not reach its clients, who wait.
func (e *embedded) Errorf(format string, v ...any) {
	err := fmt.Errorf(strings.ReplaceAll(format, "%v", "%w"), v...)
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	} else if !strings.Contains(err.Error(), "write error") && !strings.Contains(err.Error(), "DISABLED") {
		return
	}
	select {
	case e.broken <- err:
	default:
	}
}

// Fatalf takes an error that ends the server, such as of the port.
func (e *embedded) Fatalf(format string, v ...any) {
	select {
	case e.broken <- fmt.Errorf(format, v...):
	default:
	}
}

func (e *embedded) Noticef(string, ...any) {}
func (e *embedded) Warnf(string, ...any)   {}
func (e *embedded) Debugf(string, ...any)  {}
func (e *embedded) Tracef(string, ...any)  {}
