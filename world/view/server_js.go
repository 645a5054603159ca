package view

import "syscall/js"

// Go runs on the thread of a web worker, which receives messages only while Go waits. A message to turner
// arrives after all pending ones.
var (
	turn   = make(chan struct{}, 1)
	turner = newTurner()
)

func newTurner() js.Value {
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		turn <- struct{}{}
		return nil
	}))
	return channel.Get("port2")
}

// yield lets the browser deliver pending messages.
func yield() {
	turner.Call("postMessage", nil)
	<-turn
}

type pages struct{}

func (*View) serve(*Options) pages { return pages{} }
