//go:build e2e

package engine

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestListen verifies that a sweep that listens for others wants TLS and the token, and that
// workers have to trust its certificate, also one of the user's own.
func TestListen(t *testing.T) {
	var n *network
	own := t.TempDir()
	if _, err := certificate(own, "127.0.0.1"); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{}, {CertFile: filepath.Join(own, certFile), KeyFile: filepath.Join(own, keyFile)}} {
		o.Listen = "127.0.0.1:0"
		s := n.serve(t, o, manifest(50, 3))
		folder, at := s.o.Folder, s.Address().URL
		secret, cert := filepath.Join(folder, tokenFile), o.CertFile
		if cert == "" {
			cert = filepath.Join(folder, certFile)
		}
		for what, where := range map[string]Where{
			"refuses this token":                      {URL: at, CAFile: cert},
			"its certificate is not trusted":          {URL: at, TokenFile: secret},
			"want such as https://host:4222":          {URL: strings.Replace(at, "https://127.0.0.1", "http://host", 1), TokenFile: secret},
			"sent an HTTP request to an HTTPS server": {URL: strings.Replace(at, "https", "http", 1), TokenFile: secret},
			"certificates to trust: open none":        {URL: at, TokenFile: secret, CAFile: "none"},
		} {
			err := n.join(t, WorkOptions{Where: where, Patience: time.Second}, simple)()
			if err == nil || !strings.Contains(err.Error(), what) || !errors.As(err, new(Refused)) {
				t.Errorf("got=%v, want an error of %s", err, what)
			}
		}
		places := []Where{{URL: at, TokenFile: secret, CAFile: cert}}
		if o.CertFile == "" {
			places = append(places, Where{Folder: folder})
		}
		var ends []func() error
		var joined sync.WaitGroup // no point is done before all workers have come
		joined.Add(len(places))
		for _, where := range places {
			ends = append(ends, n.join(t, WorkOptions{Where: where, Open: func(*Manifest, string) (Run, error) {
				joined.Done()
				joined.Wait()
				return simple, nil
			}}, nil))
		}
		must(t, wait(t, s))
		checkRows(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		for _, name := range secrets {
			if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
				t.Errorf("%s is left of a sweep that is complete", name)
			}
		}
		for _, end := range ends {
			if err := end(); err != nil {
				t.Error(err)
			}
		}
	}
}
