package house

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
)

func behaviorTable(t *testing.T) string {
	var b strings.Builder
	b.WriteString("| name | component | system | source |\n|---|---|---|---|\n")
	for _, e := range systems.Catalog() {
		var names []string
		for _, system := range e.By {
			names = append(names, reflect.TypeOf(system).Elem().Name())
		}
		if e.System != nil {
			name := reflect.TypeOf(e.System(catalog.Options{})).Elem().Name()
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		fmt.Fprintf(&b, "| %s | `%s` | `%s` | %s |\n", e.Name, reflect.TypeOf(e.Component).Name(), strings.Join(names, "`, `"),
			cmp.Or(e.Source, "ours"))
	}
	return b.String()
}
