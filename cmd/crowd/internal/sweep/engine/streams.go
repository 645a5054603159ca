package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// createStreams makes the streams of a sweep, or finds them.
func createStreams(ctx context.Context, js jetstream.JetStream, n sweepName, o *Options) error {
	for _, c := range []jetstream.StreamConfig{
		{Name: points, Retention: jetstream.WorkQueuePolicy, MaxMsgs: o.Backlog, Discard: jetstream.DiscardNew},
		{Name: results, AllowDirect: true},
		{Name: dead, AllowDirect: true},
		{Name: tries, Subjects: []string{n.subject(tries) + ".*"}, AllowDirect: true, MaxMsgsPerSubject: 1, MaxMsgs: 100_000},
		{Name: workers, Subjects: []string{n.subject(workers) + ".*", n.subject(progress)}, AllowDirect: true,
			MaxMsgsPerSubject: 1, MaxAge: time.Minute},
	} {
		if c.Subjects == nil {
			c.Subjects = []string{n.subject(c.Name)}
		}
		c.Name = n.stream(c.Name)
		c.Replicas = o.Replicas
		err := placed(ctx, func() error {
			_, err := js.CreateOrUpdateStream(ctx, c)
			return err
		})
		if err != nil {
			return fmt.Errorf("stream %s: %w", c.Name, err)
		}
	}
	return createConsumer(ctx, js, n, o)
}

// placed makes something of which servers of a cluster have copies. A server that has just begun may
// seem to be away: then it tries again, for some seconds.
func placed(ctx context.Context, create func() error) error {
	const (
		away     jetstream.ErrorCode = 10005 // no suitable peers for placement
		patience                     = 10 * time.Second
	)
	for start := time.Now(); ; {
		err := create()
		var api *jetstream.APIError
		if !errors.As(err, &api) || api.ErrorCode != away || time.Since(start) > patience || !sleep(ctx, 200*time.Millisecond) {
			return err
		}
	}
}

// createConsumer makes the consumer that all workers share. It delivers a point again
// until it is acknowledged; who gives up, and when, is the workers' to tell.
func createConsumer(ctx context.Context, js jetstream.JetStream, n sweepName, o *Options) error {
	_, err := js.CreateOrUpdateConsumer(ctx, n.stream(points), jetstream.ConsumerConfig{
		Durable: workers, AckPolicy: jetstream.AckExplicitPolicy, AckWait: o.AckWait,
		MaxDeliver: -1, MaxAckPending: -1, MaxWaiting: 1 << 16,
	})
	return err
}

// putManifest stores the manifest and files of a sweep, unless they are there; those that
// are there must be the same.
func putManifest(ctx context.Context, js jetstream.JetStream, n sweepName, o *Options, m *Manifest) error {
	var store jetstream.ObjectStore
	err := placed(ctx, func() (err error) {
		store, err = js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: n.stream(files), Replicas: o.Replicas})
		return err
	})
	if err != nil {
		return err
	}
	old, err := getManifest(ctx, store)
	if err == nil {
		if err := m.same(old); err != nil {
			return fmt.Errorf("%s holds another sweep: %w", o.Folder, err)
		}
		return nil
	}
	if !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	for _, f := range m.Files {
		if err := putFile(ctx, store, o, f); err != nil {
			return fmt.Errorf("file %q: %w", f.Name, err)
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = store.PutBytes(ctx, "manifest", b) // the last, so that with it all is there
	return err
}

// getManifest reads the manifest of a sweep, and trusts nothing in it.
func getManifest(ctx context.Context, store jetstream.ObjectStore) (*Manifest, error) {
	r, err := store.Get(ctx, "manifest")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, maxManifest))
	if err != nil {
		return nil, err
	}
	m := new(Manifest)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("the manifest of the sweep: %w", err)
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("the manifest of the sweep: %w", err)
	}
	return m, nil
}
