package site

import (
	"context"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/coder/websocket"
)

// TestTLSProxy verifies that viewers get in through a TLS proxy on this machine, with the token, when it passes on what
// docs/view.md says.
func TestTLSProxy(t *testing.T) {
	at, outside := testkit.NewListener(), testkit.NewListener()
	s := show(t, at, NewToken())
	behind := &url.URL{Scheme: "http", Host: s.Addr().String()}
	proxy := httptest.NewUnstartedServer(&httputil.ReverseProxy{Transport: through(at).Transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind) // and so the Host
		if r.In.Header.Get("Origin") == "https://"+r.In.Host {
			r.Out.Header.Set("Origin", behind.String())
		}
	}})
	proxy.Listener.Close()
	proxy.Listener = outside
	proxy.StartTLS()
	defer proxy.Close()
	visitor := proxy.Client()
	visitor.Transport.(*http.Transport).DialContext = outside.Dial
	visitor.Jar, _ = cookiejar.New(nil)
	live := "wss" + strings.TrimPrefix(proxy.URL, "https") + "/live"
	enter := func(origin string) error {
		conn, _, err := websocket.Dial(context.Background(), live, &websocket.DialOptions{HTTPClient: visitor, HTTPHeader: http.Header{"Origin": {origin}}})
		if err == nil {
			conn.CloseNow()
		}
		return err
	}
	if enter(proxy.URL) == nil {
		t.Error("a visitor gets in without the token")
	}
	resp, err := visitor.Get(proxy.URL + "/?token=" + s.token)
	must(t, err)
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("page: got=%d, want=200", resp.StatusCode)
	}
	if err := enter(proxy.URL); err != nil {
		t.Errorf("with the token: %v", err)
	}
	if enter("https://evil.example") == nil {
		t.Error("a page of another site gets in")
	}
}
