package site

import (
	"crypto/subtle"
	"net/http"
)

const cookie = "crowd-view"

// known refuses visitors who do not show the token, if there is one. Whoever
// shows it in the address gets a cookie, and an address without it.
func (s *Site) known(next http.Handler) http.Handler {
	same := func(shown string) bool { return subtle.ConstantTimeCompare([]byte(shown), []byte(s.token)) == 1 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.token == "" {
			next.ServeHTTP(w, r)
			return
		}
		// Lax, so that the link works on a page of another site; the WebSocket, which
		// gets no such cookie from there, looks at the Origin too.
		if r.URL.Path == "/" && same(r.URL.Query().Get("token")) {
			http.SetCookie(w, &http.Cookie{
				Name: cookie + s.port, Value: s.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
			})
			http.Redirect(w, r, "/", http.StatusSeeOther)
			return
		}
		if c, err := r.Cookie(cookie + s.port); err != nil || !same(c.Value) {
			http.Error(w, "the token is missing: open the whole address that was printed", http.StatusForbidden)
			return
		}
		next.ServeHTTP(w, r)
	})
}
