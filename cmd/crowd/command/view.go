package command

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/picture"
	"github.com/8f878440/crowd/cmd/crowd/internal/render"
	"github.com/8f878440/crowd/cmd/crowd/internal/replay"
	"github.com/8f878440/crowd/cmd/crowd/internal/site"
	"github.com/8f878440/crowd/world/scene"
	"github.com/8f878440/crowd/world/view"
	"github.com/dustin/go-humanize"
)

type viewCmd struct {
	sceneArg
	sceneFlags           `group:"Scene:"`
	render.BesideOptions `group:"Recordings:"`

	Record replay.Flag `embed:""`

	Open   bool   `help:"Open the page in the default browser."`
	Listen string `placeholder:"HOST:PORT" help:"Address to listen on, such as 0.0.0.0:8040 to let other machines watch. Default: 127.0.0.1, port 8040 or, if that port is in use, a free one. Anyone with the printed address and token can watch and steer. Traffic is unencrypted."`
}

func (viewCmd) Help() string {
	return `Prints an address to open in a browser, and runs until Ctrl-C. The simulation pauses while
no page is open.

Examples:

    crowd view                             1,000 people leave a building
    crowd view seek --open                 move the mouse to move the target
    crowd view plaza --agents 1000000
    crowd view SCENE.toml
    crowd view office --record office.replay     record it with manual changes
    crowd view RECORDING.replay            jump to any recorded step
    crowd view SCENE.toml --beside WALK.txt --recording frame-rate=16,unit=cm`
}

// defaultPort is tried first, so an open page can reconnect to a new server.
const defaultPort = 8040

func (c *viewCmd) Run(ctx context.Context, e *cli.Console) error {
	err := c.serve(ctx, e)
	var early cli.Interruption
	if errors.As(err, &early) { // Ctrl-C is the normal end
		e.Log.Warn(early.Error())
		return nil
	}
	return err
}

func (c *viewCmd) serve(ctx context.Context, e *cli.Console) error {
	film, err := c.film(ctx, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	defer film.Close()
	s, err := c.choose(ctx, c.Scene, film, e)
	if err != nil {
		return cli.BadUsage(err)
	}
	people, err := c.Recording.Open(ctx, &c.BesideOptions)
	if err != nil {
		return cli.BadUsage(err)
	}
	if n := s.Agents(); n > view.MaxAgents {
		return cli.BadUsage(fmt.Errorf("%s has %s agents, but the view shows at most %s", s.Name, cli.Thousands(n), cli.Thousands(view.MaxAgents)))
	}
	address, err := c.listen()
	if err != nil {
		return cli.BadUsage(err)
	}
	live, err := view.NewScenes(ctx, c.Scene, s, c.scenes(s, film, e), view.Options{
		Beside: people.View(), Recording: film.Shown(), Hosts: []string{address.Host()}, Version: cli.VersionLine(),
	})
	if err != nil {
		address.Close()
		return cli.BadUsage(cli.While(ctx, err, "building "+s.Name))
	}
	cli.WarnExposed(e, address.Addr(), "the token and the picture travel unencrypted: anyone on the network can watch and steer", "--listen 127.0.0.1:")
	cli.Fprintf(e.Out, "%s with %s at %s (press Ctrl-C to stop)\n", s.Name, cli.Plural(s.Agents(), "agent"), address.URL())
	if c.Open {
		if err := browse(address.URL()); err != nil {
			e.Log.Warn("could not open a browser: " + err.Error())
		}
	}
	return address.Show(ctx, live)
}

func (c *viewCmd) scenes(s *scene.Scene, film *replay.Film, e *cli.Console) view.Scenes {
	all := view.Scenes{
		List:    c.choice(s),
		Open:    func(ctx context.Context, name string) (*scene.Scene, error) { return c.choose(ctx, name, film, e) },
		Options: film.Options(),
		Admit:   func(s *scene.Scene, o scene.Options) error { return c.Admit(s, o, cli.MemoryOfPicture(s)) },
		Fit:     picture.FitScene,
	}
	all.Options.Workers = c.Workers
	if to := c.Record.Recordings(e); to != nil {
		all.Record = to.Begin
	}
	return all
}

// film opens the scene argument, or returns nil if it is not a recording. The caller must close the film.
func (c *viewCmd) film(ctx context.Context, e *cli.Console) (*replay.Film, error) {
	if !replay.IsReplay(c.Scene) {
		return nil, nil
	}
	var idle []cli.IdleFlag
	for _, name := range []string{"agents", "seed", "set", "obstacles", "lenient", "model", "record"} {
		idle = append(idle, cli.IdleFlag{Name: name, Idle: true, Why: "is for a scene, and " + c.Scene + " is a recording"})
	}
	if err := e.Given.Refuse(idle...); err != nil {
		return nil, err
	}
	if err := e.Given.CheckWorkers(c.Workers); err != nil {
		return nil, err
	}
	film, err := replay.OpenFilm(ctx, c.Scene, c.Workers, c.MemoryFlag)
	if err == nil && film.CutOff != nil {
		e.Log.Warn(fmt.Sprintf("%s: %v, in step %d: showing the steps before it", c.Scene, film.CutOff, film.Steps()+1))
	}
	return film, err
}

func (c *viewCmd) choice(s *scene.Scene) []view.Named {
	var all []view.Named
	if _, err := scene.Named(c.Scene); err != nil {
		all = append(all, view.Named{Name: c.Scene, Text: s.Text})
	}
	for _, name := range scene.Names() {
		all = append(all, view.Named{Name: name, Text: scene.Text(name)})
	}
	return all
}

// choose opens the scene that a viewer chose. Scene flags and the recording apply only to the scene on the
// command line.
func (c *viewCmd) choose(ctx context.Context, name string, film *replay.Film, e *cli.Console) (*scene.Scene, error) {
	switch {
	case name != c.Scene:
		return scene.Named(name)
	case film != nil:
		return film.Scenario(), nil
	}
	return c.open(ctx, c.Scene, e)
}

// wsaEADDRINUSE is what Windows returns for a port in use. There, syscall.EADDRINUSE is an invented number.
const wsaEADDRINUSE = syscall.Errno(10048)

// listen listens on --listen, by default on defaultPort of 127.0.0.1 or, if that port is in use, on a free
// one. Viewers need a token unless the host is a loopback IP address.
func (c *viewCmd) listen() (*site.Site, error) {
	if c.Listen == "" {
		at := func(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
		address, err := site.Listen(at(defaultPort), "")
		if errors.Is(err, syscall.EADDRINUSE) || errors.Is(err, wsaEADDRINUSE) {
			return site.Listen(at(0), "")
		}
		return address, err
	}
	host, _, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("--listen is %q, want host:port such as 0.0.0.0:%d", c.Listen, defaultPort)
	}
	if cli.Loopback(host) {
		return site.Listen(c.Listen, "")
	}
	return site.Listen(c.Listen, site.NewToken())
}

func browse(url string) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	case "darwin":
		cmd = exec.Command("open", url)
	default:
		cmd = exec.Command("xdg-open", url)
	}
	return cmd.Start()
}

type siteCmd struct {
	Out string `required:"" placeholder:"DIR" type:"path" help:"Folder to create or update. Existing files with the same names are replaced."`
}

func (siteCmd) Help() string {
	return `Any static file host can serve the folder, at the root of a site or under any path. Run the
command in a clone of the project: it compiles the engine for browsers, which needs Go.

Example:

    crowd site --out site`
}

func (c *siteCmd) Run(ctx context.Context, e *cli.Console) error {
	s, err := site.Write(ctx, c.Out)
	if err != nil {
		return err
	}
	files, bytes := s.Size()
	cli.Fprintf(e.Out, "%d files, %s, in %s\n", files, humanize.Bytes(uint64(bytes)), c.Out)
	return nil
}
