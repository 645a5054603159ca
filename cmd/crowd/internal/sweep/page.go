package sweep

import (
	"context"
	_ "embed"
	"encoding/json"
	"net/http"

	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
)

//go:embed page.html
var page []byte

// StatusPage serves a page that follows a sweep, and its JSON at status.json, until the context
// ends.
func StatusPage(ctx context.Context, at *site.Site, now func(context.Context) (engine.Status, error)) error {
	return at.Serve(ctx, pages(now))
}

func pages(now func(context.Context) (engine.Status, error)) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; frame-ancestors 'none'")
		_, _ = w.Write(page)
	})
	mux.HandleFunc("GET /status.json", func(w http.ResponseWriter, r *http.Request) {
		s, err := now(r.Context())
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "no-store")
		_ = json.NewEncoder(w).Encode(s)
	})
	return mux
}
