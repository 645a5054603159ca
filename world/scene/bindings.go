package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/8f878440/crowd/internal/suggest"
	"github.com/8f878440/crowd/systems/catalog"
)

type binding struct {
	catalog.Limits
	get  func() float64
	set  func(x float64)
	keep func() (restore func()) // saves what set changes
}

func (k key) bound(change func(*binding)) key {
	of := k.binding
	k.binding = func() *binding {
		d := of()
		change(d)
		return d
	}
	return k
}

type boundKey struct {
	*binding
	key
	name, section string
	path          string // name in its group
	group         int    // index; -1 means none
}

func (s *Scene) findKey(name string) (k boundKey, wrong string) {
	all, above, inner := s.sceneNumbers(), "", name
	if rest, ok := strings.CutPrefix(name, "groups["); ok {
		number, rest, _ := strings.Cut(rest, "]")
		group, err := strconv.Atoi(number)
		if err != nil || group < 0 || group >= len(s.Groups) {
			return boundKey{}, fmt.Sprintf("is not a parameter: the number of groups is %d, and the first is groups[0]", len(s.Groups))
		}
		all, above, inner = s.tunableNumbers(group), fmt.Sprintf("groups[%d].", group), strings.TrimPrefix(rest, ".")
		if slices.ContainsFunc(s.groupKeys(&s.Groups[group]), func(k key) bool { return k.name == inner && k.apply == nil && k.inside == nil }) {
			return boundKey{}, "cannot be changed while the scene runs: it matters only at the start"
		}
	}
	var names []string
	for _, k := range all {
		if k.name == name {
			return k, ""
		}
		names = append(names, strings.TrimPrefix(k.name, above))
	}
	if near := suggest.Nearest(inner, names); near != "" {
		return boundKey{}, fmt.Sprintf("is not a parameter: did you mean %q?", above+near)
	}
	of := either(above == "", "", " of "+strings.TrimSuffix(above, "."))
	return boundKey{}, fmt.Sprintf("is not a parameter; the parameters%s are %s", of, strings.Join(names, ", "))
}

// findKeys returns the keys that a name refers to, or what is wrong with the name. A name without a group
// refers to a key of the scene, or to the keys of all groups.
func (s *Scene) findKeys(name string) (all []boundKey, wrong string) {
	k, wrong := s.findKey(name)
	if wrong == "" {
		return []boundKey{k}, ""
	}
	if strings.HasPrefix(name, "groups[") {
		return nil, wrong
	}
	var names []string
	for i := range s.Groups {
		for _, k := range s.tunableNumbers(i) {
			if k.path == name {
				all = append(all, k)
			} else if len(all) == 0 && !slices.Contains(names, k.path) {
				names = append(names, k.path)
			}
		}
	}
	switch near := suggest.Nearest(name, names); {
	case len(all) > 0:
		return all, ""
	case strings.Contains(wrong, "did you mean"): // a number of the scene
		return nil, wrong
	case near != "":
		return nil, fmt.Sprintf("is not a parameter: did you mean %q?", near)
	}
	return nil, strings.Join(append([]string{wrong}, names...), ", ")
}

// featuredProblems does not depend on the values of numbers, so tuning need not call it.
func (s *Scene) featuredProblems() (all []problem) {
	for i, name := range s.Featured {
		if s.hasNumber(name) { // findKeys would search all groups
			continue
		}
		if _, wrong := s.findKeys(name); wrong != "" {
			all = append(all, problem{fmt.Sprintf("featured[%d]", i), fmt.Sprintf("is \"%s\", which %s", cut(name), wrong)})
		}
	}
	return all
}

func (s *Scene) hasNumber(path string) bool {
	for i := range s.Groups {
		if slices.ContainsFunc(s.tunableNumbers(i), func(k boundKey) bool { return k.path == path }) {
			return true
		}
	}
	return false
}

func (s *Scene) sceneNumbers() []boundKey {
	all := tunableOf([]key{s.dtKey()}, "", "", -1)
	if s.Pointer != nil {
		all = append(all, tunableOf(pointerKeys(s.Pointer), "pointer.", "pointer", -1)...)
	}
	return all
}

func (s *Scene) tunableNumbers(group int) []boundKey {
	return tunableOf(s.groupKeys(&s.Groups[group]), fmt.Sprintf("groups[%d].", group), "", group)
}

// tunableOf returns the tunable numbers of a table and its subtables. The parameters are the keys of the
// table, its path with a final dot, its name if it is a subtable, and the index of its group or -1.
func tunableOf(keys []key, above, section string, group int) []boundKey {
	return slices.DeleteFunc(numbersOf(keys, above, section, group), func(k boundKey) bool { return k.apply == nil })
}

func numbersOf(keys []key, above, section string, group int) (all []boundKey) {
	for _, k := range keys {
		switch {
		case k.binding != nil:
			path := k.name
			if section != "" {
				path = section + "." + path
			}
			all = append(all, boundKey{binding: k.binding(), key: k, name: above + k.name, path: path, section: section, group: group})
		case k.inside != nil:
			all = append(all, numbersOf(k.inside(), above+k.name+".", k.name, group)...)
		}
	}
	return all
}
