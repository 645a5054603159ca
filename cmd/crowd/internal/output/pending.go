package output

import (
	"os"
	"sync"
)

// pending are the names of all files that are neither committed nor discarded.
var pending struct {
	sync.Mutex
	names map[string]bool
}

func begun(name string) {
	pending.Lock()
	defer pending.Unlock()
	if pending.names == nil {
		pending.names = map[string]bool{}
	}
	pending.names[name] = true
}

func ended(name string) {
	pending.Lock()
	defer pending.Unlock()
	delete(pending.names, name)
}

// Abandon removes all files of the process that are not committed, for a process that
// ends without more ado.
func Abandon() {
	pending.Lock()
	defer pending.Unlock()
	for name := range pending.names {
		_ = os.Remove(name)
	}
}
