package vadere

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestX(t *testing.T) {
	all, _ := filepath.Glob("/tmp/vad/*/*.scenario")
	more, _ := filepath.Glob("/work/shared/data/vadere/*.scenario")
	ok := 0
	w := map[string]int{}
	for _, f := range append(all, more...) {
		data, _ := os.ReadFile(f)
		s, err := Read(f, data, Options{})
		if err != nil {
			fmt.Println(strings.Replace(err.Error(), "/tmp/vad/", "", 1))
			continue
		}
		ok++
		for _, x := range s.Warnings {
			w[x]++
		}
		for _, u := range s.Unused {
			w[u.Key]++
		}
		w[fmt.Sprint("lines ", len(s.Lines))]++
	}
	fmt.Println(ok, len(all), w)
}
