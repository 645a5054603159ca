package cli

import "testing"

// TestScaled verifies the units of Bytes and Duration, even where rounding reaches the next unit.
func TestScaled(t *testing.T) {
	for want, got := range map[string]string{
		"0 bytes": Bytes(0), "999 bytes": Bytes(999), "1 kB": Bytes(1000), "1.5 kB": Bytes(1500), "1 MB": Bytes(999_999),
		"1.23 GB": Bytes(1_234_000_000), "12,345 TB": Bytes(12_345e12), "999 ns": Duration(999), "1 µs": Duration(1000),
		"250 ms": Duration(250e6), "1 s": Duration(999_900_000), "999 s": Duration(999e9), "3,600 s": Duration(3600e9),
	} {
		if got != want {
			t.Errorf("got=%s, want=%s", got, want)
		}
	}
}
