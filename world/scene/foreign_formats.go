//go:build !js

package scene

import (
	"github.com/8f878440/crowd/internal/formats"
	"github.com/8f878440/crowd/internal/formats/ground"
	"github.com/8f878440/crowd/internal/formats/menge"
	"github.com/8f878440/crowd/internal/formats/recorded"
	"github.com/8f878440/crowd/internal/formats/steerbench"
	"github.com/8f878440/crowd/internal/formats/umans"
	"github.com/8f878440/crowd/internal/formats/vadere"
)

// foreignFormats are tried in this order. If none recognizes the start of a file, the last one with
// the file's extension reads it.
var foreignFormats = []formats.Format{ground.Map, ground.Ways, ground.Area, vadere.Format, steerbench.Format, menge.Format, umans.Format, recorded.Format}
