package site

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/yuin/goldmark"
)

func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// shared maps behaviors without a demo of their own to a file in demos or a built-in scene.
var shared = map[string]string{"goal": "evacuation", "fundamental-diagram": "bottleneck", "threat-scan": "avoidance", "flow-field": "office", "route": "maze", "quarry": "pursuit", "pursuer": "evasion"}

// demosOf returns a scene for each behavior, the first of these that exists: its file in demos, the built-in
// scene with its name, its scene in shared, the first built-in scene that has it, bottleneck with a model
// that has it, or the result of plain.
func demosOf() (map[string]*view.Named, error) {
	demos := map[string]*view.Named{}
	files, err := fs.Glob(static, "static/demos/*.toml")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := fs.ReadFile(static, file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(path.Base(file), ".toml")
		demos[name] = &view.Named{Name: name, Text: string(text)}
	}
	for behavior, name := range shared {
		demos[behavior] = cmp.Or(demos[name], &view.Named{Name: name})
	}
	for _, name := range scene.Names() {
		sc, err := scene.Named(name)
		if err != nil {
			return nil, err
		}
		for _, b := range behaviorsOf(sc) {
			if demos[b] == nil || name == b && demos[b].Text == "" {
				demos[b] = &view.Named{Name: name}
			}
		}
	}
	for _, m := range scene.Models() {
		sc, err := scene.Open("bottleneck", scene.OpenOptions{Model: m.Model})
		if err != nil {
			return nil, err
		}
		var text strings.Builder
		if err := sc.WriteTOML(&text); err != nil {
			return nil, err
		}
		for _, b := range behaviorsOf(sc) {
			if demos[b] == nil {
				demos[b] = &view.Named{Name: b, Text: text.String()}
			}
		}
	}
	for _, e := range systems.Catalog() {
		if demos[e.Name] == nil {
			demos[e.Name] = plain(&e)
		}
	}
	return demos, nil
}

// plain returns a scene of agents that have a behavior and go to the pointer. Each parameter has its default
// value, or else 1.
func plain(e *catalog.Entry) *view.Named {
	var keys []string
	for _, p := range e.Params(e.New()) {
		keys = append(keys, fmt.Sprintf("%s = %v", p.Key, cmp.Or(p.Default, any(1))))
	}
	return &view.Named{Name: e.Name, Text: fmt.Sprintf(`text = %q
box = [[0, 0], [56, 32]]
pointer = {way = [[10, 8], [46, 8], [46, 24], [10, 24]], speed = 6}
[[groups]]
count = 60
radius = 0.5
max-speed = 7
max-force = 30
target = "pointer"
arrival = {gain = 3, slowing-radius = 10}
%s = {%s}
`, e.Text, e.Name, strings.Join(keys, ", "))}
}

func opened(demo *view.Named) (*scene.Scene, error) {
	if demo.Text == "" {
		return scene.Named(demo.Name)
	}
	return scene.Read(strings.NewReader(demo.Text), demo.Name, scene.OpenOptions{})
}

func about(e catalog.Entry, demo *view.Named, rule template.HTML) (b behavior, err error) {
	sc, err := opened(demo)
	if err != nil {
		return b, err
	}
	own := "." + e.Name + "."
	if e.Name == "drive" {
		own += "speed" // top-speed acts only with smooth-arrival
	}
	if !slices.ContainsFunc(sc.Parameters(), func(p scene.Parameter) bool { return strings.Contains(p.Name, own) }) {
		own = "max-speed"
	}
	sliders := strings.Join(append([]string{own}, sc.Featured...), " | ")
	return behavior{Entry: e, Demo: demo, Says: sentence(sc.Text), Sliders: sliders, Rule: rule, Params: parametersOf(e)}, nil
}

func behaviorsOf(sc *scene.Scene) (names []string) {
	for i := range sc.Groups {
		for _, b := range sc.Groups[i].Behaviors {
			for _, e := range systems.Catalog() {
				if reflect.TypeOf(b) == reflect.TypeOf(e.Component) {
					names = append(names, e.Name)
				}
			}
		}
	}
	return names
}

func parametersOf(e catalog.Entry) (all []parameter) {
	for _, p := range e.Params(e.New()) {
		value := ""
		if p.Default != nil {
			value = fmt.Sprint(p.Default)
		}
		unit := p.Unit
		if p.Degrees {
			unit = "degrees" // as in scene files
		}
		all = append(all, parameter{p.Key, unit, value, p.Text})
	}
	return all
}

// named matches the names of behaviors before a rule in docs/rules.md.
var named = regexp.MustCompile(`\*\*([^*]+?)\.?\*\*`)

// rules returns the rule of each behavior, from docs/rules.md with its symbols, or else from systemRules.
func (s *Static) rules() (map[string]template.HTML, error) {
	text, err := os.ReadFile(filepath.Join(s.source, "docs", "rules.md"))
	if err != nil {
		return nil, err
	}
	pages, err := s.systemRules()
	if err != nil {
		return nil, err
	}
	rules, names := map[string]string{}, []string(nil)
	for _, block := range strings.Split(string(text), "\n\n") {
		switch found := named.FindAllStringSubmatch(block, -1); {
		case strings.HasPrefix(block, "#"):
			names = []string{strings.ToLower(strings.ReplaceAll(strings.TrimLeft(block, "# "), " ", "-"))}
			continue
		case strings.HasPrefix(block, "**"):
			names = nil
			for _, match := range found {
				for _, name := range strings.Split(match[1], ", ") {
					names = append(names, strings.ToLower(strings.ReplaceAll(name, " ", "-")))
				}
			}
		}
		for _, name := range names {
			rules[name] += block + "\n\n"
		}
	}
	symbols, _, _ := strings.Cut(rules["notation-and-units"], "\n\n")
	symbols += " desired: the velocity that the rule wants; unless the rule sets v, its force is g·(desired − v). maxSpeed: top speed, m/s. τ: g·dt/m. θ: direction of the target. T: time ahead, s. r: distance to another agent. n: number of neighbors. L, f: position and course of a leader."
	for name, rule := range rules {
		if strings.ContainsAny(rule, "·=") { // it has a formula
			rule += "*Symbols*, unless the rule defines them: " + symbols
		}
		rule = unitOfGroup.ReplaceAllString(rule, "unit($1)")
		if pages[name], err = markdown(unitOfName.ReplaceAllString(rule, "unit($1)$2")); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// These match unit vectors such as (t − p)^ and l^, which would read as powers.
var (
	unitOfGroup = regexp.MustCompile(`\(([^()]*)\)\^`)
	unitOfName  = regexp.MustCompile(`(\pL)\^([^\d−(]|$)`)
)

func markdown(text string) (template.HTML, error) {
	var out bytes.Buffer
	err := goldmark.Convert([]byte(link.ReplaceAllString(text, "$1")), &out)
	return template.HTML(out.String()), err
}

// link matches links in the documentation, which lead outside the site.
var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

var image = regexp.MustCompile(`!\[([^\]]*)\]\(gallery/([^)]*)\)\n((?:\n+[^\n#!][^\n]*)*)`)

func (s *Static) pictures() (all []picture, err error) {
	docs := filepath.Join(s.source, "docs")
	text, err := os.ReadFile(filepath.Join(docs, "gallery.md"))
	if err != nil {
		return nil, err
	}
	for _, found := range image.FindAllSubmatch(text, -1) {
		name := string(found[2])
		if err := s.copyFile("gallery/"+name, os.DirFS(docs), "gallery/"+name); err != nil {
			return nil, err
		}
		caption, err := markdown(string(found[3]))
		if err != nil {
			return nil, err
		}
		all = append(all, picture{name, string(found[1]), caption})
	}
	return all, nil
}

// systemRules returns the doc comment of each behavior's system as its rule.
func (s *Static) systemRules() (map[string]template.HTML, error) {
	files, err := filepath.Glob(filepath.Join(s.source, "systems", "*.go"))
	if err != nil {
		return nil, err
	}
	set, parsed := token.NewFileSet(), []*ast.File(nil)
	for _, file := range files {
		f, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, f)
	}
	pkg, err := doc.NewFromFiles(set, parsed, "systems")
	if err != nil {
		return nil, err
	}
	rules := map[string]template.HTML{}
	for _, e := range systems.Catalog() {
		var system any
		switch {
		case e.System != nil:
			system = e.System(catalog.Options{})
		case len(e.By) > 0:
			system = e.By[0]
		}
		for _, t := range pkg.Types {
			if of := reflect.TypeOf(system); of != nil && of.Elem().Name() == t.Name {
				rules[e.Name] = template.HTML(pkg.HTML(t.Doc))
			}
		}
	}
	return rules, nil
}
