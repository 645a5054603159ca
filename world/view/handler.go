package view

import (
	"bytes"
	"crypto/rand"
	"embed"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"
)

//go:embed page
var page embed.FS

// policy lets the page use nothing but what this server serves.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// routes returns what answers requests.
func (v *View) routes(o *Options) http.Handler {
	hello := helloMessage{Kind: "hello", Version: o.Version, Scenes: []Named{}, Server: rand.Text()}
	if s := v.sim.scenes; s != nil && !o.ReadOnly {
		hello.Scenes, hello.MaxAgents = s.List, MaxAgents
	}
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
	mux.HandleFunc("GET /scene.toml", v.sendScene)
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) {
		// It refuses pages of other origins: their Origin is not this Host.
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
		if err != nil {
			return // Accept has answered
		}
		newViewer(v.sim, conn).serve(v.session, hello)
	})
	return headers(sameHost(mux, o.Hosts))
}

// sendScene sends the scene that runs, as it is set now.
func (v *View) sendScene(w http.ResponseWriter, _ *http.Request) {
	sc := v.sim.sceneNow()
	if sc == nil {
		http.Error(w, "nothing here was made from a scene that one may have", http.StatusNotFound)
		return
	}
	var file bytes.Buffer
	if err := sc.WriteTOML(&file); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/toml")
	_, _ = w.Write(file.Bytes()) // the browser may be gone
}

// sameHost refuses requests that a page of another host made a browser send, by a name
// of its own that it lets point here (DNS rebinding): they carry that name.
func sameHost(next http.Handler, names []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil { // a browser leaves out the usual port
			host = strings.Trim(r.Host, "[]")
		}
		same := func(name string) bool { return strings.EqualFold(name, host) }
		if !same("localhost") && net.ParseIP(host) == nil && !slices.ContainsFunc(names, same) {
			http.Error(w, "this is not the host that was asked for", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
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
