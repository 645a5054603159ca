//go:build e2e

package house

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

var program = regexp.MustCompile("(?s)```go\n(package main\n.*?)```")

func TestPrograms(t *testing.T) {
	embedding, ways := programs(t, "docs/embedding.md"), programs(t, "docs/paths.md")
	readme := programs(t, "README.md")
	if len(readme) == 0 || len(embedding) == 0 || len(ways) == 0 {
		t.Fatalf("programs: got=%d in README.md, %d in docs/embedding.md, %d in docs/paths.md, want=one or more in each", len(readme), len(embedding), len(ways))
	}
	for i, text := range slices.Concat(readme, embedding, ways) {
		dir, err := os.MkdirTemp(root, "program-*")
		testkit.Must(t, err)
		defer os.RemoveAll(dir)
		testkit.Must(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(text), 0o644))
		cmd := exec.Command("go", "run", ".")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("program %d: %v\n%s", i, err, out)
		} else if len(out) == 0 {
			t.Errorf("program %d prints nothing", i)
		}
	}
}

// TestGoGet gets the engine as version v0.1.0 from a proxy.
func TestGoGet(t *testing.T) {
	proxy := t.TempDir()
	const module = "github.com/8f878440/crowd"
	versions := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	testkit.Must(t, os.MkdirAll(versions, 0o755))
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	testkit.Must(t, err)
	for name, data := range map[string][]byte{
		"list": []byte("v0.1.0\n"), "v0.1.0.info": []byte(`{"Version":"v0.1.0","Time":"2026-01-01T00:00:00Z"}`), "v0.1.0.mod": mod,
		"v0.1.0.zip": zipped(t, module+"@v0.1.0/"),
	} {
		testkit.Must(t, os.WriteFile(filepath.Join(versions, name), data, 0o644))
	}
	usual, err := exec.Command("go", "env", "GOMODCACHE", "GOPROXY").Output()
	testkit.Must(t, err)
	known, elsewhere, _ := strings.Cut(strings.TrimSpace(string(usual)), "\n")
	url := func(path string) string { return "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/") }
	dir, cache := testkit.Files(t, map[string]string{"main.go": programs(t, "README.md")[0]}), t.TempDir()
	command := func(args ...string) *exec.Cmd {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GONOSUMDB=*", "GOMODCACHE="+cache,
			"GOPROXY="+strings.Join([]string{url(proxy), url(filepath.Join(known, "cache", "download")), elsewhere}, ","))
		return cmd
	}
	t.Cleanup(func() { command("clean", "-modcache").Run() }) // the files cannot be removed otherwise
	for _, args := range [][]string{{"mod", "init", "example.com/game"}, {"get", module}, {"mod", "tidy"}, {"run", "."}} {
		out, err := command(args...).CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		if args[0] == "run" && !strings.Contains(string(out), "1000 of 1000 agents crossed") {
			t.Errorf("got=%q, want=1000 of 1000 agents crossed", out)
		}
	}
}

// zipped returns the zip file of the engine's module that a proxy serves. prefix begins all names in it.
func zipped(t *testing.T, prefix string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, nested := os.Stat(filepath.Join(path, "go.mod"))
			if name != "." && (nested == nil || strings.HasPrefix(d.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		w, err := z.Create(prefix + filepath.ToSlash(name))
		if err == nil {
			_, err = w.Write(data)
		}
		return err
	})
	if err == nil {
		err = z.Close()
	}
	testkit.Must(t, err)
	return out.Bytes()
}

func programs(t *testing.T, page string) (all []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, page))
	testkit.Must(t, err)
	for _, m := range program.FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[1])
	}
	return all
}
