package cli

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	httpprof "net/http/pprof"
	"runtime/debug"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/frame"
	"github.com/8f878440/crowd/world"
)

// Profiles is the flag --profile.
type Profiles struct {
	Profile map[string]string `mapsep:"none" placeholder:"KIND=FILE" help:"Write a profile: cpu or trace of the steps, or heap after the run; http=HOST:PORT serves profiles to go tool pprof during the run, at a loopback address such as 127.0.0.1:6060; http-anywhere=HOST:PORT allows any address. May be repeated."`

	address  string // where profiles are served; empty means nowhere
	anywhere bool   // other machines may reach address

	CPUProfile, MemProfile, Trace string `kong:"-"` // files; empty means none
}

var profileKinds = []string{"cpu", "heap", "http", "http-anywhere", "trace"}

func (o *Profiles) read() error {
	for _, kind := range slices.Sorted(maps.Keys(o.Profile)) {
		to := o.Profile[kind]
		switch kind {
		case "cpu":
			o.CPUProfile = to
		case "heap":
			o.MemProfile = to
		case "trace":
			o.Trace = to
		case "http", "http-anywhere":
			o.address, o.anywhere = to, kind != "http"
		default:
			return fmt.Errorf("--profile: unknown kind %q, %s", kind, suggest.OneOf(kind, profileKinds))
		}
		if to == "" {
			return fmt.Errorf("--profile %s is empty, want a file name, or host:port for http and http-anywhere", kind)
		}
	}
	return nil
}

// Start serves profiles if requested, and writes a CPU profile to cpu and a trace to steps if these are not
// nil. Profiler labels distinguish the systems of w. The function stop ends profiling. It may be called
// twice, or after an error. The files keep write errors.
func (o *Profiles) Start(e *Console, w *world.World, cpu, steps *output.File) (stop func(), err error) {
	var stops []func()
	stop = func() {
		for _, f := range stops {
			f()
		}
		stops = nil
	}
	if o.address != "" {
		end, err := o.serveProfiles(e)
		if err != nil {
			return stop, err
		}
		stops = append(stops, end)
	}
	if o.address != "" || o.CPUProfile != "" || o.Trace != "" {
		w.SetLabels(context.Background())
	}
	if cpu != nil {
		if err := pprof.StartCPUProfile(cpu); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, pprof.StopCPUProfile)
	}
	if steps != nil {
		if err := trace.Start(steps); err != nil {
			stop()
			return stop, err
		}
		stops = append(stops, trace.Stop)
	}
	return stop, nil
}

// Guard calls run in a new goroutine and returns its results. A panic becomes an error. If run continues for
// longer than grace after ctx is done, Guard abandons run and returns an error.
func Guard[T any](ctx context.Context, grace time.Duration, run func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				stack := debug.Stack()
				if worker, is := p.(*frame.Panic); is {
					p, stack = worker.Value, worker.Stack
				}
				r.err = fmt.Errorf("panic: %v, %s", p, panicPlace(stack))
			}
			done <- r
		}()
		r.value, r.err = run()
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select {
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
		return *new(T), fmt.Errorf("still running %[2]v after the context ended: %[1]v", context.Cause(ctx), grace)
	}
}

// panicPlace returns the file and line of a panic from the stack of the deferred function that recovered.
func panicPlace(stack []byte) string {
	_, after, _ := strings.Cut(string(stack), "\npanic(")
	for line := range strings.Lines(after) {
		line = strings.TrimSpace(line)
		if place, _, ok := strings.Cut(line, " +0x"); ok && !strings.Contains(place, "/runtime/") {
			return place
		}
	}
	return "unknown location"
}

// Check reads --profile and returns an error if it is invalid. Only http-anywhere allows other machines,
// because profiles reveal the command line and what the program does.
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

func (o *Profiles) serveProfiles(e *Console) (stop func(), err error) {
	listener, err := net.Listen("tcp", o.address)
	if err != nil {
		return nil, BadUsage(fmt.Errorf("--profile: %w", err))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", httpprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", httpprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", httpprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", httpprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", httpprof.Trace)
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

// WarnExposed warns, even with --quiet, if other machines can reach an address. The parameter what is the
// warning. With flag and the port, the command listens on this machine only.
func WarnExposed(e *Console, at net.Addr, what, flag string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return
	}
	Fprintf(e.Err, "crowd: warning: %s. On an untrusted network, use %s%d and connect with ssh -L %[3]d:127.0.0.1:%[3]d HOST or through a TLS proxy.\n",
		what, flag, tcp.Port)
}

// SameHost returns next, guarded against DNS rebinding. The Host must be localhost or a loopback address with
// the given port. If anywhere is true, it may also be any IP address, or the host name in asked.
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

// Loopback reports whether host is a loopback IP address, not a name.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
