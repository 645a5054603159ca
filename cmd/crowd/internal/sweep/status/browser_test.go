package status

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/cmd/crowd/internal/sweep/engine"
	"github.com/chromedp/cdproto/cdp"
	screen "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// chromium returns the path of a browser; empty if there is none.
func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// now is what the page is told.
type now struct {
	sync.Mutex
	status engine.Status
	err    error
	asked  int
}

func (n *now) look(context.Context) (engine.Status, error) {
	n.Lock()
	defer n.Unlock()
	n.asked++
	return n.status, n.err
}

func (n *now) set(s engine.Status, err error) {
	n.Lock()
	defer n.Unlock()
	n.status, n.err = s, err
}

func (n *now) count() int {
	n.Lock()
	defer n.Unlock()
	return n.asked
}

// tab is the page in a browser.
type tab struct {
	*testing.T
	ctx     context.Context
	mu      sync.Mutex
	console []string // errors
}

// open opens an address in a browser.
func open(t *testing.T, address string) *tab {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium()), chromedp.NoSandbox,
		chromedp.WSURLReadTimeout(time.Minute), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	p := &tab{T: t}
	p.ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	p.do(chromedp.EmulateViewport(1000, 600))
	messages := chromedp.Console(p.ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				p.mu.Lock()
				p.console = append(p.console, m.Text)
				p.mu.Unlock()
			}
		}
	}()
	p.do(chromedp.Navigate(address))
	return p
}

func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.Helper()
	if err := chromedp.Do(p.ctx, steps...); err != nil {
		p.Fatal(err)
	}
}

// want waits until texts are in the page, and fails for errors in the console up to now.
func (p *tab) want(texts ...string) {
	p.Helper()
	got := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		var err error
		if got, err = chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.body.innerText.replace(/\\s+/g, ' ')")); err != nil {
			p.Fatal(err)
		}
		lacks := false
		for _, text := range texts {
			lacks = lacks || !strings.Contains(got, text)
		}
		if !lacks {
			p.noErrors()
			return
		}
	}
	p.shot("failed")
	p.Fatalf("got=%s, want=%q", got, texts)
}

// noErrors fails for errors in the console, but for those of the server, of which the browser itself tells.
func (p *tab) noErrors() {
	p.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, text := range p.console {
		if !strings.Contains(text, "status of 503") {
			p.Errorf("the page reports: %s", text)
		}
	}
	p.console = nil
}

// shot keeps a screenshot in the folder that CROWD_SCREENSHOTS names.
func (p *tab) shot(name string) {
	p.Helper()
	folder := os.Getenv("CROWD_SCREENSHOTS")
	if folder == "" {
		return
	}
	data, err := chromedp.Run(p.ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
		shot, err := cdp.Call(ctx, t, screen.CaptureScreenshot, screen.CaptureScreenshotParams{})
		if err != nil {
			return nil, err
		}
		return shot.Data, nil
	})
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, p.Name()+"-"+name+".png"), data, 0o666)
	}
	if err != nil {
		p.Error(err)
	}
}

// TestBrowser holds that a browser shows the figures of a sweep that runs, and of its workers, follows it, says
// what goes wrong, and asks no more when the sweep is at its end.
func TestBrowser(t *testing.T) {
	switch {
	case testing.Short():
		t.Skip("skipped: -short, it starts a browser")
	case chromium() == "":
		t.Skip("skipped: no chromium or chrome on this machine")
	}
	at, err := site.Listen("127.0.0.1:0", site.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	told, served := &now{}, make(chan error, 1)
	two := running
	two.Who = append(two.Who, engine.Worker{Machine: "a-node-with-a-long-name.cluster.example (process 123456)", Threads: 64, Done: 12345, Failed: 2, Rate: 12.345, Points: make([]int64, 64)})
	two.Waiting = "workers"
	told.set(two, nil)
	go func() { served <- Page(ctx, at, told.look) }()
	defer func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}()

	p := open(t, at.URL())
	p.want("Sweep: running", "done 48 of 200 (25.0 %)", "failed 2", "given up 2", "rate 0.500 runs/s", "left 5 min 0 s", "waits for workers",
		"a (process 1) 2 48 0 0.500 2", "(process 123456) 64 12,345 2 12.3 64")
	bar, err := chromedp.Run(p.ctx, chromedp.Evaluate[string]("document.getElementById('bar').value + ' of ' + document.getElementById('bar').max"))
	if err != nil || bar != "50 of 200" {
		t.Errorf("bar: got=%s, %v, want=50 of 200", bar, err)
	}
	p.shot("running")
	for _, width := range []int64{320, 1000} {
		p.do(chromedp.EmulateViewport(width, 600))
		wide, err := chromedp.Run(p.ctx, chromedp.Evaluate[int64]("document.documentElement.scrollWidth"))
		if err != nil || wide > width {
			t.Errorf("the page is %d pixels wide, %v, want at most %d", wide, err, width)
		}
		p.shot(fmt.Sprint("wide-", width))
	}

	told.set(engine.Status{}, errors.New("the server is away"))
	p.want("Sweep: the server is away", "done 48 of 200")
	p.shot("away")
	told.set(engine.Status{Progress: engine.Progress{Points: 200, Done: 198, Failed: 2, Dead: 2, Ended: true}, Who: []engine.Worker{}}, nil)
	p.want("Sweep: complete", "done 198 of 200 (100.0 %)", "given up 2")
	p.shot("complete")
	asked := told.count()
	time.Sleep(1500 * time.Millisecond)
	if got := told.count(); got != asked {
		t.Errorf("the page asked %d times more, want none: the sweep has ended", got-asked)
	}
	p.noErrors()
}
