package scene

import (
	"path/filepath"

	"github.com/8f878440/crowd/internal/formats/wkt"
)

// wktKey is a key for obstacles in the form of the area in which people can walk. It is last of
// the keys of obstacles, and adds to those of the others. What is written again are walls and
// polygons.
func wktKey(o *Obstacles) key {
	var source string
	k := bind("wkt", &source, text, "the area in which people can walk, in well-known text, or the name of a file with it, beside this one: POLYGON, MULTIPOLYGON or a GEOMETRYCOLLECTION of these, m; its edge becomes walls, and its holes polygons")
	k.read = func(r *reader, n *node) { r.area(n, o) }
	k.isReset = func() bool { return true }
	return k
}

// area reads an area, and adds the obstacles around it.
func (r *reader) area(n *node, o *Obstacles) {
	var a *wkt.Area
	var err error
	switch before := len(r.faults); {
	case wkt.Begins([]byte(text.read(r, n))):
		a, err = wkt.Parse(n.text)
	case len(r.faults) > before:
		return
	case r.file == "":
		r.wrong(n, "WKT: this scene is no file, beside which another could be")
		return
	default:
		path := filepath.Join(filepath.Dir(r.file), filepath.FromSlash(n.text))
		if err = r.allow(path); err == nil {
			a, err = wkt.Read(r.ctx, path)
		}
		if err == nil {
			r.files = append(r.files, path)
		}
	}
	if err != nil {
		r.fault(n.offset, "%s is %s: %v", r.at(), n.describe(), err)
		return
	}
	o.around(a)
	for _, note := range a.Notes {
		r.unread = append(r.unread, fault{n.offset, r.at() + ": " + note})
	}
}
