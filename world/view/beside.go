package view

import "gonum.org/v1/gonum/spatial/r2"

// Beside is a second crowd that is shown among the agents on the clock of the world, such as
// people who were recorded. Nothing in the world sees them.
type Beside struct {
	Name   string  // of the recording
	People int     // of all times
	Radius float64 // m, of each
	Box    r2.Box  // m, where they ever are
	End    float64 // s, on the clock of the world: a scene that ends goes on until then

	// At hands everybody to show who is there at a time of the world in seconds: where it is,
	// and in which direction it goes; 0: it stands. It must be quick, and give the same for
	// the same time.
	At func(t float64, show func(at, ahead r2.Vec))
}

// besideMessage tells viewers of them.
type besideMessage struct {
	Name   string     `json:"name"`
	People int        `json:"people"`
	Radius float64    `json:"radius"`
	Box    [4]float64 `json:"box"`
}

// message returns what viewers are told of them; nil: nobody is there.
func (b *Beside) message() *besideMessage {
	if b == nil {
		return nil
	}
	return &besideMessage{b.Name, b.People, b.Radius, [4]float64{b.Box.Min.X, b.Box.Min.Y, b.Box.Max.X, b.Box.Max.Y}}
}

// count returns how many are there at a time; nil: nobody ever is.
func (b *Beside) count(t float64) *int {
	if b == nil {
		return nil
	}
	n := 0
	b.At(t, func(_, _ r2.Vec) { n++ })
	return &n
}

// goesOn reports whether somebody is still to be seen after a time.
func (b *Beside) goesOn(t float64) bool { return b != nil && t < b.End }

// walker is one of them, at the time of a snapshot.
type walker struct{ at, ahead r2.Vec }

// captureBeside takes who is there.
func (s *simulation) captureBeside(to *snapshot) {
	to.beside = to.beside[:0]
	if to.layers&layerBeside != 0 {
		s.beside.At(to.time, func(at, ahead r2.Vec) { to.beside = append(to.beside, walker{at, ahead}) })
	}
}

// beside writes those in the window: where they are, and in which direction they go.
func (f *frames) beside(s *snapshot, box r2.Box, full func() bool) {
	for _, w := range s.beside {
		if !(w.at.X >= box.Min.X && w.at.X <= box.Max.X && w.at.Y >= box.Min.Y && w.at.Y <= box.Max.Y) {
			continue
		}
		if full() {
			return
		}
		f.point(w.at, box.Min)
		f.point(w.ahead, r2.Vec{})
	}
}
