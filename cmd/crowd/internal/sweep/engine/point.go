package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"syscall"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// died is the error of a try that nothing was heard of.
const died = "its worker died, or was cut off"

// thread takes points one after another.
func (w *worker) thread(ctx context.Context) {
	for ctx.Err() == nil {
		wait, cancel := w.link.within(ctx, 2*time.Second)
		m, err := w.consumer.Next(jetstream.FetchContext(wait))
		cancel()
		if err != nil {
			w.checkEnd(ctx)
			if !isTimeout(err) {
				sleep(ctx, 200*time.Millisecond)
			}
			continue
		}
		w.point(ctx, m)
	}
}

// point does a point: it is acknowledged when its row, or dead letter, is stored.
func (w *worker) point(ctx context.Context, m jetstream.Msg) {
	session := w.link.now()
	index, err := strconv.ParseInt(string(m.Data()), 10, 64)
	meta, metaErr := m.Metadata()
	if err != nil || metaErr != nil || index < 0 || index >= w.m.Points {
		w.o.Note(fmt.Sprintf("%q is no point of 0 … %d", m.Data(), w.m.Points-1))
		_ = m.Term()
		return
	}
	h := w.held.add(index, m)
	defer w.held.remove(h)
	t := Dead{Index: index, Machine: w.machine}
	if meta.NumDelivered > 1 {
		if t, err = w.tried(ctx, index); err != nil {
			return
		}
		if t.Tries >= w.m.Tries {
			w.bury(ctx, m, t, session)
			return
		}
	}
	t.Tries++
	if t.Tries == w.m.Tries && meta.NumDelivered > 1 {
		// One that kills its worker must not take those beside it to the grave.
		w.alone.Lock()
		defer w.alone.Unlock()
	} else {
		w.alone.RLock()
		defer w.alone.RUnlock()
	}
	if meta.NumDelivered > 1 {
		t.Error, t.Machine = died, w.machine // until more is known
		if w.store(ctx, w.record(t), fmt.Sprintf("%s.%d.%d.begun", w.id, index, meta.NumDelivered)) != nil {
			return
		}
	}
	row, failed, err := w.limited(ctx, h, index)
	switch {
	case ctx.Err() != nil: // it was interrupted, which is no try
		if meta.NumDelivered > 1 {
			t.Tries--
			b, _ := json.Marshal(t)
			_ = w.link.Publish(w.name.subject(tries)+"."+strconv.FormatInt(index, 10), b)
		}
		_ = m.Nak()
		_ = w.link.FlushTimeout(time.Second)
		return
	case isUnable(err):
		_ = m.Nak()
		w.give(err)
		return
	case err == nil && len(row) > maxRow:
		err = fmt.Errorf("its row has %d bytes, want at most %d", len(row), maxRow)
	}
	if err != nil {
		w.failed.Add(1)
		t.Error, t.Machine = err.Error(), w.machine
		if w.store(ctx, w.record(t), fmt.Sprintf("%s.%d.%d.failed", w.id, index, meta.NumDelivered)) != nil {
			return
		}
		if t.Tries >= w.m.Tries {
			w.bury(ctx, m, t, session)
			return
		}
		_ = m.NakWithDelay(200 * time.Millisecond) // so that it may go elsewhere
		return
	}
	msg := nats.NewMsg(w.name.subject(results))
	msg.Data = row
	msg.Header.Set(headIndex, strconv.FormatInt(index, 10))
	msg.Header.Set(headMachine, w.machine)
	if failed {
		msg.Header.Set(headFailed, "1")
		w.failed.Add(1)
	}
	if w.store(ctx, msg, fmt.Sprintf("%s.%d.%d", w.id, index, meta.NumDelivered)) == nil {
		w.done.Add(1)
		w.ack(ctx, m, session)
	}
}

// limited runs a point within its time.
func (w *worker) limited(ctx context.Context, h *holding, index int64) ([]byte, bool, error) {
	if w.m.MaxSeconds > 0 {
		limit := time.Duration(w.m.MaxSeconds * float64(time.Second))
		w.held.until(h, time.Now().Add(limit+beat)) // then another one may have it
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	return w.run(ctx, index)
}

// tried returns what is known of the tries of a point.
func (w *worker) tried(ctx context.Context, index int64) (Dead, error) {
	for {
		try, cancel := w.link.within(ctx, 5*time.Second)
		m, err := w.tries.GetLastMsgForSubject(try, w.name.subject(tries)+"."+strconv.FormatInt(index, 10))
		cancel()
		t := Dead{Index: index, Machine: w.machine}
		if err == nil {
			err = json.Unmarshal(m.Data, &t)
			t.Index = index
		}
		if err == nil || errors.Is(err, jetstream.ErrMsgNotFound) {
			return t, nil
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return t, context.Cause(ctx)
		}
	}
}

// record is the message that tells of a try.
func (w *worker) record(t Dead) *nats.Msg {
	b, _ := json.Marshal(t)
	m := nats.NewMsg(w.name.subject(tries) + "." + strconv.FormatInt(t.Index, 10))
	m.Data = b
	return m
}

// bury gives a point up.
func (w *worker) bury(ctx context.Context, m jetstream.Msg, t Dead, session context.Context) {
	b, _ := json.Marshal(t)
	letter := nats.NewMsg(w.name.subject(dead))
	letter.Data = b
	if w.store(ctx, letter, fmt.Sprintf("%s.%d.dead", w.id, t.Index)) == nil {
		w.ack(ctx, m, session)
	}
}

// store stores a message, as often as it takes; the server knows by its name that it is
// the same.
func (w *worker) store(ctx context.Context, m *nats.Msg, name string) error {
	start := time.Now()
	for {
		try, cancel := w.link.within(ctx, 5*time.Second)
		_, err := w.js.PublishMsg(try, m, jetstream.WithMsgID(name))
		cancel()
		if err == nil {
			return nil
		}
		if w.link.away() == nil && time.Since(start) > w.o.Patience {
			w.give(fmt.Errorf("the server has stored nothing for %v: %w", w.o.Patience, err))
		}
		if !sleep(ctx, 200*time.Millisecond) {
			return context.Cause(ctx)
		}
	}
}

// ack acknowledges a point and waits for the answer. A server that was away since the
// point came may not know that it handed it out, and gives none; then, as without any
// answer, the point comes again, and its rows are compared.
func (w *worker) ack(ctx context.Context, m jetstream.Msg, session context.Context) {
	for range 2 {
		if session.Err() != nil {
			_ = m.Ack()
			return
		}
		try, cancel := w.link.within(ctx, 2*time.Second)
		err := m.DoubleAck(try)
		cancel()
		if err == nil || ctx.Err() != nil {
			return
		}
	}
}

// checkEnd ends the worker if the sweep ended while it was away.
func (w *worker) checkEnd(ctx context.Context) {
	try, cancel := w.link.within(ctx, time.Second)
	defer cancel()
	stream, err := w.js.Stream(try, w.name.stream(workers))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		w.give(errEnded)
	}
	if err != nil {
		return
	}
	m, err := stream.GetLastMsgForSubject(try, w.name.subject(progress))
	if err != nil {
		return
	}
	var p Progress
	if json.Unmarshal(m.Data, &p) == nil && p.Ended {
		w.give(errEnded)
	}
}

func isTimeout(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, jetstream.ErrNoMessages)
}

// isUnable tells whether an error is of the machine.
func isUnable(err error) bool {
	var u Unable
	return errors.As(err, &u) || errors.Is(err, syscall.ENOSPC)
}
