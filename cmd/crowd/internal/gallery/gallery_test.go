package gallery

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/world/scene"
)

// TestGallery holds that the page of the documentation shows every built-in
// scene, in files that are there and small, and is the one that crowd gallery
// writes.
func TestGallery(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/gallery.md")
	if err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	want.WriteString(pageTop)
	for i := range exhibits {
		x := &exhibits[i]
		want.WriteString(x.entry())
		info, err := os.Stat(filepath.Join("../../../../docs", x.file()))
		if err != nil {
			t.Error(err)
			continue
		}
		if info.Size() > maxExhibit {
			t.Errorf("%s: got=%d bytes, want=%d at most", x.file(), info.Size(), maxExhibit)
		}
	}
	if string(page) != want.String() {
		t.Error("docs/gallery.md is not what crowd gallery writes")
	}
	for _, name := range scene.Names() {
		if !slices.ContainsFunc(exhibits, func(x exhibit) bool { return x.scene == name }) {
			t.Errorf("scene %s is not in the gallery", name)
		}
	}
}
