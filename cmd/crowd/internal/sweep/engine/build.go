package engine

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// Build names the executable so that equal names mean equal code: by the version of the
// module or the revision of its repository, and otherwise by the hash of its bytes.
func Build() (string, error) {
	if info, ok := debug.ReadBuildInfo(); ok {
		set := map[string]string{}
		for _, s := range info.Settings {
			set[s.Key] = s.Value
		}
		if v, clean := set["vcs.revision"], set["vcs.modified"] == "false"; v != "" && clean {
			return fmt.Sprintf("crowd %s, %s", v[:min(12, len(v))], info.GoVersion), nil
		}
		if v := info.Main.Version; v != "" && v != "(devel)" && set["vcs.revision"] == "" {
			return fmt.Sprintf("crowd %s, %s", v, info.GoVersion), nil
		}
	}
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("crowd sha256:%x", h.Sum(nil)[:8]), nil
}
