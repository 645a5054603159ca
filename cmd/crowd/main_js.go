package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"syscall/js"
	"time"

	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
)

// In a browser, crowd runs as a web worker of the view's page, which chooses the scene.
func main() {
	if err := run(); err != nil {
		js.Global().Call("postMessage", map[string]any{"failed": err.Error()})
	}
}

func run() error {
	list := []view.Named{}
	for _, name := range scene.Names() {
		list = append(list, view.Named{Name: name, Text: scene.Text(name)})
	}
	open := func(_ context.Context, name string) (*scene.Scene, error) { return scene.Named(name) }
	first := js.Global().Get("firstScene").String()
	if first == "" {
		first = "evacuation" // like cli.DefaultScene; importing package cli would make the WebAssembly file a third larger
	}
	var sc *scene.Scene
	var err error
	if text := js.Global().Get("firstText").String(); text != "" {
		sc, err = scene.Read(strings.NewReader(text), first, scene.OpenOptions{})
	} else {
		sc, err = scene.Named(first)
	}
	if err != nil { // the page asks for the scene again, and shows the error
		first = "flee"
		if sc, err = scene.Named(first); err != nil {
			return err
		}
	}
	live, err := view.NewScenes(context.Background(), first, sc, view.Scenes{List: list, Open: open}, view.Options{
		Version:  "in this page",
		Patience: 24 * time.Hour, // the connection cannot be lost, but the first message may take a long time on a slow machine
	})
	if err != nil {
		return err
	}
	go live.Connect(newPort())
	live.Run(context.Background())
	return errors.New("the engine has stopped")
}

type port struct {
	mu    sync.Mutex
	texts [][]byte
	rung  chan struct{}
}

func newPort() *port {
	p := &port{rung: make(chan struct{}, 1)}
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		p.mu.Lock()
		p.texts = append(p.texts, []byte(args[0].Get("data").String()))
		p.mu.Unlock()
		select {
		case p.rung <- struct{}{}:
		default:
		}
		return nil
	}))
	js.Global().Call("postMessage", map[string]any{"ready": true})
	return p
}

func (p *port) Read(ctx context.Context) ([]byte, error) {
	for {
		p.mu.Lock()
		if len(p.texts) > 0 {
			text := p.texts[0]
			p.texts = p.texts[1:]
			p.mu.Unlock()
			return text, nil
		}
		p.mu.Unlock()
		select {
		case <-p.rung:
		case <-ctx.Done():
			return nil, io.EOF
		}
	}
}

func (p *port) Write(_ context.Context, data []byte, binary bool) error {
	if !binary {
		js.Global().Call("postMessage", string(data))
		return nil
	}
	array := js.Global().Get("Uint8Array").New(len(data))
	js.CopyBytesToJS(array, data)
	buffer := array.Get("buffer")
	js.Global().Call("postMessage", buffer, []any{buffer})
	return nil
}

func (p *port) Ping(context.Context) error { return nil }

func (p *port) Close(status int, reason string) {
	js.Global().Call("postMessage", map[string]any{"failed": fmt.Sprintf("%s (%d)", reason, status)})
}
