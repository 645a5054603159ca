package output

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
)

func TestStale(t *testing.T) {
	folder(t)
	const none = 1 << 30 // above the largest process ID
	dead, alive := owner(none), owner(os.Getpid())
	left := []string{".x.png.crowd-" + dead + "abc", ".x.png.crowd-" + dead + "0"}
	stay := []string{
		".x.png.crowd-" + alive + "abc", ".x.png.crowd-abc", ".x.png.crowd-other-" + strings.TrimPrefix(dead, system()+"-") + "abc",
		".y.png.crowd-" + dead + "abc", "x.png.crowd-" + dead + "abc", ".x.png.crowd-" + dead, ".x.png.crowd-" + dead + "a.b",
		".x.png.crowd-" + dead + "abc-1", ".x.png.crowd-" + system() + "--1-abc", ".x.png.crowd-" + system() + "-0-abc",
	}
	for _, name := range slices.Concat(left, stay) {
		testkit.Must(t, os.WriteFile(name, nil, 0o666))
	}
	testkit.Must(t, os.Mkdir(".x.png.crowd-"+dead+"def", 0o777))
	stay = append(stay, ".x.png.crowd-"+dead+"def")
	files, _ := opened(t, "x.png")
	files.Discard()
	slices.Sort(stay)
	testkit.Equal(t, names(t), strings.Join(stay, " "), "files")
}
