package command

import (
	"context"

	"github.com/8f878440/crowd/cmd/crowd/internal/cli"
	"github.com/8f878440/crowd/cmd/crowd/internal/verify"
)

// verifyCmd repeats experiments with people.
type verifyCmd struct{ verify.Options }

func (verifyCmd) Help() string {
	return `Suites:

    juelich    people through gates of 0.5, 0.7 and 1.0 m, as recorded, and through doors
    diagram    speed at a density: in a corridor, in a closed loop, in single file
    throng     how smoothly people walk in a throng, against one another and past
    rimea      the tests of the RiMEA guideline
    nist       those of NIST Technical Note 1822

A figure that real people miss as well is printed in yellow, and counts as expected.
The exit code is 1 if any other is not as expected. docs/verification.md says how each is
defined, and where it comes from.

With --model all people walk by each of the models in turn, and one table has the
figures of all. It compares, and so the exit code is 0 whatever they are.

Examples:

    crowd verify --short
    crowd verify diagram --short --out diagram.png
    crowd verify juelich --data RECORDINGS --seeds 20
    crowd verify diagram --model social-force-2000
    crowd verify all --model all --short
    crowd verify throng --short --json`
}

func (c *verifyCmd) Run(ctx context.Context, e *cli.Console) error {
	return c.Options.Run(ctx, e)
}
