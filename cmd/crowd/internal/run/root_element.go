package run

import (
	"compress/gzip"
	"encoding/xml"
	"io"
	"os"
	"strings"
)

// rootElement returns the name of the first element of an XML file, or nothing
// if there is none near its beginning.
func rootElement(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	in := io.Reader(f)
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			return ""
		}
	}
	const near = 1 << 16 // bytes
	tokens := xml.NewDecoder(io.LimitReader(in, near))
	for {
		token, err := tokens.RawToken()
		if err != nil {
			return ""
		}
		if start, ok := token.(xml.StartElement); ok {
			return start.Name.Local
		}
	}
}
