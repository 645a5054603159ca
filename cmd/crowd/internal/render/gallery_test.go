package render

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world/scene"
)

var update = flag.Bool("update", false, "write docs/gallery.md and docs/gallery/draw.sh anew")

// TestGallery verifies that the page and the commands of the gallery are up to date, that the gallery has each
// built-in scene, and that its files are small.
func TestGallery(t *testing.T) {
	const gallery, commands = "../../../../docs/gallery.md", "../../../../docs/gallery/draw.sh"
	page, err := os.ReadFile(gallery)
	testkit.Must(t, err)
	var want strings.Builder
	want.WriteString(pageTop + films())
	var files []string
	for i := range comparisons {
		files = append(files, comparisons[i].file)
	}
	for i := range exhibits {
		x := &exhibits[i]
		want.WriteString(x.entry())
		files = append(files, x.file())
	}
	want.WriteString(answers())
	for _, file := range files {
		if err := small(filepath.Join("../../../../docs", file)); err != nil {
			t.Error(err)
		}
	}
	if *update {
		testkit.Must(t, os.WriteFile(gallery, []byte(want.String()), 0o644))
		testkit.Must(t, os.WriteFile(commands, []byte(script()), 0o755))
	} else if string(page) != want.String() {
		t.Error("docs/gallery.md differs from the page of crowd gallery; run this test with -update")
	} else if drawn, err := os.ReadFile(commands); err != nil || string(drawn) != script() {
		t.Errorf("docs/gallery/draw.sh differs from the commands of crowd gallery (%v); run this test with -update", err)
	}
	for _, name := range scene.Names() {
		if !slices.ContainsFunc(exhibits, func(x exhibit) bool { return x.scene == name }) {
			t.Errorf("scene %s: got no exhibit, want one in exhibits", name)
		}
	}
}
