//go:build e2e

package command

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// viewing runs crowd view until stop is called, and returns the address that it
// prints.
func viewing(t *testing.T, args ...string) (url string, stop func() int) {
	t.Helper()
	return viewingWith(t, os.Stderr, args...)
}

// viewingWith is viewing with another standard error.
func viewingWith(t *testing.T, errs *os.File, args ...string) (url string, stop func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	read, write := io.Pipe()
	code := make(chan int)
	go func() { code <- execute(ctx, append([]string{"view", "--quiet"}, args...), write, errs) }()
	line := make(chan string, 1)
	go func() {
		data := make([]byte, 1000)
		n, _ := read.Read(data)
		line <- string(data[:n])
		io.Copy(io.Discard, read)
	}()
	select {
	case text := <-line:
		if url = regexp.MustCompile(`http://\S+`).FindString(text); url == "" {
			t.Fatalf("prints %q, want an address", text)
		}
	case <-time.After(time.Minute):
		t.Fatal("prints nothing")
	}
	return url, func() int {
		cancel()
		return <-code
	}
}

func TestView(t *testing.T) {
	url, stop := viewing(t, "seek", "--listen", "127.0.0.1:0", "--agents", "7")
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if resp.StatusCode != 200 || !strings.Contains(string(text), `id="stage"`) {
		t.Errorf("%s: got=%d %.200s, want the page", url, resp.StatusCode, text)
	}
	if code := stop(); code != exitOK {
		t.Errorf("exit code when interrupted: got=%d, want=%d", code, exitOK)
	}
}

// TestViewFile verifies that a file without a box is shown whole.
func TestViewFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "far.toml")
	text := "[[groups]]\ncount = 2\nat = {points = [[1000, 500], [1100, 560]]}\nradius = 0.3\nmax-speed = 1\nmax-force = 5\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	url, stop := viewing(t, file, "--listen", "127.0.0.1:0")
	defer stop()
	var m struct {
		Name string
		Box  [4]float64
	}
	readScene(t, url, &m)
	if b := m.Box; m.Name != file || b[0] > 1000 || b[2] < 1100 || b[1] > 500 || b[3] < 560 || b[2]-b[0] > 500 {
		t.Errorf("scene %s shows %v, want %s and a box about (1000, 500) to (1100, 560)", m.Name, b, file)
	}
}

// readScene reads the message that has the scene of a page.
func readScene(t *testing.T, url string, message any) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http")+"live", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	if err := conn.Write(ctx, websocket.MessageText, []byte(`{"do":"select"}`)); err != nil { // who says nothing is sent away
		t.Fatal(err)
	}
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var m struct{ Kind string }
		if json.Unmarshal(data, &m) == nil && m.Kind == "scene" {
			if err := json.Unmarshal(data, message); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
}

// TestViewListen verifies that other machines are let in with a token alone.
func TestViewListen(t *testing.T) {
	url, stop := viewing(t, "seek", "--listen", "0.0.0.0:0")
	defer stop()
	bare, token, found := strings.Cut(url, "?token=")
	if !found || len(token) < 20 {
		t.Fatalf("address is %q, want one with a token", url)
	}
	resp, err := http.Get(bare)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("without the token: got=%d, want=%d", resp.StatusCode, http.StatusForbidden)
	}
}

// TestViewListenWarns verifies that one line says so when others than this machine can
// look on, in quiet work too.
func TestViewListenWarns(t *testing.T) {
	for address, warns := range map[string]bool{"0.0.0.0:0": true, "[::]:0": true, ":0": true, "127.0.0.1:0": false, "localhost:0": false} {
		errs, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
		if err != nil {
			t.Fatal(err)
		}
		_, stop := viewingWith(t, errs, "seek", "--listen", address)
		stop()
		errs.Close()
		data, _ := os.ReadFile(errs.Name())
		text := string(data)
		switch {
		case !warns && text != "":
			t.Errorf("--listen %s: got=%q, want nothing", address, text)
		case warns && (strings.Count(text, "\n") != 1 || !strings.HasPrefix(text, "crowd: warning: the token and the picture travel unencrypted") ||
			!regexp.MustCompile(`ssh -L (\d+):127.0.0.1:\d+ HOST or through a TLS proxy`).MatchString(text)):
			t.Errorf("--listen %s: got=%q, want one line that warns, and what to do", address, text)
		}
	}
}

// TestViewBeside verifies that pages learn of the recorded people, who move with the clock.
func TestViewBeside(t *testing.T) {
	scene, recording := besideFiles(t)
	url, stop := viewing(t, scene, "--beside", recording, "--recording", "frame-rate=10,unit=cm", "--listen", "127.0.0.1:0")
	defer stop()
	var m struct {
		Beside *struct {
			Name   string
			People int
			Box    [4]float64
		}
	}
	readScene(t, url, &m)
	if b := m.Beside; b == nil || b.Name != recording || b.People != 1 || b.Box != [4]float64{3, 5, 7.9, 5} {
		t.Errorf("got=%+v, want one person of %s from (3, 5) to (7.9, 5)", b, recording)
	}
}

// TestViewPortTaken verifies what is said of a port that another program listens at.
func TestViewPortTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	code, _, errs := command(t, t.Context(), "view", "seek", "--listen", taken.Addr().String())
	if code != exitBadInput || !strings.Contains(errs, "address already in use") {
		t.Errorf("got=%d %q, want=%d and that it is in use", code, errs, exitBadInput)
	}
}
