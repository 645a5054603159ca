//go:build !js

package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"html/template"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/yuin/goldmark"
)

//go:embed static
var static embed.FS

// policy restricts pages to the files of the site.
const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"

// first is the behavior whose demo is on the first page.
const first = "flock"

const module = "github.com/8f878440/crowd"

// Static is a folder of files that any web host can serve. It contains the page of the view with the
// engine compiled for browsers, a page for each behavior, and the gallery.
type Static struct {
	dir    string
	source string // folder of the module
	pages  *template.Template
	files  []string
	bytes  int64
}

// Write writes the site to the folder dir, which it creates if necessary. To compile the engine, Write needs Go,
// and a clone of the project as the working directory.
func Write(ctx context.Context, dir string) (*Static, error) {
	s := &Static{dir: dir, pages: template.Must(template.ParseFS(static, "static/pages.html"))}
	source, err := goTool(ctx, nil, "list", "-m", "-f", "{{.Dir}}", module)
	if err != nil {
		return nil, fmt.Errorf("%w\nwant Go, and a clone of the project as the working directory", err)
	}
	s.source = strings.TrimSpace(source)
	for _, part := range []func(context.Context) error{s.writeEngine, s.writePlayground, s.writePages} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Size returns the number of files and bytes of the site.
func (s *Static) Size() (files int, bytes int64) { return len(s.files), s.bytes }

func goTool(ctx context.Context, env []string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Env = append(os.Environ(), env...)
	var out, failed bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &failed
	if err := cmd.Run(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(failed.String()), "\n")
		return "", fmt.Errorf("go %s: %w: %s", args[0], err, line)
	}
	return out.String(), nil
}

func (s *Static) write(name string, data []byte) error {
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	s.files, s.bytes = append(s.files, name), s.bytes+int64(len(data))
	return os.WriteFile(path, data, 0o666)
}

// copy writes the files in from, except the files and folders named in leftOut, and puts the prefix to before each
// name.
func (s *Static) copy(to string, from fs.FS, leftOut ...string) error {
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && slices.Contains(leftOut, name) {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || slices.Contains(leftOut, name) {
			return err
		}
		return s.copyFile(to+name, from, name)
	})
}

func (s *Static) copyFile(to string, from fs.FS, name string) error {
	data, err := fs.ReadFile(from, name)
	if err != nil {
		return err
	}
	return s.write(to, data)
}

// writeEngine writes the engine, compiled and compressed, and the scripts that start it.
func (s *Static) writeEngine(ctx context.Context) error {
	temporary, err := os.MkdirTemp("", "crowd-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	binary := filepath.Join(temporary, "crowd.wasm")
	if _, err := goTool(ctx, []string{"GOOS=js", "GOARCH=wasm"}, "build", "-trimpath", "-ldflags=-s -w", "-o", binary, module+"/cmd/crowd"); err != nil {
		return err
	}
	data, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // writing to a buffer does not fail
	w.Write(data)
	w.Close()
	root, err := goTool(ctx, nil, "env", "GOROOT")
	if err != nil {
		return err
	}
	return cmp.Or(
		s.write("engine/crowd.bin", packed.Bytes()),
		s.copyFile("engine/wasm_exec.js", os.DirFS(strings.TrimSpace(root)), "lib/wasm/wasm_exec.js"),
		s.copyFile("engine/worker.js", static, "static/worker.js"))
}

// brand matches the name of the project in the page of the view.
var brand = regexp.MustCompile(`<span class="brand">(.*?)</span>`)

// writePlayground writes the page of the view. Its socket connects to an engine in a worker.
func (s *Static) writePlayground(context.Context) error {
	page := view.Page()
	index, err := fs.ReadFile(page, "index.html")
	if err != nil {
		return err
	}
	const head = `<meta charset="utf-8">`
	// The engine starts to load before the modules of the page do.
	index = bytes.Replace(index, []byte(head), []byte(head+"\n<meta http-equiv=\"Content-Security-Policy\" content=\""+policy+"\">"+
		"\n<script type=\"module\" async src=\"page/socket.js\"></script>\n<script type=\"module\" src=\"../keep.js\"></script>"), 1)
	// The site has a home, unlike a server of the view.
	index = brand.ReplaceAll(index, []byte(`<a class="brand" href="../">$1</a>`))
	return cmp.Or(
		s.write("play/index.html", index),
		s.copy("play/page/", page, "index.html", "socket.js"),
		s.copyFile("play/page/socket.js", static, "static/socket.js"))
}

type content struct {
	Policy, Root, Title, Heading, Lead string

	Demo     *view.Named
	Scenes   []view.Named
	Kinds    []kind
	Behavior *behavior
	Pictures []picture
	Gallery  bool
}

type behavior struct {
	catalog.Entry
	Demo   *view.Named // a scene with the behavior; it has a text if the scene is not built in
	Rule   template.HTML
	Params []parameter
}

// kind is a section of the list of behaviors.
type kind struct {
	Name      string
	has       func(*catalog.Entry) bool // a behavior belongs to the first kind for which has returns true
	Behaviors []behavior
}

var kinds = []kind{
	{Name: "Steering", has: func(e *catalog.Entry) bool {
		const others = catalog.SeesAgents | catalog.SeesObstacles | catalog.SetsTarget
		return e.Phase == catalog.Steer && e.Does&others == 0 && e.Does&(catalog.Steers|catalog.SetsVelocity) != 0 && !scans(e)
	}},
	{Name: "Neighbors", has: func(e *catalog.Entry) bool { return e.Phase == catalog.Steer && e.Does.Has(catalog.SeesAgents) }},
	{Name: "Obstacles", has: func(e *catalog.Entry) bool {
		return e.Phase == catalog.Steer && !e.Does.Has(catalog.SetsTarget) && (e.Does.Has(catalog.SeesObstacles) || scans(e))
	}},
	{Name: "Paths and targets", has: func(e *catalog.Entry) bool { return e.Does.Has(catalog.SetsTarget) }},
	{Name: "People", has: func(e *catalog.Entry) bool { return e.Phase == catalog.Choose }},
	{Name: "Movement and goals", has: func(*catalog.Entry) bool { return true }},
}

// scans reports whether a behavior uses the obstacle that a threat scan finds.
func scans(e *catalog.Entry) bool { return slices.Contains(e.Needs, any(c.ThreatScan{})) }

type parameter struct{ Key, Unit, Default, Text string }

type picture struct {
	File, Name string
	Text       template.HTML
}

// writePages writes all pages except the playground.
func (s *Static) writePages(context.Context) error {
	files, err := fs.Sub(static, "static")
	if err != nil {
		return err
	}
	if err := s.copy("", files, "pages.html", "offline.js", "socket.js", "worker.js", "demos"); err != nil {
		return err
	}
	if err := s.writeOffline(); err != nil {
		return err
	}
	demos, err := demosOf() // keyed by behavior
	if err != nil {
		return err
	}
	all := content{Policy: policy, Demo: demos[first]}
	for _, name := range scene.Names() {
		all.Scenes = append(all.Scenes, view.Named{Name: name, Text: scene.Text(name)})
	}
	if all.Pictures, err = s.pictures(); err != nil {
		return err
	}
	all.Gallery = len(all.Pictures) > 0
	rules, err := s.rules()
	if err != nil {
		return err
	}
	all.Kinds = slices.Clone(kinds)
	for _, e := range systems.Catalog() {
		k := &all.Kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.has(&e) })]
		k.Behaviors = append(k.Behaviors, behavior{e, demos[e.Name], rules[e.Name], parametersOf(e)})
	}
	pages := []page{
		{"index", "index.html", "crowd", "Crowds in your browser", "Steering behaviors, flocks, queues and evacuations, simulated in Go and compiled for this page. Move the mouse, or drag a finger: the birds flee from it."},
		{"behaviors", "behaviors/index.html", "Behaviors · crowd", "Behaviors", "Each with its rule, its source, its parameters and a live demo."},
		{"example", "example.html", "", "", ""},
	}
	if all.Gallery {
		pages = append(pages, page{"gallery", "gallery/index.html", "Gallery · crowd", "Gallery", "Every built-in scene as a picture or a film."})
	}
	for _, p := range pages {
		if err := s.render(p, all); err != nil {
			return err
		}
	}
	for _, k := range all.Kinds {
		for i := range k.Behaviors {
			b := &k.Behaviors[i]
			all.Behavior = b
			if err := s.render(page{"behavior", "behaviors/" + b.Name + ".html", b.Name + " · crowd", b.Name, sentence(b.Text)}, all); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeOffline writes the service worker, which keeps the files written so far.
func (s *Static) writeOffline() error {
	script, err := fs.ReadFile(static, "static/offline.js")
	if err != nil {
		return err
	}
	names := slices.Clone(s.files)
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], "index.html") // hosts redirect from it, and a kept redirect opens no page
	}
	list, err := json.Marshal(names)
	if err != nil {
		return err
	}
	return s.write("offline.js", bytes.Replace(script, []byte("FILES = []"), append([]byte("FILES = "), list...), 1))
}

type page struct{ template, file, title, heading, lead string }

func (s *Static) render(p page, all content) error {
	all.Title, all.Heading, all.Lead = p.title, p.heading, p.lead
	all.Root = strings.Repeat("../", strings.Count(p.file, "/"))
	var out bytes.Buffer
	if err := s.pages.ExecuteTemplate(&out, p.template, all); err != nil {
		return err
	}
	return s.write(p.file, out.Bytes())
}

// sentence turns a line of the catalog into a sentence.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:] + "."
}

// shared maps behaviors without a demo of their own to a file in the folder demos or a built-in scene.
var shared = map[string]string{"goal": "evacuation", "flow-field": "office", "route": "maze", "quarry": "pursuit", "pursuer": "evasion"}

// demosOf returns a scene for each behavior, the first of these that exists: the file with its name in the folder
// demos, the built-in scene with its name, its scene in shared, the first built-in scene that has the behavior, and
// bottleneck with a model that has it.
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
	return demos, nil
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

// parametersOf returns the parameters of a behavior, with their defaults in scene files.
func parametersOf(e catalog.Entry) (all []parameter) {
	for _, p := range e.Params(e.New()) {
		value := ""
		if p.Default != nil {
			value = fmt.Sprint(p.Default)
		}
		all = append(all, parameter{p.Key, p.Unit, value, p.Text})
	}
	return all
}

// named matches the names of behaviors that precede their rules in docs/rules.md.
var named = regexp.MustCompile(`\*\*([^*]+?)\.?\*\*`)

// rules returns the rule of each behavior, from docs/rules.md or, if there is none, from systemRules.
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
	for name, rule := range rules {
		if pages[name], err = markdown(rule); err != nil {
			return nil, err
		}
	}
	return pages, nil
}

// markdown renders a text of the documentation without its links.
func markdown(text string) (template.HTML, error) {
	var out bytes.Buffer
	err := goldmark.Convert([]byte(link.ReplaceAllString(text, "$1")), &out)
	return template.HTML(out.String()), err
}

// link matches a link of Markdown. The links of the documentation lead to pages that are not in the site.
var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// image matches an image in docs/gallery.md and the text below it, up to the next heading or image.
var image = regexp.MustCompile(`!\[([^\]]*)\]\(gallery/([^)]*)\)\n((?:\n+[^\n#!][^\n]*)*)`)

// pictures copies the pictures of the gallery and returns their descriptions.
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

// systemRules returns the doc comment of the system of each behavior as its rule.
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
