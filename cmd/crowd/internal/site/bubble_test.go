package site

import (
	"testing"
	"testing/synctest"
)

// bubble runs a test with a clock of its own, which goes on by itself to the next
// thing that is due when all goroutines wait for time or for one another, and
// stands still otherwise.
func bubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}
