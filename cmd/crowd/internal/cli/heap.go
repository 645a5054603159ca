package cli

import "runtime"

// MemoryInUse returns the bytes in use on the heap.
func MemoryInUse() uint64 {
	runtime.GC()
	runtime.GC() // pools keep what they hold over the first
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Mallocs returns how many objects were ever allocated.
func Mallocs() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.Mallocs
}
