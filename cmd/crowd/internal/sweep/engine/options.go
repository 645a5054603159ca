package engine

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Options say where a sweep runs, and how.
type Options struct {
	Folder string // of the sweep

	// Without Listen the sweep is for workers of this machine alone. With it, always TLS: by
	// a certificate and key in files, or by one that is made in the folder.
	Listen            string // host:port
	CertFile, KeyFile string

	Silence   time.Duration // after which a silent worker's points go to others; 0: 10 s
	RetryDead bool          // what was given up before gets its tries again

	Open  func(name string) (io.ReadCloser, error) // a file of the manifest
	Check func(index int64, row []byte) error      // reports why a row is none of a point; nil: any is one
	Same  func(a, b []byte) error                  // reports in what two rows of a point differ
	Note  func(line string)                        // what the user should know; may be nil

	listener net.Listener // of tests; nil: one is made
}

func (o *Options) complete() error {
	if o.Folder == "" {
		return fmt.Errorf("the folder of the sweep is missing")
	}
	if (o.CertFile == "") != (o.KeyFile == "") {
		return fmt.Errorf("a certificate needs a key, and a key a certificate")
	}
	if o.Silence == 0 {
		o.Silence = 10 * time.Second
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	if o.Check == nil {
		o.Check = func(int64, []byte) error { return nil }
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
