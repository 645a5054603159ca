package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

const maxConflicts = 100 // that are kept

// collectRows notes which row is the first of each point. The rows stay on the server.
func (s *Sweep) collectRows() {
	s.follow(results, true, func(m jetstream.Msg, seq uint64) {
		index, err := strconv.ParseInt(m.Headers().Get(headIndex), 10, 64)
		if err != nil || index < 0 || index >= s.m.Points {
			s.o.Note(fmt.Sprintf("%s sent a row of point %q, which there is not", m.Headers().Get(headMachine), m.Headers().Get(headIndex)))
			s.settle(func() { s.seenRows = seq })
			return
		}
		s.mu.Lock()
		first := uint64(0)
		if index < int64(len(s.seqs)) {
			first = s.seqs[index]
		}
		s.mu.Unlock()
		if first != 0 {
			s.compare(index, first, seq)
			s.settle(func() { s.seenRows = seq })
			return
		}
		s.settle(func() {
			for int64(len(s.seqs)) <= index { // grows with what there is, not with what may come
				s.seqs = append(s.seqs, 0)
			}
			s.seqs[index], s.seenRows = seq, seq
			s.done++
			if m.Headers().Get(headFailed) != "" {
				s.failed++
			}
			delete(s.dead, index) // a slow worker brought it after all
		})
	})
}

// collectDead notes the dead letters.
func (s *Sweep) collectDead() {
	s.follow(dead, false, func(m jetstream.Msg, seq uint64) {
		var d Dead
		err := json.Unmarshal(m.Data(), &d)
		s.settle(func() {
			s.seenDead = seq
			if err != nil || d.Index < 0 || d.Index >= s.m.Points || d.Index < int64(len(s.seqs)) && s.seqs[d.Index] != 0 {
				return
			}
			if _, known := s.dead[d.Index]; !known {
				s.dead[d.Index] = d
				s.o.Note(fmt.Sprintf("run %d is given up after %d tries, the last on %s: %s", d.Index, d.Tries, d.Machine, d.Error))
			}
		})
	})
}

// settle changes what is known of points, and tells when that is all.
func (s *Sweep) settle(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
	if s.done+int64(len(s.dead)) == s.m.Points && !s.isComplete() {
		close(s.complete)
	}
}

// settled tells whether a point has a row or is dead.
func (s *Sweep) settled(index int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if index < int64(len(s.seqs)) && s.seqs[index] != 0 {
		return true
	}
	_, is := s.dead[index]
	return is
}

// follow calls a function with every message of a stream, from the first one on, until
// the sweep ends. What cuts it off makes it go on where it was.
func (s *Sweep) follow(stream string, headers bool, take func(m jetstream.Msg, seq uint64)) {
	next := uint64(1)
	for s.ctx.Err() == nil {
		s.followOnce(stream, headers, &next, take)
		sleep(s.ctx, 100*time.Millisecond)
	}
}

func (s *Sweep) followOnce(stream string, headers bool, next *uint64, take func(m jetstream.Msg, seq uint64)) {
	consumer, err := s.js.OrderedConsumer(s.ctx, s.name.stream(stream), jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: *next, HeadersOnly: headers,
	})
	if err != nil {
		return
	}
	all, err := consumer.Messages(jetstream.PullExpiry(4*time.Second), jetstream.PullHeartbeat(time.Second)) // to notice soon that nothing comes
	if err != nil {
		return
	}
	defer all.Stop()
	defer context.AfterFunc(s.ctx, all.Stop)()
	for {
		m, err := all.Next()
		if err != nil {
			return
		}
		meta, err := m.Metadata()
		if err != nil {
			return
		}
		take(m, meta.Sequence.Stream)
		*next = meta.Sequence.Stream + 1
	}
}

// compare compares two rows of a point.
func (s *Sweep) compare(index int64, first, second uint64) {
	a, err := s.message(s.ctx, first)
	var b *jetstream.RawStreamMsg
	if err == nil {
		b, err = s.message(s.ctx, second)
	}
	if err != nil {
		if s.ctx.Err() == nil { // otherwise the sweep ended
			s.o.Note(fmt.Sprintf("run %d: its rows cannot be compared: %v", index, err))
		}
		return
	}
	if err := s.o.Same(a.Data, b.Data); err != nil {
		c := Conflict{index, [2]string{a.Header.Get(headMachine), b.Header.Get(headMachine)}, err}
		s.o.Note(fmt.Sprintf("run %d: the rows of %s and of %s differ: %v", index, c.Machines[0], c.Machines[1], err))
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.unequal++; len(s.conflicts) < maxConflicts {
			s.conflicts = append(s.conflicts, c)
		}
	}
}

// lag is how long a server of a cluster may lack a row that another one has told of.
const lag = 30 * time.Second

// message gets a row by its sequence number, as often as it takes.
func (s *Sweep) message(ctx context.Context, seq uint64) (*jetstream.RawStreamMsg, error) {
	for start := time.Now(); ; {
		try, cancel := s.link.within(ctx, 5*time.Second)
		m, err := s.streams[results].GetMsg(try, seq)
		cancel()
		if err == nil {
			return m, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if cause := context.Cause(s.ctx); cause != nil {
			return nil, cause
		}
		if errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrMsgNotFound) && time.Since(start) > lag {
			return nil, fmt.Errorf("row %d of the stream: %w", seq, err)
		}
		sleep(ctx, 200*time.Millisecond)
	}
}
