package command

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/bench"
	"github.com/8f878440/crowd/world/scene"
)

// quickBench are flags of a bench that says nothing about speed.
var quickBench = []string{"--agents", "50", "--workers", "1", "--repeats", "1", "--steps", "2"}

// TestBenchJSON verifies that --json of bench is a switch, and what follows it a name.
func TestBenchJSON(t *testing.T) {
	code, out, errs := command(t, context.Background(), append([]string{"bench", "--json", "plazza"}, quickBench...)...)
	if code != exitBadInput || out != "" || !strings.Contains(errs, `did you mean "plaza"?`) {
		t.Errorf("misspelled: exit code %d, %s%s", code, out, errs)
	}
	// What is the name of a scene or a workload is measured.
	code, out, errs = command(t, context.Background(), append([]string{"bench", "--json", "W2"}, quickBench...)...)
	var f bench.File
	if err := json.Unmarshal([]byte(out), &f); code != exitOK || err != nil || errs != "" || f.Results[0].Name != "W2" {
		t.Errorf("exit code %d, %v, %s", code, err, errs)
	}
	code, out, _ = command(t, context.Background(), append([]string{"bench", "W2", "--json=false"}, quickBench...)...)
	if code != exitOK || !strings.Contains(out, "ns/agent") {
		t.Errorf("--json=false: exit code %d, %s", code, out)
	}
}

func TestLintJSON(t *testing.T) {
	dir := t.TempDir()
	good, poor := filepath.Join(dir, "good.toml"), filepath.Join(dir, "poor.toml")
	for file, more := range map[string]string{good: "start-speed = 1\n", poor: ""} {
		if err := os.WriteFile(file, []byte("[[groups]]\nat = [0, 0]\nmax-speed = 1\n"+more), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errs := command(t, context.Background(), "scene", "check", "--json", good, poor)
	var got []linted
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitFailure || errs != "crowd: 1 found\n" {
		t.Fatalf("exit code %d, %v, %s", code, err, errs)
	}
	if len(got) != 2 || got[0].File != filepath.ToSlash(good) || got[0].Findings == nil || len(got[0].Findings) != 0 || len(got[1].Findings) != 1 {
		t.Errorf("got=%+v", got)
	}
}

func TestScenesJSON(t *testing.T) {
	code, out, errs := command(t, context.Background(), "scene", "--json")
	var got []listedScene
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK {
		t.Fatalf("exit code %d, %v, %s", code, err, errs)
	}
	var names []string
	for _, s := range got {
		names = append(names, s.Name)
		if s.Agents < 1 || s.Steps < 1 || s.Dt <= 0 || s.Text == "" {
			t.Errorf("got=%+v", s)
		}
	}
	if !reflect.DeepEqual(names, scene.Names()) {
		t.Errorf("got=%q, want=%q", names, scene.Names())
	}
}
