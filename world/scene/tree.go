package scene

import (
	"context"
	"errors"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

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
	return [...]string{"a string", "a number", "true or false", "a date", "a list", "a table"}[k]
}

type node struct {
	kind   kind
	open   bool   // a list of [[headers]], which further headers may extend
	offset int    // bytes from the start of the file
	text   string // value of a string; source of other scalars
	list   []node
	table  *table
}

// origin determines what may be added to a table.
type origin uint8

const (
	byPath   origin = iota // parent of a header's table: may still get a header
	byHeader               // complete after the lines below the header
	byDots                 // more dotted keys may follow
	inBraces               // complete
)

type table struct {
	origin  origin
	entries []entry
	index   map[string]int // in entries, by name
}

type entry struct {
	name   string
	offset int
	node
}

func (t *table) find(name string) *entry {
	if i, ok := t.index[name]; ok {
		return &t.entries[i]
	}
	return nil
}

func (t *table) add(name string, offset int, n node) *entry {
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[name] = len(t.entries)
	t.entries = append(t.entries, entry{name, offset, n})
	return &t.entries[len(t.entries)-1]
}

type fault struct {
	offset int
	text   string
}

func (f *fault) Error() string { return f.text }

// longFile is the size, in bytes, at which one line may be slow to parse.
const longFile = 1 << 20

func parse(ctx context.Context, data []byte) (*table, error) {
	if len(data) < longFile {
		return parseAll(ctx, data)
	}
	// The parser cannot stop within a line, which may be the whole file. An abandoned goroutine ends
	// when it next checks ctx.
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
			return nil, &fault{offset, fmt.Sprintf("%s already exists as %v", cut(name), found.kind)}
		}
	}
	return t, nil
}

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
			return &fault{offset, fmt.Sprintf("%s already exists as %v", cut(name), found.kind)}
		}
	}
	return nil
}

// value returns the node of a value. The parser does not locate lists: a list gets the offset of its
// first element or, if it is empty, the given offset.
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
