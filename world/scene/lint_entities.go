package scene

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// others finds agents that are named, but that no behavior is about.
func (l *linter) others() {
	for b, e := range l.known(l.Group) {
		if params := e.Params(pointerTo(b)); len(params) != 1 || params[0].Key != "" {
			continue // it is more than a name
		}
		var users []string
		of, used := reflect.TypeOf(b), false
		for _, other := range l.entries() {
			if slices.ContainsFunc(other.Needs, func(need any) bool { return reflect.TypeOf(need) == of }) {
				users = append(users, other.Name)
				used = used || l.index(reflect.TypeOf(other.Component)) >= 0
			}
		}
		l.warn(!used, "%s", fmt.Sprintf("%s is not used; add %s", e.Name, strings.Join(users, " or ")))
	}
}
