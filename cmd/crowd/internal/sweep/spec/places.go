package spec

import (
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// placesOf returns the offset of each key and each element of a list of a file that is valid, by
// its path, such as axes.agents[2].
func placesOf(data []byte) map[string]int {
	places := map[string]int{}
	p := &unstable.Parser{}
	p.Reset(data)
	table := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = addKeys(places, "", e)
		case unstable.KeyValue:
			addValue(places, addKeys(places, table, e), e.Value())
		}
	}
	return places
}

// addKeys adds the parts of a key, and returns the path of the whole.
func addKeys(places map[string]int, path string, e *unstable.Node) string {
	for keys := e.Key(); keys.Next(); {
		path = within(path, string(keys.Node().Data))
		if _, ok := places[path]; !ok {
			places[path] = int(keys.Node().Raw.Offset)
		}
	}
	return path
}

func addValue(places map[string]int, path string, v *unstable.Node) {
	switch v.Kind {
	case unstable.InlineTable:
		for all := v.Children(); all.Next(); {
			addValue(places, addKeys(places, path, all.Node()), all.Node().Value())
		}
	case unstable.Array:
		i := 0
		for all := v.Children(); all.Next(); i++ {
			element := fmt.Sprintf("%s[%d]", path, i)
			if raw := all.Node().Raw; raw.Length > 0 { // lists and tables have none
				places[element] = int(raw.Offset)
			}
			addValue(places, element, all.Node())
		}
	}
}
