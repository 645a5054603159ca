package engine

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

type client struct {
	folder   string // empty if the sweep is on another machine
	http     *http.Client
	token    string
	patience time.Duration // how long to wait for an absent server; 0 means not at all
	note     func(string)

	mu     sync.Mutex
	base   string    // address of the server
	digest string    // of the manifest; empty until known
	known  bool      // the server has answered before
	away   time.Time // first failed request since the last answer
}

var (
	errEnded     = errors.New("the sweep ended")
	errUntrusted = errors.New("the certificate is not trusted")
)

// ask posts a question, or gets a page if question is nil, and decodes the answer. It retries like persist.
func (c *client) ask(ctx context.Context, path string, question, answer any) error {
	return c.persist(ctx, func() error {
		return c.once(ctx, path, question, func(body io.Reader) error {
			return json.NewDecoder(io.LimitReader(body, maxBody)).Decode(answer)
		})
	})
}

func (c *client) persist(ctx context.Context, try func() error) error {
	for {
		err := try()
		if err == nil {
			c.back()
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err := c.lost(err); err != nil {
			return err
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
}

// once sends one request and calls the function read with the answer. If the server refuses the request, the
// error is a *refusal. once fails if no byte moves for longer than the server may wait.
func (c *client) once(ctx context.Context, path string, question any, read func(io.Reader) error) error {
	const most = hold + 5*time.Second
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(most, func() { cancel(errors.New("no answer")) })
	defer timer.Stop()
	moving := func(r io.Reader) io.Reader {
		return readerFunc(func(p []byte) (int, error) {
			timer.Reset(most)
			return r.Read(p)
		})
	}
	method, size, body := http.MethodGet, 0, io.Reader(http.NoBody)
	if question != nil {
		text, err := json.Marshal(question)
		if err != nil {
			return err
		}
		method, size, body = http.MethodPost, len(text), moving(bytes.NewReader(text))
	}
	c.mu.Lock()
	base, digest := c.base, c.digest
	c.mu.Unlock()
	q, err := http.NewRequestWithContext(ctx, method, base+path, body)
	if err != nil {
		return err
	}
	q.ContentLength = int64(size)
	q.Header.Set("Authorization", "Bearer "+c.token)
	q.Header.Set(digestHeader, digest)
	a, err := c.http.Do(q)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer a.Body.Close()
	if a.StatusCode == http.StatusOK {
		return read(moving(a.Body))
	}
	words, _ := io.ReadAll(io.LimitReader(a.Body, maxWords))
	text := strings.TrimSpace(string(words))
	switch {
	case a.StatusCode == http.StatusUnauthorized:
		text = "the server refuses this token, want --token-file with the token in the folder of the sweep"
	case a.StatusCode >= 500:
		return fmt.Errorf("answered %s: %s", a.Status, text)
	}
	return &refusal{errors.New(text), a.StatusCode}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (c *client) back() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.away.IsZero() {
		c.note("reconnected to " + c.base)
	}
	c.away, c.known = time.Time{}, true
}

// lost returns nil if a request that failed with err may yet succeed, errEnded if the sweep ended, or the
// reason to give up.
func (c *client) lost(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folder != "" { // a restarted server may have another port
		a, gone := ReadAddress(c.folder)
		switch {
		case gone == nil:
			c.base = a.URL
		case errors.Is(gone, fs.ErrNotExist):
			return errEnded
		}
	}
	var no *refusal
	var untrusted *tls.CertificateVerificationError
	var lookup *net.DNSError
	switch {
	case errors.As(err, &no):
		return err
	case errors.As(err, &untrusted):
		return fmt.Errorf("%s: %w, want --cert with server.pem in the folder of the sweep (%w)", c.base, errUntrusted, untrusted.Err)
	case errors.Is(err, http.ErrSchemeMismatch), errors.As(err, &lookup) && !c.known, c.patience == 0:
		return fmt.Errorf("%s: %w", c.base, err)
	}
	if c.away.IsZero() {
		c.away = time.Now()
		c.note(fmt.Sprintf("waiting for the server at %s: %v", c.base, err))
	}
	if time.Since(c.away) > c.patience {
		return fmt.Errorf("the server at %s was away for %v: %w", c.base, c.patience, err)
	}
	return nil
}

// sleep reports whether d passed before ctx was done.
func sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

// Posted requests are JSON. After joining, a worker sends the digest of the manifest in a header.
const (
	digestHeader = "Crowd-Sweep"

	hold     = 5 * time.Second // how long the server holds a request while no points are available
	beat     = time.Second     // between heartbeats
	maxTake  = 1024            // points per request
	maxBody  = 32 << 20        // bytes
	maxWords = 8 << 10         // bytes of an error
)

// joining is the first request of a worker, posted to /join.
type joining struct {
	ID      string
	Machine string
	Build   string
}

type joined struct {
	Manifest Manifest
	Beat     time.Duration // between heartbeats
	Ended    bool
}

// life is a heartbeat, posted to /life. It renews the leases of Waiting and of Worker.Points.
type life struct {
	Worker          // its Points are running
	Waiting []int64 // points waiting for a thread or for delivery
	Late    []int64 // points whose time is up
	Back    []int64 // points given back
	Want    int     // number of points requested
	Leave   bool
}

// bringing delivers results, posted to /done.
type bringing struct {
	Worker, Machine string
	Rows            []Row
	Failed          []Dead // only Index and Error are set
}

type answer struct {
	Points []int64 `json:",omitempty"`
	Ended  bool    `json:",omitempty"`
}

// Where locates a sweep and names the credentials for it.
type Where struct {
	Folder string
	URL    string // used if Folder is empty

	TokenFile string // empty means the token in Folder or, if Folder is empty, in CROWD_SWEEP_TOKEN
	CAFile    string // certificates to trust, in PEM; empty means those of the folder or the system

	dial func(ctx context.Context, network, address string) (net.Conn, error) // in tests
}

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
			if at := strings.LastIndex(shown, "@"); at >= 0 { // the address may contain a password
				shown = "…" + shown[at:]
			}
			return nil, fmt.Errorf("%q is not the address of a sweep, want one such as https://host:4222", shown)
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
			return nil, fmt.Errorf("%s: no certificate in PEM, want a file such as server.pem in the folder of the sweep", cmp.Or(o.CAFile, serverFile))
		}
	}
	dial := o.dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 3 * time.Second}).DialContext
	}
	c.http = &http.Client{
		Transport: &http.Transport{DialContext: dial, TLSClientConfig: secure, TLSHandshakeTimeout: 5 * time.Second, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return errors.New("unexpected redirect, want the address of a sweep")
		},
	}
	return c, nil
}

func token(file string) (string, error) {
	if file == "" {
		return os.Getenv(tokenVariable), nil
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("token: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// certificate returns the self-signed certificate in the folder, creating it if needed. A new certificate is
// for host, localhost, and the name and addresses of this machine.
func certificate(folder, host string) (tls.Certificate, error) {
	cert, key := filepath.Join(folder, certFile), filepath.Join(folder, keyFile)
	if pair, err := tls.LoadX509KeyPair(cert, key); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return pair, err
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "crowd sweep"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	if name, err := os.Hostname(); err == nil {
		template.DNSNames = append(template.DNSNames, name)
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = append(template.IPAddresses, ip)
	} else if host != "" {
		template.DNSNames = append(template.DNSNames, host)
	}
	template.IPAddresses = append(template.IPAddresses, ownAddresses()...)
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return tls.Certificate{}, err
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return tls.Certificate{}, err
	}
	if err := replace(key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})); err != nil {
		return tls.Certificate{}, err
	}
	if err := replace(cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})); err != nil {
		return tls.Certificate{}, err
	}
	return tls.LoadX509KeyPair(cert, key)
}

func ownAddresses() []net.IP {
	all, _ := net.InterfaceAddrs()
	var ips []net.IP
	for _, a := range all {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() {
			ips = append(ips, n.IP)
		}
	}
	return ips
}
