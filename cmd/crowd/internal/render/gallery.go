package render

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/output"
	"github.com/8f878440/crowd/world/scene"
)

// GalleryOptions are the flags of crowd gallery.
type GalleryOptions struct {
	Folder string `arg:"" optional:"" default:"docs" help:"Folder to write gallery.md to; its pictures go into the subfolder gallery."`
	Data   string `placeholder:"FOLDER" help:"Folder with recordings from the Forschungszentrum Jülich, to draw the films of recorded people too."`
	Quick  bool   `help:"Draw smaller pictures and shorter films, as a test."`
}

const pageTop = "# Gallery\n\n*Reference: every built-in scene, and simulated people beside recorded ones.*\n\n[gallery/draw.sh](gallery/draw.sh) lists the commands that draw the built-in scenes.\n"

// Draw writes the page, its pictures, and a script that draws those of built-in scenes. Without Data, it
// leaves the films of recorded people as they are. The function execute runs crowd with args.
func (o *GalleryOptions) Draw(ctx context.Context, e *cli.Console, execute func(args []string) error) error {
	folder := filepath.Join(o.Folder, "gallery")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return cli.BadUsage(err)
	}
	var files output.Files
	file, commands := files.Add("the page", filepath.Join(o.Folder, "gallery.md")), files.Add("the commands", filepath.Join(folder, "draw.sh"))
	if err := files.Open(); err != nil {
		return cli.BadUsage(err)
	}
	defer files.Discard()
	if o.Data == "" {
		e.Log.Info("the films of recorded people are unchanged, because there is no --data")
	} else if err := o.filmPeople(ctx); err != nil {
		return cli.While(ctx, err, "filming people")
	}
	var page strings.Builder
	page.WriteString(pageTop + films())
	for i := range exhibits {
		x := exhibits[i]
		if o.Quick {
			x.width, x.seconds = 120, min(x.seconds, 1)
			x.flags = strings.Replace(x.flags, "--agents 1000000", "--agents 10000", 1)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := x.draw(o.Folder, !e.Log.Enabled(ctx, slog.LevelInfo), execute); err != nil {
			return err
		}
		page.WriteString(x.entry())
	}
	page.WriteString(answers())
	if err := commands.Fill(func(to io.Writer) error { _, err := io.WriteString(to, script()); return err }); err != nil {
		return err
	}
	return file.Fill(func(to io.Writer) error { _, err := io.WriteString(to, page.String()); return err })
}

func script() string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n# Draws the pictures of built-in scenes into the folder where it runs. Written by crowd gallery.\nset -e\n")
	for i := range exhibits {
		x := &exhibits[i]
		fmt.Fprintln(&b, "crowd", strings.Join(x.arguments(filepath.Base(x.file())), " "))
	}
	return b.String()
}

type exhibit struct {
	scene, kind string
	title       string // empty means the name of the scene
	about       string // added to the text of the scene
	flags       string // of crowd render
	width       int    // pixels
	seconds     int    // 0 means a still picture
}

// exhibits are in the order of the page.
var exhibits = []exhibit{
	{"plaza", "gif", "", "They ignore one another.",
		"--agents 90000 --crop 208,210,236,226 --from 2s --hide targets --trails 0.8s --color heading --fps 14", 520, 4},
	{"plaza", "png", "plaza, a million people", "Density in a twelfth of the square.",
		"--agents 1000000 --heat=1 --crop 160,160,320,280 --at 5s", 900, 0},
	{"seek", "gif", "", "", "--trails 60 --fps 20", 440, 7},
	{"seek-kinematic", "gif", "", "", "--trails 60 --fps 20", 440, 6},
	{"flee", "gif", "", "", "--trails 60 --fps 20", 440, 6},
	{"arrival", "gif", "", "", "--trails 60 --fps 20", 440, 7},
	{"arrival-opposing", "gif", "", "", "--trails 2s --fps 20", 440, 6},
	{"arrival-damped", "gif", "", "", "--trails 2s --fps 20", 440, 6},
	{"avoidance", "gif", "", "", "--trails 60 --fps 20", 440, 7},
	{"avoidance-cocos", "gif", "", "", "--trails 200 --fps 20", 440, 8},
	{"tank-path", "gif", "", "Four times real time.", "--trails 12s --every 12 --fps 20", 440, 8},
	{"tank-flee", "gif", "", "", "--trails 4s --every 6 --fps 20", 440, 8},
	{"predators", "gif", "", "", "--crop 7,6,73,55 --color group --trails 1s --every 4 --fps 20", 440, 6},
	{"boids", "png", "", "Colors are directions.", "--at 10s --dark --color heading --trails 0.5s --hide legend", 900, 0},
	{"rvo-circle", "gif", "", "", "--crop=-90,-90,90,90 --from 90s --color heading --trails 4s --every 19 --fps 12 --hide targets", 440, 5},
	{"rvo-blocks", "gif", "", "", "--color group --trails 10s --every 25 --fps 12 --hide targets", 440, 6},
	{"antipodal", "gif", "", "The middle; colors are directions.", "--crop=-17,-17,17,17 --from 50s --color heading --every 24 --fps 7 --hide targets,legend", 360, 4},
	{"bottleneck", "gif", "", "Twelve times real time.", "--from 2s --every 30 --fps 12 --hide targets --trails 2s", 440, 6},
	{"crossing", "gif", "", "", "--crop=-15,-13,15,13 --from 96s --every 6 --fps 10 --hide targets --color heading", 440, 5},
	{"evacuation", "gif", "", "Thirty times real time; each color is a room.", "--from 1s --every 112 --fps 8 --hide targets --color group --hide legend", 960, 5},
	{"concert", "png", "", "Each color is a passage.", "--at 60s --hide targets", 900, 0},
	{"office", "png", "", "Floor colors show the time to an exit, as the distance walked freely in that time.", "--at 30s --field --hide targets", 900, 0},
	{"floors", "png", "", "Floor colors show the distance to an exit.", "--at 20s --field --hide targets", 900, 0},
	{"city", "png", "", "Density after 30 s.", "--at 30s --heat=4 --hide targets", 900, 0},
	{"maze", "png", "", "With trails of the last ten seconds.", "--at 20s --trails 10s --hide targets", 700, 0},
	{"siege", "gif", "", "Eight times real time.", "--from 16s --every 24 --fps 10 --hide targets,legend", 480, 9},
	{"leader", "gif", "", "", "--every 6 --fps 12 --hide targets,legend", 440, 8},
	{"hide", "gif", "", "", "--every 6 --fps 12 --hide targets,legend", 440, 8},
	{"queue", "gif", "", "", "--every 6 --fps 12 --hide targets,legend", 440, 7},
	{"formation", "gif", "", "", "--every 8 --fps 12 --hide targets,legend", 440, 8},
}

const maxExhibit = 1_000_000 // bytes of a file of the gallery

func (x *exhibit) file() string { return "gallery/" + x.scene + "." + x.kind }

func (x *exhibit) arguments(file string) []string {
	args := append([]string{"render", x.scene}, strings.Fields(x.flags)...)
	args = append(args, "--size", fmt.Sprint(x.width))
	if x.seconds > 0 {
		args = append(args, "--seconds", fmt.Sprint(x.seconds))
	}
	return append(args, "--out", file)
}

func (x *exhibit) draw(folder string, quiet bool, execute func(args []string) error) error {
	file := filepath.Join(folder, filepath.FromSlash(x.file()))
	args := x.arguments(file)
	if quiet {
		args = append(args, "--quiet")
	}
	if err := execute(args); err != nil {
		return err
	}
	return small(file)
}

func (x *exhibit) entry() string {
	s, err := scene.Named(x.scene)
	if err != nil {
		panic(err) // exhibits show only built-in scenes
	}
	title := cmp.Or(x.title, x.scene)
	return strings.TrimRight(fmt.Sprintf("\n## %s\n\n![%s](%s)\n\n%s. %s", title, title, x.file(), strings.ToUpper(s.Text[:1])+s.Text[1:], x.about), " ") + "\n"
}
