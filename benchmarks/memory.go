package benchmarks

import "runtime"

// heap returns how many bytes are in use, garbage taken off.
func heap() float64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what finalizers and pools held
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}

// mallocs returns how many times memory is allocated while f runs. It runs f
// before, too: a collection takes from the runtime what it keeps for goroutines
// that wait, and it allocates that anew.
func mallocs(f func()) float64 {
	var before, after runtime.MemStats
	runtime.GC() // so that none begins meanwhile
	f()
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs - before.Mallocs)
}
