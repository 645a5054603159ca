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

// Check reads --profile. It returns an error if a kind is unknown, a value is invalid, or the address of
// http is not a loopback address: profiles reveal the command line and what the program does.
func (o *Profiles) Check() error {
	if err := o.read(); err != nil || o.address == "" {
		return err
	}
	kind := "http"
	if o.anywhere {
		kind = "http-anywhere"
	}
	host, port, err := net.SplitHostPort(o.address)
	if err != nil {
		return fmt.Errorf("--profile %s is %q, want host:port such as 127.0.0.1:6060", kind, o.address)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("--profile %s is %q, want a port from 0 to %d", kind, o.address, math.MaxUint16)
	}
	if !o.anywhere && !Loopback(host) {
		return fmt.Errorf("--profile %s is %q, want a loopback address such as 127.0.0.1:6060; http-anywhere allows other addresses", kind, o.address)
	}
	return nil
}

// serveProfiles serves profiles and traces, for go tool pprof and go tool trace, until stop is called.
func (o *Profiles) serveProfiles(e *Console) (stop func(), err error) {
	listener, err := net.Listen("tcp", o.address)
	if err != nil {
		return nil, BadUsage(fmt.Errorf("--profile: %w", err))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	asked, _, _ := net.SplitHostPort(o.address)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	server := &http.Server{
		Handler:           SameHost(mux, asked, port, o.anywhere),
		ReadHeaderTimeout: 5 * time.Second,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(listener)
	}()
	WarnExposed(e, listener.Addr(), "any machine that can reach this one can read the profiles and the command line, unencrypted", "--profile http=127.0.0.1:")
	Fprintf(e.Err, "profiles at http://%s/debug/pprof/\n", listener.Addr())
	return func() {
		server.Close()
		<-done
	}, nil
}

// WarnExposed prints a warning, even with --quiet, if other machines can reach the address at. The
// parameter what describes the consequences, and flag, followed by the port, makes the command listen
// on this machine only.
func WarnExposed(e *Console, at net.Addr, what, flag string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return
	}
	Fprintf(e.Err, "crowd: warning: %s. On an untrusted network, use %s%d and connect with ssh -L %[3]d:127.0.0.1:%[3]d HOST or through a TLS proxy.\n",
		what, flag, tcp.Port)
}

// SameHost guards against DNS rebinding, by which a foreign web page makes a browser send requests here under the
// page's own host name. It refuses requests whose Host is not localhost or a loopback address with the given port.
// If anywhere is true, it also accepts any IP address and the name asked, at which the server was told to listen.
func SameHost(next http.Handler, asked, port string, anywhere bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, at, err := net.SplitHostPort(r.Host)
		if err != nil { // browsers omit port 80
			host, at = strings.Trim(r.Host, "[]"), "80"
		}
		known := host == "localhost" || Loopback(host) ||
			anywhere && (net.ParseIP(host) != nil || strings.EqualFold(host, asked))
		if !known || at != port {
			http.Error(w, "unknown host", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// Loopback reports whether host is a loopback IP address. It returns false for names, even for localhost.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
