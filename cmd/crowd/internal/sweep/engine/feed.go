package engine

import (
	"errors"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const codeFull = 10077 // of an error: the stream has all the messages that it may have

// feed hands out the points in their order, as the backlog has room. A message says
// which the last one before it is: so whatever is lost or comes twice between here and
// the server, sequence and index go together, and a sweep that is begun again goes on
// after the last. Then it hands out what got lost behind its back.
func (s *Sweep) feed() {
	pause := 10 * time.Millisecond
	for s.ctx.Err() == nil && !s.isComplete() {
		if s.feedSome() {
			pause = 10 * time.Millisecond
		} else if pause *= 2; pause > time.Second {
			pause = time.Second
		}
		select {
		case <-s.ctx.Done():
		case <-s.complete:
		case <-time.After(pause):
		}
	}
}

// feedSome hands out what it can and tells whether that was anything.
func (s *Sweep) feedSome() (any bool) {
	ctx, cancel := s.link.within(s.ctx, 5*time.Second)
	info, err := s.streams[points].Info(ctx)
	cancel()
	if err != nil {
		return false
	}
	last := info.State.LastSeq
	for ; last < uint64(s.m.Points); last++ {
		if s.put(int64(last), last) != nil {
			return any
		}
		any = true
		s.mu.Lock()
		s.published = int64(last) + 1
		s.mu.Unlock()
	}
	s.mu.Lock()
	s.published = s.m.Points
	s.mu.Unlock()
	if any {
		return true
	}
	if info.State.Msgs > 0 {
		s.unstick(info.State.Msgs)
		return false
	}
	if !s.caughtUp() {
		return false
	}
	for i := range s.m.Points { // nobody has them
		if s.settled(i) {
			continue
		}
		if s.put(i, last) != nil {
			return any
		}
		any = true
		last++
	}
	return any
}

// put hands out a point after a sequence number.
func (s *Sweep) put(index int64, last uint64) error {
	for {
		ctx, cancel := s.link.within(s.ctx, 5*time.Second)
		_, err := s.js.Publish(ctx, s.name.subject(points), strconv.AppendInt(nil, index, 10), jetstream.WithExpectLastSequence(last))
		cancel()
		var api *jetstream.APIError
		if !errors.As(err, &api) || api.ErrorCode != codeFull || !sleep(s.ctx, 5*time.Millisecond) {
			return err
		}
	}
}

// caughtUp tells whether all rows and dead letters that there are have been seen.
func (s *Sweep) caughtUp() bool {
	ctx, cancel := s.link.within(s.ctx, 5*time.Second)
	defer cancel()
	rows, err := s.streams[results].Info(ctx)
	if err != nil {
		return false
	}
	letters, err := s.streams[dead].Info(ctx)
	if err != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seenRows >= rows.State.LastSeq && (s.seenDead >= letters.State.LastSeq || letters.State.Msgs == 0)
}

// unstick makes the consumer anew if it knows of no message and the stream has some, as
// when a machine lost its power and one of the two is older than the other.
func (s *Sweep) unstick(had uint64) {
	ctx, cancel := s.link.within(s.ctx, 5*time.Second)
	defer cancel()
	c, err := s.streams[points].Consumer(ctx, workers)
	if err != nil {
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			_ = createConsumer(ctx, s.js, s.name, &s.o)
		}
		return
	}
	state := c.CachedInfo()
	if state.NumPending > 0 || state.NumAckPending > 0 {
		return
	}
	info, err := s.streams[points].Info(ctx)
	if err != nil || info.State.Msgs < had {
		return
	}
	if s.streams[points].DeleteConsumer(ctx, workers) == nil {
		_ = createConsumer(ctx, s.js, s.name, &s.o)
	}
}
