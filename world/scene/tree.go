package scene

import (
	"context"
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// kind is what a value of a TOML file is.
type kind uint8

const (
	isText kind = iota
	isNumber
	isFlag
	isDate
	isList
	isTable
)

func (k kind) String() string {
	return [...]string{"a text", "a number", "true or false", "a date", "a list", "a table"}[k]
}

// node is one value of a TOML file.
type node struct {
	kind   kind
	open   bool   // of a list: made by [[headers]], of which more may follow
	offset int    // where it stands, in bytes from the beginning of the file
	text   string // of a text: what it says; of other scalars: as it is written
	list   []node
	table  *table
}

// origin is how a table came about, which decides on what may be added to it.
type origin uint8

const (
	byPath   origin = iota // on the way to the table of a header: may still get its own header
	byHeader               // complete after the lines below its header
	byDots                 // by a dotted key: more dotted keys may follow
	inBraces               // complete
)

// table is a table of a TOML file, with its entries in the order of the file.
type table struct {
	origin  origin
	entries []entry
	index   map[string]int // of large tables
}

type entry struct {
	name   string
	offset int
	node
}

// indexed is the number of entries from which on a table has an index.
const indexed = 12

func (t *table) find(name string) *entry {
	if t.index != nil {
		if i, ok := t.index[name]; ok {
			return &t.entries[i]
		}
		return nil
	}
	for i := range t.entries {
		if t.entries[i].name == name {
			return &t.entries[i]
		}
	}
	return nil
}

func (t *table) add(name string, offset int, n node) *entry {
	t.entries = append(t.entries, entry{name, offset, n})
	switch {
	case t.index != nil:
		t.index[name] = len(t.entries) - 1
	case len(t.entries) == indexed:
		t.index = map[string]int{}
		for i := range t.entries {
			t.index[t.entries[i].name] = i
		}
	}
	return &t.entries[len(t.entries)-1]
}

// fault is what is wrong, and where.
type fault struct {
	offset int
	text   string
}

func (f *fault) Error() string { return f.text }

// longFile is the size in bytes from which on one list may take long to parse.
const longFile = 1 << 20

// parse reads a TOML document, until the context ends.
func parse(ctx context.Context, data []byte) (*table, error) {
	if len(data) < longFile {
		return parseAll(ctx, data)
	}
	// The parser can't be told to stop in the middle of a line, which may be all of
	// the file. What is left to itself ends with that line.
	type result struct {
		root *table
		err  error
	}
	done := make(chan result, 1)
	go func() {
		root, err := parseAll(ctx, data)
		done <- result{root, err}
	}()
	select {
	case r := <-done:
		return r.root, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func parseAll(ctx context.Context, data []byte) (*table, error) {
	p := &unstable.Parser{}
	p.Reset(data[:len(data):len(data)])
	root := &table{origin: byHeader}
	current := root
	for n := 0; p.NextExpression(); n++ {
		err := ended(ctx, n, cheapRows)
		if err != nil {
			return nil, err
		}
		switch e := p.Expression(); e.Kind {
		case unstable.KeyValue:
			err = current.put(ctx, e)
		case unstable.Table, unstable.ArrayTable:
			current, err = root.header(e)
		}
		if err != nil {
			return nil, err
		}
	}
	var bad *unstable.ParserError
	if errors.As(p.Error(), &bad) {
		return nil, &fault{int(p.Range(bad.Highlight).Offset), bad.Message}
	}
	return root, p.Error()
}

// header makes, or finds, the table that a [header] or [[header]] begins.
func (t *table) header(e *unstable.Node) (*table, error) {
	keys := e.Key()
	for keys.Next() {
		key, name := keys.Node(), string(keys.Node().Data)
		offset := int(key.Raw.Offset)
		found := t.find(name)
		last := keys.IsLast()
		switch {
		case last && e.Kind == unstable.ArrayTable && found == nil:
			found = t.add(name, offset, node{kind: isList, open: true, offset: offset})
			fallthrough
		case last && e.Kind == unstable.ArrayTable && found.kind == isList && found.open:
			next := &table{origin: byHeader}
			found.list = append(found.list, node{kind: isTable, offset: offset, table: next})
			t = next
		case found == nil:
			next := &table{origin: byPath}
			if last {
				next.origin = byHeader
			}
			t.add(name, offset, node{kind: isTable, offset: offset, table: next})
			t = next
		case last && e.Kind == unstable.Table && found.kind == isTable && found.table.origin == byPath:
			found.table.origin, found.node.offset = byHeader, offset
			t = found.table
		case !last && found.kind == isTable && found.table.origin != inBraces:
			t = found.table
		case !last && found.kind == isList && found.open:
			t = found.list[len(found.list)-1].table
		default:
			return nil, &fault{offset, fmt.Sprintf("%s is there already, as %v", cut(name), found.kind)}
		}
	}
	return t, nil
}

// put adds the key and the value of a line, or of a table in braces.
func (t *table) put(ctx context.Context, e *unstable.Node) error {
	keys := e.Key()
	for keys.Next() {
		key, name := keys.Node(), string(keys.Node().Data)
		offset := int(key.Raw.Offset)
		found := t.find(name)
		switch {
		case keys.IsLast() && found == nil:
			n, err := value(ctx, e.Value(), offset)
			if err != nil {
				return err
			}
			t.add(name, offset, n)
		case found == nil:
			next := &table{origin: byDots}
			t.add(name, offset, node{kind: isTable, offset: offset, table: next})
			t = next
		case !keys.IsLast() && found.kind == isTable && found.table.origin == byDots:
			t = found.table
		default:
			return &fault{offset, fmt.Sprintf("%s is there already, as %v", cut(name), found.kind)}
		}
	}
	return nil
}

// value returns the node of a value. A list, which the parser gives no place,
// stands where its first element stands, and an empty one at offset.
func value(ctx context.Context, e *unstable.Node, offset int) (node, error) {
	n := node{kind: isDate, offset: int(e.Raw.Offset), text: string(e.Data)}
	switch e.Kind {
	case unstable.String:
		n.kind = isText
	case unstable.Integer, unstable.Float:
		n.kind = isNumber
	case unstable.Bool:
		n.kind = isFlag
	case unstable.InlineTable:
		n.kind, n.table = isTable, &table{origin: inBraces}
		for it := e.Children(); it.Next(); {
			if err := n.table.put(ctx, it.Node()); err != nil {
				return n, err
			}
		}
	case unstable.Array:
		n.kind, n.offset = isList, offset
		for it := e.Children(); it.Next(); {
			element, err := value(ctx, it.Node(), offset)
			if err == nil {
				err = ended(ctx, len(n.list), cheapRows)
			}
			if err != nil {
				return n, err
			}
			n.list = append(n.list, element)
		}
		if len(n.list) > 0 {
			n.offset = n.list[0].offset
		}
	}
	return n, nil
}
