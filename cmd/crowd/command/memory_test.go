package command

import (
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
)

// little limits the available memory until the end of the test.
func little(t *testing.T, bytes uint64) {
	t.Helper()
	was := cli.FreeMemory
	cli.FreeMemory = func() cli.Memory { return cli.Memory{Bytes: bytes, Of: "of the test"} }
	t.Cleanup(func() { cli.FreeMemory = was })
}

// TestMemory verifies that commands refuse a scene that needs more memory than is left, unless --force is given.
func TestMemory(t *testing.T) {
	little(t, 1<<20)
	t.Chdir(t.TempDir())
	for _, line := range []string{
		"run plaza --agents 5000 --steps 2",
		"render plaza --agents 5000 --at 1 --size 100 --out x.png",
		"explain plaza --agents 5000",
		"bench plaza --agents 5000 --workers 1 --quick --repeats 1 --steps 1",
		"bench W2 --agents 5000 --workers 1 --quick --repeats 1 --steps 1",
		"view plaza --agents 20000 --listen 127.0.0.1:0",
	} {
		refuses(t, line, []refusal{{"", "needs about "}, {"", " MB of memory, but only 1 MB of the test are left"}, {"", "--force"}})
		if !strings.HasPrefix(line, "view") { // view would serve until it is interrupted
			succeed(t, line+" --force")
		}
	}
}
