package scene

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/8f878440/crowd/internal/vec"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world"
	"gonum.org/v1/gonum/spatial/r2"
)

var update = flag.Bool("update", false, "rewrite docs/scene.schema.json, the generated tables in docs and, with -full, testdata/golden.tsv")

const (
	page       = "../../docs/scenes.md"
	schemaFile = "../../docs/scene.schema.json"
)

// blocks returns the examples of the page, and one with all behaviors.
func blocks(t testing.TB) (all []string) {
	t.Helper()
	text, err := os.ReadFile(page)
	noError(t, err)
	for _, m := range regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		all = append(all, m[1])
	}
	if len(all) < 7 {
		t.Fatalf("examples: got=%d, want=7 or more", len(all))
	}
	return append(all, behaviors(t))
}

// behaviors returns an example with every key of every behavior. A behavior that behaviors.toml lacks
// has its own group, and parameters with the default value, or 1.
func behaviors(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile("testdata/behaviors.toml")
	noError(t, err)
	all := string(text)
	for _, e := range ours {
		if e.Special || strings.Contains(all, "\n"+e.Name+" = ") {
			continue
		}
		var keys []string
		for _, p := range e.Params(e.New()) {
			keys = append(keys, fmt.Sprintf("%s = %v", p.Key, cmp.Or(p.Default, any(1))))
		}
		all += fmt.Sprintf("[[groups]]\ncount = 20\nat = {disc = {center = [0, 30], radius = 2}}\nradius = 0.1\nstart-speed = 1\nmax-speed = 2\nmax-force = 9\n%s = {%s}\n", e.Name, strings.Join(keys, ", "))
	}
	return all
}

func TestExamplesOfThePage(t *testing.T) {
	t.Parallel()
	for i, text := range blocks(t) {
		name := fmt.Sprintf("example%d", i)
		t.Run(name, func(t *testing.T) {
			s, err := Read(strings.NewReader(text), name+".toml", OpenOptions{})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			testkit.Equal(t, strings.Join(s.Warnings, "\n"), "", "warnings")
			sameAgain(t, s, 60)
		})
	}
}

func pathsOf(keys []key, above string, visit func(path string, k *key)) {
	for _, k := range keys {
		visit(above+k.name, &k)
		if k.keys != nil {
			pathsOf(k.keys(), above+k.name+".", visit)
		}
	}
}

func used(n *node, above string, visit func(path string)) {
	for i := range n.list {
		used(&n.list[i], above, visit)
	}
	if n.table == nil {
		return
	}
	for i := range n.table.entries {
		e := &n.table.entries[i]
		visit(above + e.name)
		used(&e.node, above+e.name+".", visit)
	}
}

// Keys of places and distributions need one example in any use. duration, which replaces steps, need
// only be mentioned.
func TestPageShowsEveryKey(t *testing.T) {
	short := func(path string) string {
		for _, use := range []string{"groups.at.", "groups.target.", "groups.radius.", "groups.mass.", "groups.max-speed.age.", "groups.max-speed.", "groups.delay.", "groups.source.every.", "groups.max-force.", "groups.goal.radius.", "obstacles.random.radius."} {
			if strings.HasPrefix(path, use) {
				return "*." + path[len(use):]
			}
		}
		return path
	}
	seen := map[string]bool{}
	for _, text := range blocks(t) {
		root, err := parse(t.Context(), []byte(text))
		noError(t, err)
		used(&node{kind: isTable, table: root}, "", func(path string) { seen[short(path)] = true })
	}
	text, err := os.ReadFile(page)
	noError(t, err)
	n := 0
	pathsOf(new(file).keys(), "", func(path string, _ *key) {
		n++
		if path == "duration" && bytes.Contains(text, []byte("`duration`")) {
			return
		}
		if !seen[short(path)] {
			t.Errorf("examples of %s: got=none, want=one or more", path)
		}
	})
	if n < 100 {
		t.Errorf("keys: got=%d, want=100 or more", n)
	}
}

func TestSchemaIsUpToDate(t *testing.T) {
	want := Schema()
	if *update {
		noError(t, os.WriteFile(schemaFile, want, 0o644))
	}
	got, err := os.ReadFile(schemaFile)
	noError(t, err)
	if !bytes.Equal(got, want) {
		t.Errorf("docs/scene.schema.json is out of date: run go test ./world/scene -run %s -update", t.Name())
	}
}

func TestTablesAreUpToDate(t *testing.T) {
	for _, table := range []struct {
		page, begin, end string
		text             func() string
	}{
		{page, "<!-- behaviors: made from the catalog -->\n", "<!-- end of behaviors -->\n", behaviorTable},
		{page, "<!-- priorities: made from the catalog -->\n", "<!-- end of priorities -->\n", priorities},
		{"../../docs/models.md", "<!-- models: made from the list -->\n", "<!-- end of models -->\n", modelTable},
	} {
		text, err := os.ReadFile(table.page)
		noError(t, err)
		before, rest, ok := strings.Cut(string(text), table.begin)
		_, after, found := strings.Cut(rest, table.end)
		if !ok || !found {
			t.Fatalf("%s has no table between %q and %q", table.page, table.begin, table.end)
		}
		want := before + table.begin + table.text() + table.end + after
		if *update {
			noError(t, os.WriteFile(table.page, []byte(want), 0o644))
		}
		if got, err := os.ReadFile(table.page); err != nil || string(got) != want {
			t.Errorf("the table in %s is out of date (error: %v): run go test ./world/scene -run %s -update", table.page, err, t.Name())
		}
	}
}

func priorities() string { return "`" + strings.Join(world.Behaviors(), "`, `") + "`.\n" }

func modelTable() string {
	var b strings.Builder
	b.WriteString("| `--model` | in tables | people | source | longest step |\n|---|---|---|---|---|\n")
	for _, m := range Models() {
		step := "any"
		if m.MaxDt > 0 {
			step = fmt.Sprintf("%v s", m.MaxDt)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", m.Model, m.Short, m.Text, m.Source, step)
	}
	return b.String()
}

// behaviorTable returns a table of the keys that several behaviors share, and the table of behaviors.
func behaviorTable() string {
	const several = 3
	type meaning struct{ key, unit, text string }
	means := func(p *catalog.Param, text string) meaning {
		unit := ""
		if p.Unit != "" && p.Keeper == nil {
			unit, text, _ = strings.Cut(text, ", ")
		}
		return meaning{p.Key, unit, text}
	}
	uses, common := map[meaning]int{}, map[string]meaning{}
	var shared, b strings.Builder
	for _, e := range ours {
		bound := new(Group).paramKeys(&e, e.New())
		for i, p := range e.Params(e.New()) {
			m := means(&p, bound[i].text)
			if uses[m]++; uses[m] == several && m.text != "" && common[p.Key].text == "" {
				common[p.Key] = m
				fmt.Fprintf(&shared, "| `%s` | %s | %s |\n", m.key, m.unit, m.text)
			}
		}
	}
	b.WriteString("| key of several behaviors | unit | |\n|---|---|---|\n" + shared.String() + "\n| key | what it does | its keys, with defaults |\n|---|---|---|\n")
	for _, e := range ours {
		var keys []string
		bound := new(Group).paramKeys(&e, e.New())
		for i, p := range e.Params(e.New()) {
			if p.Key == "" {
				continue
			}
			m, text := means(&p, bound[i].text), p.Key
			if value := defaultOf(&p); value != "" {
				text += " = " + value
			}
			text = "`" + text + "`"
			if common[p.Key] != m {
				if m.unit != "" {
					text += " " + m.unit
				}
				if m.text != "" {
					text += ": " + m.text
				}
			}
			keys = append(keys, text)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", e.Name, e.Text, strings.Join(keys, "<br>"))
	}
	return b.String()
}

// defaultOf returns the default of a key, or "" if the key is required or its text gives the default.
func defaultOf(p *catalog.Param) string {
	if x, is := p.Default.(float64); is && p.Degrees {
		return fmt.Sprint(vec.Degrees(x))
	}
	if _, is := p.Default.(r2.Box); is || p.Default == nil {
		return ""
	}
	return fmt.Sprint(p.Default)
}
