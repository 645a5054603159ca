package view

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	screen "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"gonum.org/v1/gonum/spatial/r2"
)

// chromium returns the path of a browser for the tests, empty if there is none.
var chromium = sync.OnceValue(func() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
})

// wantBrowser skips a test where no browser is, and in short runs.
func wantBrowser(t *testing.T) {
	t.Helper()
	switch {
	case testing.Short():
		t.Skip("skipped: -short, a browser takes minutes")
	case chromium() == "":
		t.Skip("skipped: no chromium or chrome on this machine")
	}
}

// tab is a page of the live view in a real browser.
type tab struct {
	t       *testing.T
	ctx     context.Context
	console <-chan string // errors
}

// browser is the one browser of all tests, which costs seconds to start.
var browser = sync.OnceValues(func() (ctx context.Context, err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium()), chromedp.NoSandbox, chromedp.WSURLReadTimeout(patience),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true),
	)
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ = chromedp.NewContext(ctx)
	closeBrowser = stop
	return ctx, chromedp.Do(ctx)
})

var closeBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	closeBrowser()
	os.Exit(code)
}

// browse opens the page of a server in a tab of its own, of some size, which shares
// nothing with others. Whatever the page reports as an error fails the test at its
// end.
func browse(t *testing.T, s *server, width, height int) *tab {
	t.Helper()
	wantBrowser(t)
	ctx, err := browser()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext(), chromedp.WithNewWindow(true))
	t.Cleanup(cancel)
	p := &tab{t: t, ctx: ctx}
	p.do(chromedp.EmulateViewport(int64(width), int64(height)))
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
	p.do(chromedp.Navigate(s.url + "?test"))
	p.wait("crowdView.ready")
	return p
}

// noErrors fails for errors of the page up to now.
func (p *tab) noErrors() {
	p.t.Helper()
	for {
		select {
		case text := <-p.console:
			p.t.Errorf("the page reports: %s", text)
		default:
			return
		}
	}
}

// forget lets errors be that the test brings about itself.
func (p *tab) forget() {
	for {
		select {
		case <-p.console:
		default:
			return
		}
	}
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.t.Fatal(err)
	}
}

// wait waits until an expression is true in the page, which looks for itself: to ask
// again and again costs more than what is waited for.
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
		p.shot("failed")
		p.t.Fatalf("the page never came to: %s", expression)
	}
}

// value returns what an expression is in the page.
func value[T any](p *tab, format string, args ...any) T {
	p.t.Helper()
	got, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](fmt.Sprintf(format, args...)))
	if err != nil {
		p.t.Fatalf("%s: %v", fmt.Sprintf(format, args...), err)
	}
	return got
}

// picture is a screenshot, as a PNG.
type picture []byte

// shot takes a screenshot, and keeps it in the folder that CROWD_SCREENSHOTS
// names.
func (p *tab) shot(name string) picture {
	p.t.Helper()
	// What has come is drawn when two frames have gone by.
	p.do(chromedp.Evaluate[chromedp.Void](
		`new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))`, chromedp.EvalAwaitPromise))
	folder := os.Getenv("CROWD_SCREENSHOTS")
	quick := folder == "" // to make the file small takes most of the time
	data, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		shot, err := cdp.Call(ctx, t, screen.CaptureScreenshot, screen.CaptureScreenshotParams{OptimizeForSpeed: &quick})
		if err != nil {
			return nil, err
		}
		return shot.Data, nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	if folder != "" {
		file := filepath.Join(folder, strings.ReplaceAll(p.t.Name(), "/", "-")+"-"+name+".png")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			p.t.Error(err)
		}
	}
	return data
}

// What the mouse does.
const (
	mouseMoved    = input.DispatchMouseEventTypeMouseMoved
	mousePressed  = input.DispatchMouseEventTypeMousePressed
	mouseReleased = input.DispatchMouseEventTypeMouseReleased
)

var leftButton = []chromedp.MouseOption{chromedp.ButtonType(input.MouseButtonLeft), chromedp.ClickCount(1)}

// mouse moves the mouse to a point of the plane.
func (p *tab) mouse(kind input.DispatchMouseEventType, to r2.Vec, options ...chromedp.MouseOption) {
	p.t.Helper()
	at := p.screen(to)
	p.do(chromedp.MouseEvent(kind, at.X, at.Y, options...))
}

// screen returns where a point of the plane is in the window.
func (p *tab) screen(at r2.Vec) r2.Vec {
	p.t.Helper()
	xy := value[[]float64](p, `(() => {
		const r = document.getElementById("stage").getBoundingClientRect(), [x, y] = crowdView.toScreen(%v, %v);
		return [r.left + x, r.top + y];
	})()`, at.X, at.Y)
	return r2.Vec{X: xy[0], Y: xy[1]}
}

// choose picks a scene in the page.
func (p *tab) choose(scene string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
		`(() => { const s = document.getElementById("scene"); s.value = %q; s.dispatchEvent(new Event("change", {bubbles: true})); })()`, scene)))
	p.wait(`crowdView.ready && crowdView.scene.name === %q`, scene)
}

// press clicks an element.
func (p *tab) press(selector string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(selector)))
}

// count returns in how many pixels of the stage two pictures differ, and how many
// of the first are not of its most frequent color.
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

// pixels decodes a picture.
func (p *tab) pixels(of picture) *image.RGBA {
	p.t.Helper()
	img, err := png.Decode(bytes.NewReader(of))
	if err != nil {
		p.t.Fatal(err)
	}
	if plain, ok := img.(*image.RGBA); ok {
		return plain
	}
	plain := image.NewRGBA(img.Bounds())
	draw.Draw(plain, plain.Rect, img, img.Bounds().Min, draw.Src)
	return plain
}

// stage returns where the box of the scene is in the window.
func (p *tab) stage() image.Rectangle {
	p.t.Helper()
	box := value[[]float64](p, "crowdView.scene.box")
	a, b := p.screen(r2.Vec{X: box[0], Y: box[3]}), p.screen(r2.Vec{X: box[2], Y: box[1]})
	return image.Rect(int(a.X), int(a.Y), int(b.X), int(b.Y)).Intersect(image.Rect(0, 0, 4000, 4000))
}
