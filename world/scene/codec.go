package scene

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/8f878440/crowd/internal/space"
	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/catalog"
	"gonum.org/v1/gonum/spatial/r2"
)

// codec reads, writes and describes values of one type in a scene file.
type codec[T any] struct {
	read    func(*reader, *node) T
	write   func(*writer, T)
	schema  func() schema
	keys    func() []key      // of a table; may be nil
	binding func(*T) *binding // of a number; otherwise nil
	inside  func(*T) []key    // of a table: keys bound to the value; otherwise nil
}

type key struct {
	name    string
	text    string // description, starting with the unit, if any
	must    bool   // required
	read    func(*reader, *node)
	reset   func()      // sets the default
	isReset func() bool // whether the value is the default, which need not be written
	write   func(*writer)
	schema  func() schema
	keys    func() []key
	tables  func() [][]key  // tables with their own headers; nil means that the value follows the key
	many    bool            // headers have double brackets
	binding func() *binding // of a number; otherwise nil
	inside  func() []key    // of a table: keys bound to the current value; otherwise nil
	was     []string        // former names, still read
	apply   setter          // sets the number in a running world; nil if it matters only at the start
}

func must[T any](name string, at *T, c codec[T], text string) key {
	k := bind(name, at, c, text)
	k.must = true
	return k.always()
}

func (k key) always() key {
	k.isReset = func() bool { return false }
	return k
}

func may[T any](name string, at *T, c codec[T], otherwise T, text string) key {
	k := bind(name, at, c, text)
	k.reset = func() { *at = otherwise }
	k.isReset = func() bool { return written(c, *at) == written(c, otherwise) } // distinguishes -0 from 0
	k.schema = func() schema { return c.schema().with("description", text).with("default", otherwise) }
	return k
}

func written[T any](c codec[T], x T) string {
	var w writer
	c.write(&w, x)
	return w.String()
}

func maybe[T any](name string, at **T, c codec[T], text string) key {
	k := bind(name, at, codec[*T]{
		read:   func(r *reader, n *node) *T { x := c.read(r, n); return &x },
		write:  func(w *writer, x *T) { c.write(w, *x) },
		schema: c.schema,
		keys:   c.keys,
		inside: func(at **T) []key {
			if *at == nil || c.inside == nil {
				return nil
			}
			return c.inside(*at)
		},
	}, text)
	k.isReset = func() bool { return *at == nil }
	return k
}

func bind[T any](name string, at *T, c codec[T], text string) key {
	k := key{
		name: name, text: text,
		read:    func(r *reader, n *node) { *at = c.read(r, n) },
		reset:   func() { var none T; *at = none },
		isReset: func() bool { return reflect.ValueOf(at).Elem().IsZero() },
		write:   func(w *writer) { c.write(w, *at) },
		schema:  func() schema { return c.schema().with("description", text) },
		keys:    c.keys,
	}
	if c.binding != nil {
		k.binding = func() *binding { return c.binding(at) }
	}
	if c.inside != nil {
		k.inside = func() []key { return c.inside(at) }
	}
	return k
}

// farthest bounds coordinates and lengths in a file, in m, so that sums and squares do not overflow.
const farthest = 1e12

var (
	zeroOrMore = catalog.ZeroOrMore
	aboveZero  = catalog.AboveZero
	orInfinite = catalog.OrInfinite
	anyOrNone  = catalog.Limits{Min: math.Inf(-1), Max: math.Inf(1), Infinite: true}
	inWorld    = catalog.Limits{Min: -farthest, Max: farthest}
	inWorldTo  = catalog.Limits{Max: farthest}
)

func schemaOf(l catalog.Limits) schema {
	s := schema{"type": "number"}
	switch {
	case l.Above:
		s["exclusiveMinimum"] = l.Min
	case !math.IsInf(l.Min, -1):
		s["minimum"] = l.Min
	}
	if !math.IsInf(l.Max, 1) {
		s["maximum"] = l.Max
	}
	return s
}

func number(l catalog.Limits) codec[float64] {
	return codec[float64]{
		read: func(r *reader, n *node) float64 {
			x := math.NaN()
			if n.kind == isNumber {
				x = parseNumber(n.text)
			}
			if !l.Allow(x) {
				r.wrong(n, l.String())
				return l.Max
			}
			return x
		},
		write:  func(w *writer, x float64) { w.WriteString(formatNumber(x)) },
		schema: func() schema { return schemaOf(l) },
		binding: func(at *float64) *binding {
			return &binding{
				Limits: l,
				get:    func() float64 { return *at },
				set:    func(x float64) { *at = x },
				keep:   func() func() { was := *at; return func() { *at = was } },
			}
		},
	}
}

func parseNumber(text string) float64 {
	text = strings.ReplaceAll(text, "_", "")
	if len(text) > 1 && text[0] == '0' && strings.ContainsRune("xob", rune(text[1])) {
		n, err := strconv.ParseUint(text, 0, 64)
		if err != nil {
			return math.Inf(1)
		}
		return float64(n)
	}
	x, _ := strconv.ParseFloat(text, 64) // an infinity if out of range
	return x
}

func formatNumber(x float64) string {
	return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+"))
}

func integer[T int | uint32 | uint64](least, most uint64) codec[T] {
	return codec[T]{
		read: func(r *reader, n *node) T {
			x, err := strconv.ParseUint(strings.TrimPrefix(n.text, "+"), 0, 64)
			if n.kind != isNumber || err != nil || x < least || x > most {
				r.wrong(n, fmt.Sprintf("a whole number, %d to %d", least, most))
				return T(least)
			}
			return T(x)
		},
		write:  func(w *writer, x T) { fmt.Fprint(w, x) },
		schema: func() schema { return schema{"type": "integer", "minimum": least, "maximum": most} },
	}
}

var boolean = codec[bool]{
	read: func(r *reader, n *node) bool {
		if n.kind != isFlag {
			r.wrong(n, "true or false")
		}
		return n.text == "true"
	},
	write:  func(w *writer, x bool) { fmt.Fprint(w, x) },
	schema: func() schema { return schema{"type": "boolean"} },
}

var text = codec[string]{
	read: func(r *reader, n *node) string {
		if n.kind != isText {
			r.wrong(n, "a string in quotes")
		}
		return n.text
	},
	write:  func(w *writer, x string) { w.WriteString(quote(x)) },
	schema: func() schema { return schema{"type": "string"} },
}

// word returns the codec of an enumeration, in which words[i] stands for i.
func word[T ~int](words ...string) codec[T] {
	return codec[T]{
		read: func(r *reader, n *node) T { return T(r.oneOf(n, words)) },
		write: func(w *writer, x T) {
			if int(x) < 0 || int(x) >= len(words) {
				fmt.Fprint(w, int(x)) // rejected when read
				return
			}
			w.WriteString(quote(words[x]))
		},
		schema: func() schema { return schema{"enum": words} },
	}
}

// oneOf returns the index of the word read, or 0 after a fault.
func (r *reader) oneOf(n *node, words []string) int {
	want, hint := "one of", ""
	if n.kind == isText {
		if i := slices.Index(words, n.text); i >= 0 {
			return i
		}
		if hint = suggest.DidYouMean(n.text, words); hint != "" {
			hint = "; " + hint
		}
	}
	for i, w := range words {
		want += either(i == 0, " ", ", ") + strconv.Quote(w)
	}
	r.wrong(n, want+hint)
	return 0
}

// listOf returns the codec of a list with least to most elements.
func listOf[T any](least, most int, c codec[T], what string) codec[[]T] {
	return codec[[]T]{
		read: func(r *reader, n *node) []T {
			if n.kind != isList || len(n.list) < least || len(n.list) > most {
				r.wrong(n, what)
				return nil
			}
			var all []T
			for i := range n.list {
				if r.ended() {
					return nil
				}
				r.enter("["+strconv.Itoa(i)+"]", func() { all = append(all, c.read(r, &n.list[i])) })
			}
			return all
		},
		write: func(w *writer, all []T) {
			w.list(len(all), func(w *writer, i int) { c.write(w, all[i]) })
		},
		schema: func() schema {
			s := schema{"type": "array", "items": c.schema()}
			if least > 0 {
				s["minItems"] = least
			}
			return s
		},
		keys: c.keys,
	}
}

var coordinate = number(inWorld)

var vector = pair("two numbers, [x, y]")

func pair(want string) codec[r2.Vec] {
	return codec[r2.Vec]{
		read: func(r *reader, n *node) r2.Vec {
			if n.kind != isList || len(n.list) != 2 {
				r.wrong(n, want)
				return r2.Vec{}
			}
			return r2.Vec{X: coordinate.read(r, &n.list[0]), Y: coordinate.read(r, &n.list[1])}
		},
		write: func(w *writer, v r2.Vec) {
			w.WriteString("[" + formatNumber(v.X) + ", " + formatNumber(v.Y) + "]")
		},
		schema: func() schema { return schema{"$ref": "#/$defs/vector"} },
	}
}

var area = codec[r2.Box]{
	read: func(r *reader, n *node) r2.Box {
		const want = "two corners, [[x0, y0], [x1, y1]], with x0 < x1 and y0 < y1"
		if n.kind != isList || len(n.list) != 2 {
			r.wrong(n, want)
			return r2.Box{}
		}
		before := r.count()
		b := r2.Box{Min: vector.read(r, &n.list[0]), Max: vector.read(r, &n.list[1])}
		if r.count() == before && !(b.Min.X < b.Max.X && b.Min.Y < b.Max.Y) {
			r.fault(n.offset, "%s is [[%v, %v], [%v, %v]], want %s", r.at(), b.Min.X, b.Min.Y, b.Max.X, b.Max.Y, want)
		}
		return b
	},
	write: func(w *writer, b r2.Box) {
		w.WriteString("[")
		vector.write(w, b.Min)
		w.WriteString(", ")
		vector.write(w, b.Max)
		w.WriteString("]")
	},
	schema: func() schema { return schema{"$ref": "#/$defs/box"} },
}

var (
	points = listOf(1, maxValues, vector, "a list of one or more points, [[x, y], …]")
	way    = listOf(2, maxValues, vector, "a list of two or more points, [[x, y], …]")
	ring   = outline()
)

func outline() codec[[]r2.Vec] {
	all := listOf(3, maxValues, vector, "a list of three or more corners, [[x, y], …]")
	corners := all.read
	all.read = func(r *reader, n *node) []r2.Vec {
		before := r.count()
		ring := corners(r, n)
		if r.count() == before && len(ring) > 0 {
			if fault := space.RingFault(ring); fault != "" {
				r.fault(n.offset, "%s %s", r.at(), fault)
			}
		}
		return ring
	}
	return all
}

func tableOf[T any](keys func(*T) []key) codec[T] {
	of := func() []key { return keys(new(T)) }
	return codec[T]{
		read: func(r *reader, n *node) T {
			var x T
			r.table(n, keys(&x))
			return x
		},
		write:  func(w *writer, x T) { w.braces(keys(&x)) },
		schema: func() schema { return tableSchema(of()) },
		keys:   of,
		inside: keys,
	}
}

func section[T any](name string, at *T, keys func(*T) []key, text string) key {
	k := bind(name, at, tableOf(keys), text)
	k.tables = func() [][]key { return [][]key{keys(at)} }
	return k
}

func maybeSection[T any](name string, at **T, keys func(*T) []key, text string) key {
	k := maybe(name, at, tableOf(keys), text)
	k.tables = func() [][]key { return [][]key{keys(*at)} }
	return k
}

func sections[T any](name string, at *[]T, keys func(*T) []key, text string) key {
	k := must(name, at, listOf(1, maxGroups, tableOf(keys), fmt.Sprintf("1 to %d tables", maxGroups)), text)
	k.many = true
	k.tables = func() [][]key {
		var all [][]key
		for i := range *at {
			all = append(all, keys(&(*at)[i]))
		}
		return all
	}
	return k
}

// lineLength is the length, in bytes, at which a written list is broken into lines.
const lineLength = 100

type writer struct{ strings.Builder }

// table writes keys, one per line, and then tables. The header is the path of this table with a final dot, or
// "".
func (w *writer) table(header string, keys []key) {
	for _, k := range keys {
		if k.tables == nil && !k.isReset() {
			fmt.Fprintf(w, "%s = ", k.name)
			k.write(w)
			w.WriteString("\n")
		}
	}
	for _, k := range keys {
		if k.tables == nil || k.isReset() {
			continue
		}
		path, form := header+k.name, "\n[%s]\n"
		if k.many {
			form = "\n[[%s]]\n"
		}
		for _, keys := range k.tables() {
			fmt.Fprintf(w, form, path)
			w.table(path+".", keys)
		}
	}
}

func (w *writer) braces(keys []key) {
	sep := "{"
	for _, k := range keys {
		if !k.isReset() {
			fmt.Fprintf(w, "%s%s = ", sep, k.name)
			k.write(w)
			sep = ", "
		}
	}
	if sep == "{" {
		w.WriteString(sep)
	}
	w.WriteString("}")
}

func (w *writer) list(n int, element func(w *writer, i int)) {
	all, total := make([]string, n), 0
	for i := range all {
		var one writer
		element(&one, i)
		all[i] = one.String()
		total += len(all[i]) + 2
	}
	if total <= lineLength {
		w.WriteString("[" + strings.Join(all, ", ") + "]")
		return
	}
	w.WriteString("[")
	column := lineLength
	for _, text := range all {
		if column += len(text) + 2; column > lineLength {
			w.WriteString("\n ")
			column = 2 + len(text)
		}
		w.WriteString(" " + text + ",")
	}
	w.WriteString("\n]")
}

func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			b.WriteRune('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case !unicode.IsGraphic(c) && c <= 0xffff: // such as terminal control characters
			fmt.Fprintf(&b, `\u%04X`, c)
		case !unicode.IsGraphic(c):
			fmt.Fprintf(&b, `\U%08X`, c)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
