package engine

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// listen begins to answer workers, and writes the address into the folder.
func (s *Sweep) listen() error {
	token, err := ownToken(s.o.Folder)
	if err != nil {
		return err
	}
	host, port := "127.0.0.1", "0"
	if s.o.Listen != "" {
		if host, port, err = net.SplitHostPort(s.o.Listen); err != nil {
			return fmt.Errorf("%q is no address to listen at, want host:port", s.o.Listen)
		}
	}
	l := s.o.listener
	if l == nil {
		if l, err = net.Listen("tcp", net.JoinHostPort(host, port)); err != nil {
			return err
		}
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	_, port, _ = net.SplitHostPort(l.Addr().String())
	s.address = &Address{URL: "http://" + net.JoinHostPort(host, port)}
	if s.o.Listen != "" {
		pair, ca, err := s.o.certificate(host)
		if err != nil {
			l.Close()
			return err
		}
		s.address = &Address{"https://" + net.JoinHostPort(host, port), ca}
		l = tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	}
	s.server = &http.Server{
		Handler:           s.handler(token),
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       time.Minute,
		WriteTimeout:      time.Minute, // longer than hold
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // of connections that are none of a worker's
	}
	s.work.Go(func() {
		if err := s.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.cancel(fmt.Errorf("listening at %s: %w", l.Addr(), err))
		}
	})
	return s.address.write(s.o.Folder)
}
