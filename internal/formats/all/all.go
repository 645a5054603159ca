// Package all lists the formats of other programs that are read.
package all

import (
	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/formats/ground"
	"github.com/8f878440/crowd/internal/formats/menge"
	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/formats/steerbench"
	"github.com/8f878440/crowd/internal/formats/umans"
	"github.com/8f878440/crowd/internal/formats/vadere"
)

// Formats are in the order in which they are tried: of those with the ending of a file, the last reads it if it begins
// like none.
var Formats = []formats.Format{ground.Map, ground.Ways, ground.Area, vadere.Format, steerbench.Format, menge.Format, umans.Format, recorded.Format}

// Kinds names them.
const Kinds = "a file of SteerBench, UMANS, Menge or Vadere, WKT, a map of movingai.com, or a recording of people"
