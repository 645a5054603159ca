// Package interrupt ends a command early: at Ctrl-C and other signals, at the end of a
// context, or when nobody reads its output any more.
package interrupt

import (
	"context"
	"os"
	"os/signal"
)

// Context returns a context that ends with the first Ctrl-C, SIGTERM or SIGHUP.
// The next one ends the process at once. A signal that was ignored at the start,
// as nohup has it with SIGHUP, stays so.
func Context() (ctx context.Context, stop context.CancelFunc) {
	var signals []os.Signal
	for _, s := range ending {
		if !signal.Ignored(s) {
			signals = append(signals, s)
		}
	}
	if len(signals) == 0 { // no signals would be all
		return context.WithCancel(context.Background())
	}
	ctx, stop = signal.NotifyContext(context.Background(), signals...)
	context.AfterFunc(ctx, func() { endAtNext(signals...) })
	return ctx, stop
}
