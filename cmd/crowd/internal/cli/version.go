package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/8f878440/crowd/internal/kernel"
)

// Version returns the version of the module alone, the same on every machine.
func Version() string {
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
	return v
}

// VersionLine returns the version of the module and of Go, and how wide the vectors of kernels are.
func VersionLine() string {
	return fmt.Sprintf("crowd %s, %s %s/%s, kernels %v", Version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, kernel.Used())
}
