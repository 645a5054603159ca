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
	"html/template"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	c "github.com/8f878440/crowd/components"
	"github.com/8f878440/crowd/systems"
	"github.com/8f878440/crowd/systems/catalog"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
)

//go:embed static
var static embed.FS

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"worker-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'"

const first = "flock"

const module = "github.com/8f878440/crowd"

// Static is a site for any web host: the view with the engine compiled for browsers, a page for each
// behavior, and the gallery.
type Static struct {
	dir    string
	source string // folder of the module
	pages  *template.Template
	files  []string
	bytes  int64
}

// Write writes the site to dir. It needs Go and a clone of the project as the working directory.
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

func (s *Static) writeEngine(ctx context.Context) error {
	temporary, err := os.MkdirTemp("", "crowd-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	binary := filepath.Join(temporary, "crowd.wasm")
	args := []string{"build", "-trimpath", "-ldflags=-s -w", "-o", binary}
	for _, pkg := range []string{"encoding/...", "fmt", "reflect", "strconv"} {
		args = append(args, "-gcflags="+pkg+"=-l") // inlining here makes the engine larger, but no step faster
	}
	if _, err := goTool(ctx, []string{"GOOS=js", "GOARCH=wasm"}, append(args, module+"/cmd/crowd")...); err != nil {
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

var brand = regexp.MustCompile(`<span class="brand">(.*?)</span>`)

// writePlayground writes the page of the view, whose socket connects to an engine in a worker.
func (s *Static) writePlayground(context.Context) error {
	page := view.Page()
	index, err := fs.ReadFile(page, "index.html")
	if err != nil {
		return err
	}
	const head = `<meta charset="utf-8">`
	// The engine starts to load before the modules of the page.
	index = bytes.Replace(index, []byte(head), []byte(head+"\n<meta http-equiv=\"Content-Security-Policy\" content=\""+policy+"\">"+
		"\n<script type=\"module\" async src=\"page/socket.js\"></script>\n<script type=\"module\" src=\"../keep.js\"></script>"), 1)
	// Unlike a server of the view, the site has a home page.
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
	Demo           *view.Named // has a text if not built in
	Says           string
	Sliders        string // words that select sliders
	Rule           template.HTML
	Params         []parameter
	Previous, Next string // neighbors in the list, or ""
}

type kind struct {
	Name      string
	has       func(*catalog.Entry) bool // reports whether a behavior fits; it belongs to the first such kind
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
	demos, err := demosOf()
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
		b, err := about(e, demos[e.Name], rules[e.Name])
		if err != nil {
			return err
		}
		k := &all.Kinds[slices.IndexFunc(kinds, func(k kind) bool { return k.has(&e) })]
		k.Behaviors = append(k.Behaviors, b)
	}
	pages := []page{
		{"index", "index.html", "crowd", "Crowds in your browser", "Steering behaviors, flocks, queues and evacuations, simulated on this page by a Go program. Move the mouse, or drag a finger: the birds flee from it."},
		{"behaviors", "behaviors/index.html", "Behaviors · crowd", "Behaviors", "Each behavior has its rule, its source, its parameters and a live demo."},
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
	before := &behavior{}
	for _, k := range all.Kinds {
		for i := range k.Behaviors {
			b := &k.Behaviors[i]
			before.Next, b.Previous, before = b.Name, before.Name, b
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

func (s *Static) writeOffline() error {
	script, err := fs.ReadFile(static, "static/offline.js")
	if err != nil {
		return err
	}
	names := slices.Clone(s.files)
	for i := range names {
		names[i] = strings.TrimSuffix(names[i], "index.html") // hosts redirect from it, and a cached redirect opens no page
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
