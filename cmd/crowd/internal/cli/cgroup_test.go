package cli

import (
	"math"
	"testing"
	"testing/fstest"
)

func TestGroupLeft(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text + "\n")} }
	for _, test := range []struct {
		name   string
		groups string
		root   fstest.MapFS
		want   uint64
	}{
		{"no groups", "", nil, math.MaxUint64},
		{"no limit", "0::/a\n", fstest.MapFS{"a/memory.max": file("max"), "a/memory.current": file("5")}, math.MaxUint64},
		{"version 2", "0::/a\n", fstest.MapFS{"a/memory.max": file("1000"), "a/memory.current": file("300")}, 700},
		{"the group around it", "0::/a/b\n", fstest.MapFS{
			"a/b/memory.max": file("1000"), "a/b/memory.current": file("100"), "a/memory.max": file("500"), "a/memory.current": file("400"),
		}, 100},
		{"root of a container", "0::/outside/it\n", fstest.MapFS{"memory.max": file("1000"), "memory.current": file("1")}, 999},
		{"files can go", "0::/\n", fstest.MapFS{
			"memory.max": file("1000"), "memory.current": file("900"), "memory.stat": file("anon 100\ninactive_file 600\nfile 9"),
		}, 700},
		{"used up", "0::/\n", fstest.MapFS{"memory.max": file("1000"), "memory.current": file("1200")}, 0},
		{"version 1", "9:cpu,cpuacct:/x\n4:memory:/a\n0::/\n", fstest.MapFS{
			"memory/a/memory.limit_in_bytes": file("800"), "memory/a/memory.usage_in_bytes": file("500"), "memory/a/memory.stat": file("total_inactive_file 50"),
			"x/memory.max": file("1"), "x/memory.current": file("0"), "memory/memory.limit_in_bytes": file("9223372036854771712"), "memory/memory.usage_in_bytes": file("600"),
		}, 350},
	} {
		if got := groupLeft(test.root, test.groups); got != test.want {
			t.Errorf("%s: got=%d, want=%d", test.name, got, test.want)
		}
	}
}

func TestFree(t *testing.T) {
	if free := ReadMemory(); free.Bytes == 0 || free.Of == "" {
		t.Errorf("got=%+v, want=some", free)
	}
}
