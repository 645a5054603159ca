package engine

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"
)

// Run runs a point and returns its row, and whether the row tells of a failure. With an
// error there is no row, and the point is tried again, perhaps elsewhere; [Unable] is no
// try. It runs on several goroutines at once, and must return soon when the context ends.
type Run func(ctx context.Context, index int64) (row []byte, failed bool, err error)

// Unable is an error of the worker's machine, not of the point, such as a full disk. It
// ends the worker.
type Unable struct{ Err error }

func (e Unable) Error() string { return e.Err.Error() }
func (e Unable) Unwrap() error { return e.Err }

// WorkOptions say where a worker finds its sweep, and what it does.
type WorkOptions struct {
	// One of the two.
	Folder string // of a sweep that runs
	URL    string // of a server; its path is the name of the sweep, if there are several

	TokenFile string // empty: the variable [TokenVariable], or the folder's
	CAFile    string // certificates to trust, in PEM; empty: the folder's, or those of the system
	Creds     string // file of NATS's own credentials; empty: none

	Threads  int           // points at once, from 1
	Build    string        // as by [Build]
	Patience time.Duration // how long the server may be away; 0: two minutes

	// Open gets what to know of the sweep and the folder of its files, which is the
	// worker's own.
	Open func(m *Manifest, folder string) (Run, error)
	Note func(line string) // may be nil
}

var errEnded = errors.New("the sweep ended")

// worker is one that is connected.
type worker struct {
	o        WorkOptions
	m        *Manifest
	id       string
	machine  string
	name     sweepName
	link     *link
	js       jetstream.JetStream
	consumer jetstream.Consumer
	tries    jetstream.Stream
	run      Run
	alone    sync.RWMutex // a point on its last try has the worker for itself
	held     held
	done     atomic.Int64
	failed   atomic.Int64
	give     context.CancelCauseFunc // ends the worker
}

// Work works on the points of a sweep until it ends; then the error is nil.
func Work(ctx context.Context, o WorkOptions) error {
	if o.Threads < 1 {
		return fmt.Errorf("%d threads, want at least 1", o.Threads)
	}
	if o.Patience == 0 {
		o.Patience = 2 * time.Minute
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	host, err := os.Hostname()
	if err != nil {
		host = "a machine without name"
	}
	ctx, give := context.WithCancelCause(ctx)
	defer give(nil)
	w := &worker{o: o, id: nuid.Next(), machine: fmt.Sprintf("%s (process %d)", host, os.Getpid()), give: give}
	if err := w.connect(ctx); err != nil {
		return err
	}
	defer w.link.Close()
	folder, err := os.MkdirTemp("", "crowd-work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := w.open(ctx, folder); err != nil {
		if errors.Is(context.Cause(ctx), errEnded) {
			return nil
		}
		return err
	}
	var work sync.WaitGroup
	for range o.Threads {
		work.Go(func() { w.thread(ctx) })
	}
	work.Go(func() { w.signal(ctx) })
	work.Go(func() { w.beat(ctx) })
	work.Wait()
	if err := context.Cause(ctx); !errors.Is(err, errEnded) {
		return err
	}
	return nil
}

// connect connects to the server of the sweep.
func (w *worker) connect(ctx context.Context) error {
	o := &w.o
	how := linking{urls: o.URL, name: "crowd work", patience: o.Patience, note: o.Note, gaveUp: w.give}
	secret, ca := o.TokenFile, ""
	if o.Folder != "" {
		a, err := ReadAddress(o.Folder)
		if err != nil {
			return err
		}
		how.urls, w.name, ca = strings.Join(a.URLs, ","), sweepName(a.Sweep), a.CA
		how.options = append(how.options, nats.SetCustomDialer(folderDialer(o.Folder)))
		if name := filepath.Join(o.Folder, tokenFile); secret == "" && o.Creds == "" {
			if _, err := os.Stat(name); err == nil {
				secret = name
			}
		}
	} else {
		var err error
		if how.urls, w.name, err = splitURL(o.URL); err != nil {
			return err
		}
	}
	text, err := token(secret)
	if err != nil {
		return err
	}
	if text != "" {
		how.options = append(how.options, nats.Token(text))
	}
	if o.Creds != "" {
		how.options = append(how.options, nats.UserCredentials(o.Creds))
	}
	if o.CAFile != "" {
		b, err := os.ReadFile(o.CAFile)
		if err != nil {
			return err
		}
		ca = string(b)
	}
	if ca != "" {
		option, err := trust(ca)
		if err != nil {
			return err
		}
		how.options = append(how.options, option)
	}
	if w.link, err = how.dial(ctx); err != nil {
		return err
	}
	w.js, err = jetstream.New(w.link.Conn)
	return err
}

// splitURL takes the name of the sweep from the path of a URL.
func splitURL(all string) (urls string, name sweepName, err error) {
	var servers []string
	for _, one := range strings.Split(all, ",") {
		u, err := url.Parse(one)
		if err != nil || u.Host == "" {
			return "", "", fmt.Errorf("%q is no address of a server, want such as nats://host:4222 or tls://host:4222", one)
		}
		if path := strings.Trim(u.Path, "/"); path != "" {
			if name = sweepName(path); !name.valid() {
				return "", "", fmt.Errorf("%q: want the name of a sweep as its path", one)
			}
		}
		u.Path = ""
		servers = append(servers, u.String())
	}
	return strings.Join(servers, ","), name, nil
}

// find finds the sweep on the server, if its name was not given.
func (w *worker) find(ctx context.Context) error {
	if w.name != "" {
		return nil
	}
	var all []string
	names := w.js.StreamNames(ctx)
	for stream := range names.Name() {
		if n, is := nameOf(stream); is {
			all = append(all, string(n))
		}
	}
	if err := names.Err(); err != nil {
		return err
	}
	if len(all) != 1 {
		return fmt.Errorf("%s has %d sweeps %v: want one, or its name as path of the address", w.o.URL, len(all), all)
	}
	w.name = sweepName(all[0])
	return nil
}

// open gets what is to know of the sweep, and its files, and opens its points.
func (w *worker) open(ctx context.Context, folder string) error {
	if err := w.find(ctx); err != nil {
		return err
	}
	if _, err := w.link.Subscribe(w.name.subject(ended), func(*nats.Msg) { w.give(errEnded) }); err != nil {
		return err
	}
	store, err := w.js.ObjectStore(ctx, w.name.stream(files))
	if err != nil {
		return err
	}
	if w.m, err = getManifest(ctx, store); err != nil {
		return err
	}
	if w.m.Build != w.o.Build {
		b, _ := json.Marshal(Worker{Machine: w.machine, Build: w.o.Build})
		_ = w.link.Publish(w.name.subject(refused), b)
		_ = w.link.FlushTimeout(time.Second)
		return fmt.Errorf("this worker is %s, and the sweep is of %s: want the same", w.o.Build, w.m.Build)
	}
	if err := getFiles(ctx, store, w.m, folder); err != nil {
		return err
	}
	if w.consumer, err = w.js.Consumer(ctx, w.name.stream(points), workers); err != nil {
		return err
	}
	if w.tries, err = w.js.Stream(ctx, w.name.stream(tries)); err != nil {
		return err
	}
	w.run, err = w.o.Open(w.m, folder)
	return err
}
