package cli

import (
	"errors"
	"regexp"
)

// renamed has what commands are called that once had another name.
var renamed = map[string]string{
	"scenes": "scene list", "lint": "scene check", "verify": "validate", "bisect": "replay diff", "route": "bench maps", "work": "sweep join", "score": "run",
}

// renamedFlags has what to give in place of flags that once were.
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

// Renamed returns the error of a command line, with what to give in place of a flag that once was.
func Renamed(err error) error {
	if m := unknownFlag.FindStringSubmatch(err.Error()); m != nil && renamedFlags[m[1]] != "" {
		return errors.New(m[0] + ", want " + renamedFlags[m[1]])
	}
	return err
}
