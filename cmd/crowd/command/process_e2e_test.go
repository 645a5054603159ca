//go:build e2e && unix

package command

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
)

// A process runs the command.
type process struct {
	*exec.Cmd
	out, errs bytes.Buffer
	alive     *os.File // closed when the process and all processes that it started have ended
}

// Processes that tests start would also ignore a signal that is ignored here, as under nohup. They
// do not ignore a signal that is caught here.
func init() {
	if os.Getenv(isCommand) == "" {
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
}

// newProcess returns a process that begin starts in a folder. The words in before precede its command line.
func newProcess(t *testing.T, folder string, before []string, args ...string) *process {
	t.Helper()
	self, err := os.Executable()
	testkit.Must(t, err)
	words := append(append(before, self), args...)
	p := &process{Cmd: exec.Command(words[0], words[1:]...)}
	p.Dir, p.Stdout, p.Stderr = folder, &p.out, &p.errs
	p.Env = append(os.Environ(), isCommand+"=yes")
	return p
}

func (p *process) begin(t *testing.T) *process {
	t.Helper()
	r, w, err := os.Pipe()
	testkit.Must(t, err)
	defer w.Close()
	p.alive, p.ExtraFiles = r, []*os.File{w}
	testkit.Must(t, p.Start())
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

func start(t *testing.T, folder string, args ...string) *process {
	t.Helper()
	return newProcess(t, folder, nil, args...).begin(t)
}

// end waits for the process and the processes that it started. It returns the exit code, or -1 if a
// signal ended the process. It kills a process that hangs.
func (p *process) end(t *testing.T) int {
	t.Helper()
	hang := time.AfterFunc(2*time.Minute, func() {
		t.Error("the command has not ended after two minutes")
		_ = p.Process.Kill()
	})
	defer hang.Stop()
	if err := p.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	defer p.alive.Close()
	_, _ = p.alive.Read(make([]byte, 1))
	return p.ProcessState.ExitCode()
}

// number returns the number in an environment variable, or the argument otherwise if the variable is empty.
func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	testkit.Must(t, err)
	return n
}

// draws returns a random number generator with the seed in CROWD_SEED, or 1 by default.
func draws(t *testing.T) *rand.Rand {
	t.Helper()
	seed := number(t, "CROWD_SEED", 1)
	t.Logf("CROWD_SEED=%d", seed)
	return rand.New(rand.NewPCG(uint64(seed), 1))
}

// withCommand returns a folder for PATH with the command under the name crowd.
func withCommand(t *testing.T) (folder string) {
	t.Helper()
	self, err := os.Executable()
	testkit.Must(t, err)
	folder = t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\n%s=yes exec %q \"$@\"\n", isCommand, self)
	testkit.Must(t, os.WriteFile(filepath.Join(folder, "crowd"), []byte(script), 0o777))
	return folder
}
