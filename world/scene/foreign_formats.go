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

// foreignFormats are tried in this order: see formats.Find. If any have the extension of the file, only
// those are tried, and the last of them reads a file that none of them recognizes.
var foreignFormats = []formats.Format{ground.Map, ground.Ways, ground.Area, vadere.Format, steerbench.Format, menge.Format, umans.Format, recorded.Format}
