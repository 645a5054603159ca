package engine

import (
	"crypto/tls"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Options say where a sweep runs, and how.
type Options struct {
	Folder string // of the sweep

	// The server in this process. Without Listen it is for this machine alone. With it,
	// always TLS: by a certificate and key in files, or by one that is made in the folder.
	Listen            string // host:port
	CertFile, KeyFile string

	// Another server, or a cluster, instead.
	NATS     string // its URLs, with commas
	Creds    string // file of NATS's own credentials; empty: none
	Replicas int    // of streams in a cluster; 0: one

	AckWait   time.Duration // after which a silent worker's point goes to another; 0: 10 s
	Backlog   int64         // points that wait at most on the server; 0: 4096
	RetryDead bool          // dead letters of before get their tries again

	Open func(name string) (io.ReadCloser, error) // a file of the manifest
	Same func(a, b []byte) error                  // tells in what two rows of a point differ
	Note func(line string)                        // what the user should know; may be nil
}

func (o *Options) complete() error {
	if o.Folder == "" {
		return fmt.Errorf("the folder of the sweep is missing")
	}
	if o.NATS != "" && o.Listen != "" {
		return fmt.Errorf("a server that exists, %s, does not listen at %s for us: want one of the two", o.NATS, o.Listen)
	}
	if (o.CertFile == "") != (o.KeyFile == "") {
		return fmt.Errorf("a certificate needs a key, and a key a certificate")
	}
	if o.AckWait == 0 {
		o.AckWait = 10 * time.Second
	}
	if o.Backlog == 0 {
		o.Backlog = 4096
	}
	if o.Replicas == 0 {
		o.Replicas = 1
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	return nil
}

// certificate returns the certificate for a host and what workers have to trust, if that
// is not what they trust anyway.
func (o *Options) certificate(host string) (pair tls.Certificate, ca string, err error) {
	if o.CertFile != "" {
		pair, err = tls.LoadX509KeyPair(o.CertFile, o.KeyFile)
		return pair, "", err
	}
	if pair, err = certificate(o.Folder, host); err != nil {
		return pair, "", err
	}
	b, err := os.ReadFile(filepath.Join(o.Folder, certFile))
	return pair, string(b), err
}
