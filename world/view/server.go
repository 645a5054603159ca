//go:build !js

package view

import (
	"context"
	"embed"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/coder/websocket"
)

//go:embed page
var page embed.FS

// policy allows only content from this server, and images in data URLs.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

type pages struct{ http.Handler }

// ServeHTTP handles requests from browsers. Any goroutine may call it, even during a step. Every client that
// reaches it can watch the world, and can control it unless Options.ReadOnly is set.
func (v *View) ServeHTTP(w http.ResponseWriter, r *http.Request) { v.pages.ServeHTTP(w, r) }

func (v *View) serve(o *Options) pages {
	files := Page()
	mux := http.NewServeMux()
	mux.Handle("GET /page/", http.StripPrefix("/page/", http.FileServerFS(files)))
	for path, name := range map[string]string{"GET /{$}": "index.html", "GET /favicon.ico": "icon.svg"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { http.ServeFileFS(w, r, files, name) })
	}
	mux.HandleFunc("GET /live", func(w http.ResponseWriter, r *http.Request) {
		// Accept rejects pages from other origins, because their Origin differs from this Host.
		conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
		if err != nil {
			return // Accept has replied
		}
		defer conn.CloseNow()
		conn.SetReadLimit(maxScene)
		v.Connect(socket{conn})
	})
	return pages{headers(sameHost(mux, o.Hosts))}
}

// Page returns the files of the page: index.html, and the files that it loads from page/.
func Page() fs.FS {
	files, err := fs.Sub(page, "page")
	if err != nil {
		panic(err) // the page is in the binary
	}
	return files
}

type socket struct{ *websocket.Conn }

func (s socket) Read(ctx context.Context) ([]byte, error) {
	kind, text, err := s.Conn.Read(ctx)
	if err == nil && kind != websocket.MessageText {
		s.Close(int(websocket.StatusUnsupportedData), "message is binary, want text")
		err = errors.New("message is binary, want text")
	}
	return text, err
}

func (s socket) Write(ctx context.Context, data []byte, binary bool) error {
	kind := websocket.MessageText
	if binary {
		kind = websocket.MessageBinary
	}
	return s.Conn.Write(ctx, kind, data)
}

func (s socket) Close(status int, reason string) {
	_ = s.Conn.Close(websocket.StatusCode(status), reason) // the page may be gone
}

// sameHost rejects requests for a host other than localhost, an IP address, or one of the given names: a page
// of another host may use a name that resolves to this machine (DNS rebinding).
func sameHost(next http.Handler, names []string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil { // browsers omit the default port
			host = strings.Trim(r.Host, "[]")
		}
		same := func(name string) bool { return strings.EqualFold(name, host) }
		if !same("localhost") && net.ParseIP(host) == nil && !slices.ContainsFunc(names, same) {
			http.Error(w, "unknown host", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}

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

// yield does nothing outside browsers.
func yield() {}
