package cli

import (
	"net"
	"net/http"
	"strings"
)

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
