//go:build !amd64 || noasm

package kernel

// Fetch does nothing.
func Fetch(**byte, []uint32, int, int) {}

// FetchRows does nothing.
func FetchRows(*byte, uintptr, []uint32) {}
