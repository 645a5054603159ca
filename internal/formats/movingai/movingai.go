// Package movingai reads the maps and scenarios of movingai.com, the benchmarks for finding
// ways over grids: octile maps (.map), and lists of ways with the lengths of the shortest ones
// over the grid (.scen). Files may be gzipped.
//
// Source: N. Sturtevant, "Benchmarks for grid-based pathfinding", IEEE Transactions on
// Computational Intelligence and AI in Games, 2012; the format is described at
// movingai.com/benchmarks/formats.html.
package movingai

import "github.com/8f878440/crowd/internal/textio"

// Limits of what is read, so that a few bytes can't ask for much memory.
const (
	maxCells = 1 << 24 // of a map, also of one that is scaled
	maxSide  = 1 << 16 // cells
)

var limits = textio.Limits{Bytes: 1 << 28, Line: maxSide + 64}
