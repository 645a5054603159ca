package picture

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// A face is one of the fonts of a picture.
type face int

const (
	titleFace face = iota
	textFace
	smallFace
	faces
)

// faceSizes are the sizes of the faces, in em.
var faceSizes = [faces]float64{1.55, 1, 0.86}

// letters are the fonts of one picture. Pictures that are drawn at the same time must not share
// them, because a face has a cache.
type letters [faces]font.Face

var (
	bold    = sync.OnceValue(func() *opentype.Font { return parse(gobold.TTF) })
	regular = sync.OnceValue(func() *opentype.Font { return parse(goregular.TTF) })
)

func parse(ttf []byte) *opentype.Font {
	f, err := opentype.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("crowd: font: %v", err))
	}
	return f
}

// newLetters returns letters for an em in pixels.
func newLetters(em float64) (l letters) {
	for f, size := range faceSizes {
		from := regular()
		if face(f) == titleFace {
			from = bold()
		}
		var err error
		if l[f], err = opentype.NewFace(from, &opentype.FaceOptions{Size: size * em, DPI: 72}); err != nil {
			panic(fmt.Sprintf("crowd: font: %v", err))
		}
	}
	return l
}

// width returns the width of s in pixels.
func (l *letters) width(f face, s string) float64 {
	return float64(font.MeasureString(l[f], s)) / 64
}

// fit returns s as one line, shortened with … if it is wider than room pixels.
func (l *letters) fit(f face, s string, room float64) string {
	s = strings.Join(strings.Fields(s), " ")
	if l.width(f, s) <= room {
		return s
	}
	runes := []rune(s)
	n := sort.Search(len(runes), func(n int) bool { return l.width(f, string(runes[:n+1])+"…") > room })
	return strings.TrimRight(string(runes[:n]), " ,") + "…"
}

// wrap breaks s into at most limit lines, and shortens a line that is wider than room pixels.
func (l *letters) wrap(f face, s string, room float64, limit int) (lines []string) {
	for words := strings.Fields(s); len(words) > 0; {
		n := 1
		for n < len(words) && (len(lines) == limit-1 || l.width(f, strings.Join(words[:n+1], " ")) <= room) {
			n++
		}
		lines = append(lines, l.fit(f, strings.Join(words[:n], " "), room))
		words = words[n:]
	}
	return lines
}
