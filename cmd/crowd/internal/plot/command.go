package plot

// Command is crowd plot.
type Command struct {
	Files Options `cmd:"" default:"withargs" help:"Draw curves and histograms of what run, score and bench wrote (the default)."`
	Sweep Sweep   `cmd:"" help:"Draw what axes do in a sweep, and which points no other beats."`
}

// Help shows what can be drawn.
func (Command) Help() string { return Help() }
