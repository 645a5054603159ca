//go:build e2e

package browsertest

import (
	"bytes"
	"context"
	"fmt"
	"image"
	rgb "image/color"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/8f878440/crowd/internal/testkit"
	"github.com/chromedp/cdproto/input"
	screen "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

const patience = 2 * time.Minute // before a test assumes a hang

// chromium returns the path of the browser: the one that CROWD_BROWSER names, or the first found, or "". The
// headless shell halves the time of the tests.
var chromium = sync.OnceValue(func() string {
	names := []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome"}
	if name := os.Getenv("CROWD_BROWSER"); name != "" {
		names = []string{name}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
})

func wantBrowser(t *testing.T) {
	t.Helper()
	if chromium() == "" {
		t.Skip("skipped: no chromium or chrome on this machine")
	}
}

// browser returns the browser that all tests share, because it takes seconds to start.
var browser = sync.OnceValues(func() (ctx context.Context, err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium()), chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
		chromedp.Flag("disable-gpu-compositing", true), // without a graphics card, it would only cost time
	)
	if os.Getenv("CROWD_BROWSER") == "" { // which .ci/full sets
		// The optimizing compiler takes longer than the short runs of the tests.
		options = append(options, chromedp.Flag("js-flags", "--no-wasm-tier-up --wasm-lazy-compilation --no-wasm-dynamic-tiering"))
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	closeBrowser = stop
	return ctx, chromedp.Do(ctx)
})

var closeBrowser = func() {}

var siteFolder string // TestMain removes it

func TestMain(m *testing.M) {
	var err error
	if siteFolder, err = os.MkdirTemp("", "crowd-site-"); err != nil {
		panic(err)
	}
	code := m.Run()
	closeBrowser()
	_ = os.RemoveAll(siteFolder)
	os.Exit(code)
}

// tab is a page in a browser context that shares nothing with other contexts.
type tab struct {
	t       *testing.T
	ctx     context.Context
	console <-chan string // error messages
}

// open opens an address in a new tab. Errors that the page reports fail the test at its end.
func open(t *testing.T, address string, width, height int) *tab {
	t.Helper()
	wantBrowser(t)
	ctx, err := browser()
	testkit.Must(t, err)
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext(), chromedp.WithNewWindow(true))
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	p.do(chromedp.EmulateViewport(int64(width), int64(height)))
	// Toasts stay, because on a slow machine a test may look for one only after its 6 s.
	const stay = `{
		const own = setTimeout, frame = requestAnimationFrame;
		window.setTimeout = (f, ms, ...all) => own(f, ms === 6000 ? 1e9 : ms, ...all);
		window.requestAnimationFrame = (f) => own(() => frame(f), 60);
	}`
	_, err = chromedp.Call(ctx, screen.AddScriptToEvaluateOnNewDocument, screen.AddScriptToEvaluateOnNewDocumentParams{Source: stay})
	testkit.Must(t, err)
	messages := chromedp.Console(ctx)
	errors := make(chan string, 100)
	p.console = errors
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				select {
				case errors <- fmt.Sprintf("%s (%s:%d)", m.Text, m.URL, m.Line):
				default:
				}
			}
		}
	}()
	t.Cleanup(func() { p.noErrors() })
	p.do(chromedp.Navigate(address))
	return p
}

func (p *tab) in(t *testing.T) *tab { return &tab{t: t, ctx: p.ctx, console: p.console} }

// noErrors fails the test for errors that the page has reported, except those that the test caused.
func (p *tab) noErrors(except ...string) {
	p.t.Helper()
	for len(p.console) > 0 {
		text := <-p.console
		if !slices.ContainsFunc(except, func(words string) bool { return strings.Contains(text, words) }) {
			p.t.Errorf("the page reports %s, want no errors", text)
		}
	}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	testkit.Must(p.t, chromedp.Do(p.ctx, steps...))
}

func (p *tab) run(format string, args ...any) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(format, args...)))
}

func (p *tab) keys(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// wait waits until an expression is true. The page polls it, because requests would cost more.
func (p *tab) wait(format string, args ...any) {
	p.t.Helper()
	expression := fmt.Sprintf(format, args...)
	came, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](fmt.Sprintf(`new Promise((done, fail) => {
		const end = performance.now() + %d;
		const look = () => {
			try {
				if (%s) done(true);
				else if (performance.now() > end) done(false);
				else setTimeout(look, 20);
			} catch (e) { fail(e); }
		};
		look();
	})`, patience.Milliseconds(), expression), chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	if !came {
		p.t.Errorf("this never became true in the page: %s", expression)
		p.shot("failed")
		p.t.FailNow()
	}
}

func value[T any](p *tab, format string, args ...any) T {
	p.t.Helper()
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](fmt.Sprintf(format, args...)))
	if err != nil {
		p.t.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
	}
	return got
}

func (p *tab) equal(want any, format string, args ...any) {
	p.t.Helper()
	if got := value[any](p, format, args...); fmt.Sprint(got) != fmt.Sprint(want) {
		p.t.Errorf("%s: got=%v, want=%v", fmt.Sprintf(format, args...), got, want)
	}
}

type picture []byte // PNG

// drawn waits for two frames, in which the page draws what it has received.
func (p *tab) drawn() {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](
		`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, chromedp.EvalAwaitPromise)); err != nil {
		p.t.Fatalf("the page did not draw: %v", err)
	}
}

// shot takes a screenshot, and stores it in the folder CROWD_SCREENSHOTS, if set.
func (p *tab) shot(name string) picture {
	p.t.Helper()
	p.drawn()
	folder := os.Getenv("CROWD_SCREENSHOTS")
	quick := folder == "" // compression takes most of the time
	shot, err := chromedp.Call(p.ctx, screen.CaptureScreenshot, screen.CaptureScreenshotParams{OptimizeForSpeed: &quick})
	testkit.Must(p.t, err)
	if folder != "" {
		file := filepath.Join(folder, strings.ReplaceAll(p.t.Name(), "/", "-")+"-"+name+".png")
		testkit.Must(p.t, os.WriteFile(file, shot.Data, 0o666))
	}
	return shot.Data
}

// keep takes a screenshot for later viewing if CROWD_SCREENSHOTS is set.
func (p *tab) keep(name string) {
	p.t.Helper()
	if os.Getenv("CROWD_SCREENSHOTS") != "" {
		p.shot(name)
	}
}

const (
	mouseMoved    = input.DispatchMouseEventTypeMouseMoved
	mousePressed  = input.DispatchMouseEventTypeMousePressed
	mouseReleased = input.DispatchMouseEventTypeMouseReleased
)

var (
	leftButton  = []chromedp.MouseOption{chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1)}
	rightButton = []chromedp.MouseOption{chromedp.ButtonType(input.MouseButtonRight), chromedp.ClickCount(1)}
)

// mouse sends a mouse event at a point of the plane.
func (p *tab) mouse(kind input.DispatchMouseEventType, to r2.Vec, options ...chromedp.MouseOption) {
	p.t.Helper()
	p.mouseAt(kind, p.screen(to), options...)
}

// mouseAt sends a mouse event at a point of the window.
func (p *tab) mouseAt(kind input.DispatchMouseEventType, at r2.Vec, options ...chromedp.MouseOption) {
	p.t.Helper()
	p.do(chromedp.MouseEvent(kind, at.X, at.Y, options...))
}

func (p *tab) click(at r2.Vec, button []chromedp.MouseOption) {
	p.t.Helper()
	p.mouse(mouseMoved, at)
	p.mouse(mousePressed, at, button...)
	p.mouse(mouseReleased, at, button...)
}

func (p *tab) drag(from, to r2.Vec) {
	p.t.Helper()
	p.mouse(mouseMoved, from)
	p.mouse(mousePressed, from, leftButton...)
	for i := range 5 {
		p.mouse(mouseMoved, r2.Add(from, r2.Scale(float64(i+1)/5, r2.Sub(to, from))), leftButton[0])
	}
	p.mouse(mouseReleased, to, leftButton...)
	p.drawn() // the camera moves when the next frame is drawn
}

// screen returns the position of a point of the plane in the window.
func (p *tab) screen(at r2.Vec) r2.Vec {
	p.t.Helper()
	return value[r2.Vec](p, `(() => {
		const r = document.getElementById("stage").getBoundingClientRect(), [x, y] = crowdView.toScreen(%v, %v);
		return { X: r.left + x, Y: r.top + y };
	})()`, at.X, at.Y)
}

// along returns a point of an element in the window, at a fraction of its width and half its height.
func (p *tab) along(selector string, share float64) r2.Vec {
	p.t.Helper()
	return value[r2.Vec](p, `(() => { const r = document.querySelector(%q).getBoundingClientRect(); return { X: r.left + r.width * %v, Y: r.top + r.height / 2 }; })()`, selector, share)
}

func (p *tab) middle(selector string) r2.Vec { return p.along(selector, 0.5) }

func (p *tab) press(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// count returns the number of pixels of the stage that differ, and the number in the first picture that do
// not have its most frequent color.
func (p *tab) count(a, b picture) (differ, drawn int) {
	p.t.Helper()
	first, second, within := p.pixels(a), p.pixels(b), p.stage()
	within = within.Intersect(first.Rect)
	colors, most := map[[4]uint8]int{}, 0
	for y := within.Min.Y; y < within.Max.Y; y++ {
		from := first.PixOffset(within.Min.X, y)
		row, other := first.Pix[from:], second.Pix[from:]
		for i := range within.Dx() {
			pixel := [4]uint8(row[4*i:])
			if pixel != [4]uint8(other[4*i:]) {
				differ++
			}
			colors[pixel]++
			most = max(most, colors[pixel])
		}
	}
	return differ, within.Dx()*within.Dy() - most
}

func (p *tab) differ(a, b picture, least, most int) {
	p.t.Helper()
	if n, _ := p.count(a, b); n < least || n > most {
		p.t.Errorf("got=%d different pixels, want %d to %d", n, least, most)
	}
}

func (p *tab) has(words, format string, args ...any) {
	p.t.Helper()
	if got := value[string](p, format, args...); !strings.Contains(got, words) {
		p.t.Errorf("%s: got=%q, want=text that contains %q", fmt.Sprintf(format, args...), got, words)
	}
}

func (p *tab) says(id string, words ...string) {
	p.t.Helper()
	for _, want := range words {
		p.has(want, `document.getElementById(%q).innerText`, id)
	}
}

func (p *tab) pixels(of picture) *image.RGBA {
	p.t.Helper()
	img, err := png.Decode(bytes.NewReader(of))
	testkit.Must(p.t, err)
	plain := image.NewRGBA(img.Bounds())
	draw.Draw(plain, plain.Rect, img, img.Bounds().Min, draw.Src)
	return plain
}

func apart(a, b rgb.RGBA) int {
	d := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
	return d(a.R, b.R) + d(a.G, b.G) + d(a.B, b.B)
}
