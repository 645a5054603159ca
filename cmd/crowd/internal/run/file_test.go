package run

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/internal/archive"
	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/world"
	"github.com/8f878440/crowd/world/scene"
	"github.com/klauspost/compress/zstd"
)

// small returns a scene with few agents, and its world after two steps.
func small(t testing.TB) (*scene.Scene, *world.World) {
	t.Helper()
	s, err := scene.Named("arrival")
	testkit.Must(t, err)
	s.Resize(20)
	w, err := s.Build(scene.Options{Workers: 1})
	testkit.Must(t, err)
	t.Cleanup(w.Close)
	for range 2 {
		testkit.Must(t, w.Step())
	}
	return s, w
}

// file returns the content of a run saved by the given version of crowd.
func file(t testing.TB, of string) []byte {
	t.Helper()
	_, w := small(t)
	run := SavedRun{Version: of, Flags: []byte("{}"), State: *Begin(w), Report: []byte("{}"), Hash: w.Hash()}
	var b bytes.Buffer
	testkit.Must(t, run.write(&b, w))
	return b.Bytes()
}

// open reads a saved run as crowd run --resume does.
func open(t testing.TB, s *scene.Scene, text []byte) (f *SavedFile, err error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "x.save")
	testkit.Must(t, os.WriteFile(name, text, 0o666))
	if f, err = OpenSaved(name); err != nil {
		return nil, err
	}
	defer f.Close()
	w, err := s.Resume(scene.Options{Workers: 1}, f.World())
	if err != nil {
		return nil, f.Fault(err)
	}
	defer w.Close()
	return f, f.Check(w)
}

func TestChanged(t *testing.T) {
	whole := file(t, cli.Version())
	s, _ := small(t)
	_, err := open(t, s, whole)
	testkit.Must(t, err)
	const ends = 100 // try every byte near both ends, and every seventh byte in between
	for at := 0; at < len(whole); at++ {
		if at >= ends && at < len(whole)-ends && at%7 > 0 {
			continue
		}
		_, err = open(t, s, whole[:at])
		testkit.Fails(t, err, "x.save", "cut off at byte %d of %d", at, len(whole))
		changed := bytes.Clone(whole)
		changed[at] ^= 1 << (at % 8)
		if f, err := open(t, s, changed); err == nil && !same(t, changed, whole) || err != nil && !strings.Contains(err.Error(), "x.save") {
			t.Errorf("changed at byte %d of %d: got=%v, %v, want an error with %q, or the same content", at, len(whole), f, err, "x.save")
		}
	}
}

// same compares decompressed content: some bits of a compressed file have no effect.
func same(t *testing.T, a, b []byte) bool {
	t.Helper()
	unpack := func(text []byte) []byte {
		z, err := zstd.NewReader(bytes.NewReader(text))
		testkit.Must(t, err)
		defer z.Close()
		all, err := io.ReadAll(z)
		testkit.Must(t, err)
		return all
	}
	return bytes.Equal(unpack(a), unpack(b))
}

func TestOtherVersion(t *testing.T) {
	s, _ := small(t)
	_, err := open(t, s, file(t, "v0.0.1"))
	testkit.Fails(t, err, "x.save was saved by crowd v0.0.1, and this is crowd ", "another version")
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	testkit.Must(t, err)
	testkit.Must(t, archive.Write(z, 1).Close())
	testkit.Must(t, z.Close())
	want := "x.save has the format of another version of crowd: crowd state: byte 12: version is 1, want 2"
	_, err = open(t, s, b.Bytes())
	testkit.Fails(t, err, want, "format")
}

func TestUnended(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.save")
	for _, text := range [][]byte{file(t, cli.Version()), file(t, "v0.0.1"), []byte("no saved run")} {
		testkit.Must(t, os.WriteFile(name, text, 0o666))
		_, yes := Unended(name)
		testkit.Equal(t, yes, len(text) > len("no saved run"), "file of %d bytes", len(text))
	}
}

func TestBomb(t *testing.T) {
	s, _ := small(t)
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	testkit.Must(t, err)
	lengths := []byte("\x00\x00\x00\x00\x01\x00\x00\x00\x03\x00") // 4 GB in a block with a name of 3 bytes
	head := binary.LittleEndian.AppendUint32(lengths, crc32.Checksum(lengths, crc32.MakeTable(crc32.Castagnoli)))
	_, err = z.Write(slices.Concat([]byte("crowd state\n\x02\x00\x00\x00"), head, []byte("run")))
	testkit.Must(t, err)
	zeros := make([]byte, 1<<20)
	for range 500 {
		_, err := z.Write(zeros)
		testkit.Must(t, err)
	}
	testkit.Must(t, z.Close())
	_, err = open(t, s, b.Bytes())
	testkit.Fails(t, err, "decompresses to more than 1000 times its size", "%d bytes", b.Len())
}

func TestSpan(t *testing.T) {
	for _, test := range []struct {
		text string
		dt   float64
		want int // -1 means an error
	}{
		{"10s", 0.1, 100}, {"10s", 1. / 60, 600}, {"1m30s", 0.5, 180}, {"1ms", 0.1, 0}, {"250", 0.1, 250}, {"2.5s", 0.1, 25}, {"2000h", 0.01, MaxSteps},
		{"0", 0.1, 0}, {"-5", 0.1, -1}, {"0s", 0.1, 0}, {"-1s", 0.1, -1}, {"", 0.1, -1}, {"often", 0.1, -1}, {"10", 0.1, 10}, {"1.5", 0.1, -1}, {"100000001", 0.1, -1},
	} {
		var s Span
		err := s.UnmarshalText([]byte(test.text))
		if got := s.Steps(test.dt); err == nil && got != test.want || (err != nil) != (test.want < 0) {
			t.Errorf("%q: got=%d, %v, want=%d (-1 means an error)", test.text, s.Steps(test.dt), err, test.want)
		}
	}
	for dt, want := range map[float64]Span{1: "3600", 0.05: "60s"} {
		testkit.Equal(t, UsualSpan(&scene.Scene{Dt: dt}), want, "default for dt %v", dt)
	}
}

func FuzzOpen(f *testing.F) {
	z, err := zstd.NewWriter(nil)
	testkit.Must(f, err)
	defer z.Close()
	whole := file(f, cli.Version())
	unzip, err := zstd.NewReader(nil)
	testkit.Must(f, err)
	defer unzip.Close()
	text, err := unzip.DecodeAll(whole, nil)
	testkit.Must(f, err)
	f.Add(whole, true)
	f.Add(text[:min(len(text), 600)], false)
	name := filepath.Join(f.TempDir(), "x.save")
	f.Fuzz(func(t *testing.T, text []byte, packed bool) {
		if !packed { // lets the fuzzer get past the checksums of the compression
			text = z.EncodeAll(text, nil)
		}
		testkit.Must(t, os.WriteFile(name, text, 0o666))
		saved, err := OpenSaved(name)
		if err == nil {
			saved.Close()
		} else if !strings.Contains(err.Error(), "x.save") || strings.Contains(err.Error(), "\n") {
			t.Errorf("got=%q, want one line with %q", err, "x.save")
		}
	})
}
