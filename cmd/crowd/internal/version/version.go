// Package version tells the version of the command.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// String returns the version of the module and of Go.
func String() string {
	v := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			v = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" && v == "(devel)" {
				v = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("crowd %s, %s %s/%s", v, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
