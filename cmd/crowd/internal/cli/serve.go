package cli

import (
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/pprof"
	"strconv"
	"strings"
	"time"
)

// Check returns an error unless profiles are asked for at a loopback
// address, or anywhere is allowed: profiles show the command line and what the
// program does.
func (o *Profiles) Check() error {
	if err := o.read(); err != nil || o.Pprof == "" {
		return err
	}
	host, port, err := net.SplitHostPort(o.Pprof)
	if err != nil {
		return fmt.Errorf("--profile http is %q, want host:port such as 127.0.0.1:6060", o.Pprof)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("--profile http is %q, want a port from 0 to %d", o.Pprof, math.MaxUint16)
	}
	if !o.PprofAnywhere && !Loopback(host) {
		return fmt.Errorf("--profile http is %q, want a loopback address such as 127.0.0.1:6060; http-anywhere allows others", o.Pprof)
	}
	return nil
}

// serveProfiles answers go tool pprof and go tool trace until stop is called.
func (o *Profiles) serveProfiles(e *Console) (stop func(), err error) {
	listener, err := net.Listen("tcp", o.Pprof)
	if err != nil {
		return nil, BadUsage(fmt.Errorf("--profile http: %w", err))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	asked, _, _ := net.SplitHostPort(o.Pprof)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	server := &http.Server{
		Handler:           SameHost(mux, asked, port, o.PprofAnywhere),
		ReadHeaderTimeout: 5 * time.Second,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(listener)
	}()
	WarnExposed(e, listener.Addr(), "every machine that reaches this one gets the profiles and the command line, unencrypted", "--profile http=127.0.0.1:")
	Fprintf(e.Err, "profiles at http://%s/debug/pprof/\n", listener.Addr())
	return func() {
		server.Close()
		<-done
	}, nil
}

// WarnExposed prints one line, in quiet work too, if other machines reach an address that
// is listened at: what that means, and how to serve safely. That is on this machine
// alone, which a flag followed by the port asks for.
func WarnExposed(e *Console, at net.Addr, what, flag string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return
	}
	Fprintf(e.Err, "crowd: warning: %s. Where you do not trust the network run it with %s%d, and reach it by ssh -L %[3]d:127.0.0.1:%[3]d HOST or by a TLS proxy.\n",
		what, flag, tcp.Port)
}

// SameHost refuses requests that a web page of another host made a browser send,
// by a name of its own that it lets point here (DNS rebinding): they carry that
// name. Known are the addresses of this machine's loopback and localhost; if
// other machines may ask, any address, and the name that was asked for. The port
// must be the one that is listened at.
func SameHost(next http.Handler, asked, port string, anywhere bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, at, err := net.SplitHostPort(r.Host)
		if err != nil { // a browser leaves out port 80
			host, at = strings.Trim(r.Host, "[]"), "80"
		}
		known := host == "localhost" || Loopback(host) ||
			anywhere && (net.ParseIP(host) != nil || strings.EqualFold(host, asked))
		if !known || at != port {
			http.Error(w, "this is not the host that was asked for", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Loopback reports whether a host is the address, not the name, of this machine.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
