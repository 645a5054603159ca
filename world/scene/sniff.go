package scene

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// openFile reads a file of any kind, with what Lint says of it among Warnings.
func openFile(path string, info fs.FileInfo, o OpenOptions) (*Scene, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: want a regular file", path) // a pipe could block for ever
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if head, _ := unzipped(f).Peek(2); len(head) == 2 && (head[0] == 0 || head[1] == 0 || head[0] >= 0xfe && head[1] >= 0xfe) {
		return nil, fmt.Errorf("%s: text in UTF-16, or none, want text in UTF-8", path)
	}
	for _, kind := range []struct {
		is   func(f io.Reader, path string) bool
		open func(f io.ReadSeeker, path string, o OpenOptions) (*Scene, error)
	}{{isMap, openMap}, {isWays, openWays}, {isArea, openArea}, {isVadere, openVadere}, {isXML, openXML}, {isRecording, openRecording}} {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return nil, err
		}
		if kind.is(f, path) {
			s, err := kind.open(f, path, o)
			if err == nil {
				s.Catalog = o.Catalog
				s.Warnings = append(s.Warnings, s.lint(path)...)
			}
			return s, err
		}
	}
	if o.Obstacles != "" {
		return nil, fmt.Errorf("%s: obstacles from a file go with a file of agents, not with a scene", path)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	o.path = path
	s, err := read(f, path, o)
	if err == nil {
		s.Files = append([]string{path}, s.Files...)
	}
	return s, err
}

// otherRoots are the root elements of XML files that are not of UMANS.
var otherRoots = []string{"Project", "Experiment", "SteerBenchTestCase", "SteerSuiteSubSpace"}

// openXML reads a file of SteerBench, Menge or UMANS, whichever its root says.
func openXML(f io.ReadSeeker, path string, o OpenOptions) (*Scene, error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	head, _ := io.ReadAll(io.LimitReader(unzipped(f), 64<<10))
	if bytes.Contains(head, []byte("SteerBenchTestCase")) || bytes.Contains(head, []byte("SteerSuiteSubSpace")) {
		return openSteerbench(path, o)
	}
	for _, root := range []string{"<Project", "<Experiment", "<BFSM"} {
		if bytes.Contains(head, []byte(root)) {
			return openMenge(path, o)
		}
	}
	return openUMANS(path, o)
}

// otherKinds are the kinds of files that are read beside scenes.
const otherKinds = "a file of SteerBench, UMANS, Menge or Vadere, WKT, a map of movingai.com, or a recording of people"

// anyKind reports whether a file was taken for a scene because it looked like nothing else.
func (o *OpenOptions) anyKind() bool {
	return o.path != "" && !strings.HasSuffix(strings.TrimSuffix(strings.ToLower(o.path), ".gz"), ".toml")
}

// unzipped returns what a file holds, without the gzip around it if there is one.
func unzipped(f io.Reader) *bufio.Reader {
	in := bufio.NewReader(f)
	if head, _ := in.Peek(2); bytes.Equal(head, gzipMagic) {
		if z, err := gzip.NewReader(in); err == nil {
			return bufio.NewReader(z)
		}
	}
	return in
}

// isXML reports whether a file is XML, by its name or how it begins.
func isXML(f io.Reader, path string) bool {
	name := strings.TrimSuffix(strings.ToLower(path), ".gz")
	if strings.HasSuffix(name, ".xml") || strings.HasSuffix(name, ".toml") {
		return strings.HasSuffix(name, ".xml")
	}
	head, err := unzipped(f).Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	head = bytes.TrimLeft(bytes.TrimPrefix(head, utf8BOM), " \t\r\n")
	return bytes.HasPrefix(head, []byte("<"))
}
