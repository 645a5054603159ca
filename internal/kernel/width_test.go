package kernel

import "testing"

func TestMost(t *testing.T) {
	for value, want := range map[string]Width{
		"": AVX512, "off": Off, "avx2": AVX2, "AVX2": AVX2, "avx512": AVX512, "sse": AVX512,
	} {
		if got := most(value); got != want {
			t.Errorf("most(%q) = %v, want %v", value, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	defer func(before string) { wanted = before }(wanted)
	for _, value := range []string{"", "off", "avx2", "AVX512"} {
		if wanted = value; Check() != nil {
			t.Errorf("CROWD_SIMD=%q: got=%v, want=no error", value, Check())
		}
	}
	wanted = "sse"
	if err := Check(); err == nil || err.Error() != `CROWD_SIMD is "sse", want one of off, avx2, avx512` {
		t.Errorf(`Check: got=%v, want=CROWD_SIMD is "sse", want one of off, avx2, avx512`, err)
	}
}

func TestUse(t *testing.T) {
	before := Use(Off)
	if got := Used(); got != Off {
		t.Errorf("used %v, want off", got)
	}
	Use(AVX512)
	if got := Used(); got != available() {
		t.Errorf("used %v, want %v, the greatest available width", got, available())
	}
	Use(before)
}

func TestUntil(t *testing.T) {
	defer Use(Use(AVX2))
	want := 8
	if Used() == Off {
		want = 20
	}
	if got := Until(0, 20); got != want {
		t.Errorf("Until(0, 20) = %d, want %d", got, want)
	}
	if got := Until(16, 20); got != 20 {
		t.Errorf("Until(16, 20) = %d, want 20", got)
	}
}

// TestWanted is skipped if the processor lacks the width in CROWD_SIMD; .ci/machines looks for that.
func TestWanted(t *testing.T) {
	if wanted != "" && Used() != most(wanted) {
		t.Skipf("kernels run with %v", Used())
	}
}
