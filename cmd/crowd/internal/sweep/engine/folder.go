package engine

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Files in the folder of a sweep.
const (
	tokenFile  = "token" // which only the user can read
	serverFile = "server.json"
	certFile   = "server.pem"
	keyFile    = "server.key"
)

// secrets are there until the sweep is complete. The first says that it runs.
var secrets = []string{serverFile, tokenFile, certFile, keyFile}

// TokenVariable is the environment variable from which a worker takes the token.
const TokenVariable = "CROWD_SWEEP_TOKEN"

// Address says where the server of a sweep is, for workers that know its folder.
type Address struct {
	URL string // for workers of this machine
	CA  string `json:",omitempty"` // certificates to trust, in PEM; none: those of the system
}

// ReadAddress returns the address of the sweep that runs in a folder. Without one the
// error is [fs.ErrNotExist].
func ReadAddress(folder string) (*Address, error) {
	b, err := os.ReadFile(filepath.Join(folder, serverFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &noSweep{folder}
	}
	if err != nil {
		return nil, err
	}
	a := new(Address)
	if err := json.Unmarshal(b, a); err != nil || a.URL == "" {
		return nil, fmt.Errorf("%s: not the address of a sweep", filepath.Join(folder, serverFile))
	}
	return a, nil
}

// noSweep says that no sweep runs in a folder.
type noSweep struct{ folder string }

func (e *noSweep) Error() string {
	return e.folder + ": no sweep runs in this folder, want one where crowd sweep is at work"
}
func (e *noSweep) Unwrap() error { return fs.ErrNotExist }

// write writes the address into a folder, at once or not at all.
func (a *Address) write(folder string) error {
	b, err := json.MarshalIndent(a, "", "  ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(folder, serverFile), append(b, '\n'))
}

// replace writes a file that only the user can read, at once or not at all.
func replace(name string, b []byte) error {
	if err := os.WriteFile(name+".new", b, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// ownToken returns the token of a folder, and makes a random one if there is none.
func ownToken(folder string) (string, error) {
	name := filepath.Join(folder, tokenFile)
	b, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		text := rand.Text()
		return text, replace(name, []byte(text+"\n"))
	}
	text := strings.TrimSpace(string(b))
	if err == nil && text == "" {
		err = fmt.Errorf("%s: is empty, want a token", name)
	}
	return text, err
}
