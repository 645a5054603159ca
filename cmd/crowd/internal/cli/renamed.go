package cli

import (
	"errors"
	"regexp"
)

// renamed maps former command names to current ones.
var renamed = map[string]string{
	"scenes": "scene list", "lint": "scene check", "verify": "validate", "bisect": "replay diff", "route": "bench maps", "work": "sweep join", "score": "run",
}

// renamedFlags maps former flags to their replacements.
var renamedFlags = map[string]string{
	"cpuprofile": "--profile cpu=FILE", "memprofile": "--profile heap=FILE", "trace": "--profile trace=FILE",
	"pprof": "--profile http=HOST:PORT", "pprof-anywhere": "--profile http-anywhere=HOST:PORT",
	"perf": "--verbose", "no-picture": "--picture none", "view": "--crop", "threads": "--workers", "folder": "--out",
	"tls-cert": "--cert", "tls-key": "--cert", "tls-ca": "--cert", "short": "--quick",
	"frame-rate": "--recording frame-rate=N", "unit": "--recording unit=m", "columns": "--recording columns=NAMES",
	"beside-at": "--recording at=X,Y", "beside-turn": "--recording turn=DEGREES", "beside-from": "--recording from=SECONDS",
	"width": "--size WIDTH", "height": "--size WIDTHxHEIGHT", "seeds": "--repeats", "figure": "--x", "explain": "--agent", "dt": "--set dt=SECONDS", "step": "--at", "port": "--listen 127.0.0.1:PORT",
	"no-targets": "--hide targets", "no-paths": "--hide paths", "bare": "--hide legend", "heat-radius": "--heat=RADIUS", "heat-max": "--heat=,MAX",
}

var unknownFlag = regexp.MustCompile(`^unknown flag --([a-z-]+)`)

// Renamed adds the replacement to the parser's error about a former flag. It returns other errors
// unchanged.
func Renamed(err error) error {
	if m := unknownFlag.FindStringSubmatch(err.Error()); m != nil && renamedFlags[m[1]] != "" {
		return errors.New(m[0] + ", want " + renamedFlags[m[1]])
	}
	return err
}
