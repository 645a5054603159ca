//go:build js

package engine

import (
	"errors"

	"github.com/nats-io/nats.go"
)

// embedded is nothing where the server does not compile.
type embedded struct{}

func startServer(*Options) (*embedded, *Address, error) {
	return nil, nil, errors.New("there is no server for this system: name one by its address")
}

func (*embedded) option() nats.Option  { return nil }
func (*embedded) close()               {}
func (*embedded) failed() <-chan error { return nil }
