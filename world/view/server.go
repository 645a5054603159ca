package view

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/8f878440/crowd/internal/samehost"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/coder/websocket"
	"gonum.org/v1/gonum/spatial/r2"
)

//go:embed page
var page embed.FS

// policy lets the page use nothing but what this server serves.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Options says what is served, and where.
type Options struct {
	Name    string                                  // of Scenes, what runs first
	Scene   *scene.Scene                            // the same
	Scenes  []Named                                 // what viewers can choose
	Open    Open                                    // opens one of them
	Fit     func(*scene.Scene, *world.World) r2.Box // m, what it takes to see a scene without a box; may be nil
	Admit   func(*scene.Scene, scene.Options) error // refuses a scene before it is built; may be nil
	Workers int                                     // 0: one for each processor
	Version string
	Context context.Context // ends the building of the first crowd; nil: nothing does
	Address string          // host:port to listen at; port 0: any that is free

	delays   delays       // for tests; 0: as usual
	listener net.Listener // for tests; nil: one at the address

	// Token is what visitors must show, in the address or as a cookie; empty:
	// nothing, which is for loopback addresses.
	Token string
}

// Open opens the scene that viewers know by a name. It may give up when the context
// ends.
type Open func(ctx context.Context, name string) (*scene.Scene, error)

// NewToken returns a token that nobody can guess.
func NewToken() string { return rand.Text() }

// Server serves a crowd to viewers.
type Server struct {
	options  Options
	sim      *simulation
	listener net.Listener
	hello    helloMessage
	host     string // that was asked for
	port     string
}

// New makes the crowd and listens. The errors are those of the scene and of the
// address.
func New(o Options) (*Server, error) {
	choose := o.Open
	o.Open = func(ctx context.Context, name string) (*scene.Scene, error) {
		for _, n := range o.Scenes {
			if n.Name == name {
				return choose(ctx, name)
			}
		}
		return nil, fmt.Errorf("no scene is named %.40q here", name)
	}
	listener, err := o.listener, error(nil)
	if listener == nil {
		if listener, err = net.Listen("tcp", o.Address); err != nil {
			return nil, err
		}
	}
	sim, err := newSimulation(&o)
	if err != nil {
		listener.Close()
		return nil, err
	}
	s := &Server{options: o, sim: sim, listener: listener}
	s.host, _, _ = net.SplitHostPort(o.Address)
	_, s.port, _ = net.SplitHostPort(listener.Addr().String())
	s.hello = helloMessage{Kind: "hello", Version: o.Version, Scenes: o.Scenes, MaxAgents: MaxAgents}
	return s, nil
}

// Addr returns the address that is listened at.
func (s *Server) Addr() net.Addr { return s.listener.Addr() }

// URL returns the address to open.
func (s *Server) URL() string {
	host := s.listener.Addr().String()
	if ip := net.ParseIP(s.host); s.host == "" || ip != nil && ip.IsUnspecified() {
		host = net.JoinHostPort(ownAddress(), s.port)
	}
	url := "http://" + host + "/"
	if s.options.Token != "" {
		url += "?token=" + s.options.Token
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

// Serve serves until the context ends.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() {
		defer cancel()
		defer s.sim.close()
		s.sim.run(ctx)
	})
	work.Go(func() { s.sim.builder.run(ctx) })
	defer context.AfterFunc(ctx, s.sim.interrupt)()
	open := connections{most: maxConnections, open: map[net.Conn]connection{}}
	server := &http.Server{ // none of its limits is for viewers, who have their own
		Handler:        s.handler(ctx),
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
	err := server.Serve(s.listener)
	cancel()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// handler answers requests. Viewers are told to go when the context ends.
func (s *Server) handler(ctx context.Context) http.Handler {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // the page is in the binary
	}
	mux := http.NewServeMux()
	mux.Handle("GET /page/", http.StripPrefix("/page/", http.FileServerFS(files)))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "index.html")
	})
	mux.HandleFunc("GET /favicon.ico", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, files, "icon.svg")
	})
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) {
		// It refuses pages of other origins: their Origin is not this Host.
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
		if err != nil {
			return // Accept has answered
		}
		newViewer(s.sim, conn).serve(ctx, s.hello)
	})
	return headers(samehost.Handler(s.known(mux), s.host, s.port, s.options.Token != ""))
}

// headers sets what every answer has.
func headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		next.ServeHTTP(w, r)
	})
}

const cookie = "crowd-view"

// known refuses visitors who do not show the token, if there is one. Whoever
// shows it in the address gets a cookie, and an address without it.
func (s *Server) known(next http.Handler) http.Handler {
	token := s.options.Token
	same := func(shown string) bool { return subtle.ConstantTimeCompare([]byte(shown), []byte(token)) == 1 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if token == "" {
			next.ServeHTTP(w, r)
			return
		}
		// Lax, so that the link works on a page of another site; the WebSocket, which
		// gets no such cookie from there, looks at the Origin too.
		if r.URL.Path == "/" && same(r.URL.Query().Get("token")) {
			http.SetCookie(w, &http.Cookie{
				Name: cookie + s.port, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
			})
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(cookie + s.port); err != nil || !same(c.Value) {
			http.Error(w, "the token is missing: open the whole address that crowd view printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
