package engine

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Where says where a sweep is, and by what right one may join or watch it.
type Where struct {
	// One of the two.
	Folder string // of a sweep that runs
	URL    string // of a server

	TokenFile string // empty: the variable [TokenVariable], or the folder's
	CAFile    string // certificates to trust, in PEM; empty: the folder's, or those of the system

	dial func(ctx context.Context, network, address string) (net.Conn, error) // of tests; nil: the network's
}

// client returns a client of the server.
func (o *Where) client() (*client, error) {
	c := &client{folder: o.Folder, note: func(string) {}}
	secret, ca := o.TokenFile, ""
	if o.Folder != "" {
		a, err := ReadAddress(o.Folder)
		if err != nil {
			return nil, err
		}
		c.base, ca = a.URL, a.CA
		if secret == "" {
			secret = filepath.Join(o.Folder, tokenFile)
		}
	} else {
		u, err := url.Parse(o.URL)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !net.ParseIP(u.Hostname()).IsLoopback()) {
			shown := o.URL
			if at := strings.LastIndex(shown, "@"); at >= 0 { // it may have a password
				shown = "…" + shown[at:]
			}
			return nil, fmt.Errorf("%q is no address of a sweep, want such as https://host:4222", shown)
		}
		c.base = "https://" + u.Host
		if u.Scheme == "http" {
			c.base = "http://" + u.Host
		}
	}
	var err error
	if c.token, err = token(secret); err != nil {
		return nil, err
	}
	if o.CAFile != "" {
		b, err := os.ReadFile(o.CAFile)
		if err != nil {
			return nil, fmt.Errorf("certificates to trust: %w", err)
		}
		ca = string(b)
	}
	secure := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca != "" {
		secure.RootCAs = x509.NewCertPool()
		if !secure.RootCAs.AppendCertsFromPEM([]byte(ca)) {
			return nil, fmt.Errorf("%s: no certificate in PEM, want such as server.pem of the folder of the sweep", cmp.Or(o.CAFile, serverFile))
		}
	}
	dial := o.dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
	c.http = &http.Client{
		Transport:     &http.Transport{DialContext: dial, TLSClientConfig: secure, TLSHandshakeTimeout: 5 * time.Second, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return errors.New("a sweep does not redirect") },
	}
	return c, nil
}

// token reads the token of a sweep from a file, or without one from the environment.
func token(file string) (string, error) {
	if file == "" {
		return os.Getenv(TokenVariable), nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}
