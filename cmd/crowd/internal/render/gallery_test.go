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

// TestGallery verifies that crowd gallery writes the page of the documentation, and that the page
// shows each built-in scene in a small file.
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
		t.Error("docs/gallery.md is not what crowd gallery writes")
	} else if drawn, err := os.ReadFile(commands); err != nil || string(drawn) != script() {
		t.Errorf("%v: docs/gallery/draw.sh is not what crowd gallery writes", err)
	}
	for _, name := range scene.Names() {
		if !slices.ContainsFunc(exhibits, func(x exhibit) bool { return x.scene == name }) {
			t.Errorf("scene %s is not in the gallery", name)
		}
	}
}
