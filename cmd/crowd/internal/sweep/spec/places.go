package spec

import (
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// maxLevels is how deep the values of a file are nested at most. Paths of many levels would take
// memory by the square of their number.
const maxLevels = 16

// places has the offset of each key and each element of a list of a file, by its path, such as
// axes.agents[2].
type places struct {
	at   map[string]int
	deep int // offset of the first key or element that is nested too deep; -1: none is
}

// placesOf returns the places of a file, as far as it is valid.
func placesOf(data []byte) *places {
	s := &places{map[string]int{}, -1}
	p := &unstable.Parser{}
	p.Reset(data)
	table, level := "", 0
	for s.deep < 0 && p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, level = s.addKeys("", 0, e)
		case unstable.KeyValue:
			path, level := s.addKeys(table, level, e)
			s.addValue(path, level, e.Value())
		}
	}
	return s
}

// add adds a path of a level, and reports whether it is not too deep.
func (s *places) add(path string, level int, offset uint32) bool {
	if level > maxLevels && s.deep < 0 {
		s.deep = int(offset)
	}
	if _, ok := s.at[path]; !ok && s.deep < 0 {
		s.at[path] = int(offset)
	}
	return s.deep < 0
}

// addKeys adds the parts of a key, and returns the path and the level of the whole.
func (s *places) addKeys(path string, level int, e *unstable.Node) (string, int) {
	for keys := e.Key(); keys.Next(); {
		path, level = within(path, string(keys.Node().Data)), level+1
		if !s.add(path, level, keys.Node().Raw.Offset) {
			break
		}
	}
	return path, level
}

func (s *places) addValue(path string, level int, v *unstable.Node) {
	all := v.Children()
	switch v.Kind {
	case unstable.InlineTable:
		for s.deep < 0 && all.Next() {
			path, level := s.addKeys(path, level, all.Node())
			s.addValue(path, level, all.Node().Value())
		}
	case unstable.Array:
		for i := 0; s.deep < 0 && all.Next(); i++ {
			element := fmt.Sprintf("%s[%d]", path, i)
			raw := all.Node().Raw
			if raw.Length == 0 { // lists and tables have none
				raw.Offset = uint32(s.at[path])
			}
			if s.add(element, level+1, raw.Offset) {
				s.addValue(element, level+1, all.Node())
			}
		}
	}
}
