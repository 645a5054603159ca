package view

import "fmt"

// What viewers may do beside looking, where the view allows it.
const (
	canPause = "pause" // time, and go on step by step
	canPace  = "pace"  // set how fast it goes
	canSeek  = "seek"  // go to any step
	canEdit  = "edit"  // obstacles, doors, and where agents go
	canTune  = "tune"  // parameters of the scene
	canStart = "start" // scenes, or the same one anew; and lead its pointer
)

// permissions say what must be allowed for a message to be heard.
var permissions = map[string]string{
	"pause": canPause, "step": canPause, "pace": canPace, "seek": canSeek,
	"goal": canEdit, "door": canEdit,
	"add": canEdit, "move": canEdit, "remove": canEdit, "set": canTune,
	"pointer": canStart, "restart": canStart, "seed": canStart, "agents": canStart, "scene": canStart, "cancel": canStart,
}

// allows reports whether viewers may do something. Only the goroutine that steps may ask,
// but for canStart.
func (s *simulation) allows(what string) bool {
	if s.locked {
		return false
	}
	switch what {
	case canPause:
		return s.steps != hostSteps
	case canPace:
		return s.steps == viewKeepsPace
	case canSeek:
		return s.steps == viewKeepsPace && s.scenes != nil
	case canTune:
		return s.scene != nil
	case canStart:
		return s.scenes != nil
	}
	return true
}

// allowed lists what viewers may do.
func (s *simulation) allowed() []string {
	all := []string{}
	for _, what := range []string{canPause, canPace, canSeek, canEdit, canTune, canStart} {
		if s.allows(what) {
			all = append(all, what)
		}
	}
	return all
}

// check returns an error for a message that asks for what viewers may not do.
func (s *simulation) check(a *asked) error {
	if what := permissions[a.Do]; what != "" && !s.allows(what) {
		return fmt.Errorf("%s: viewers may not do that here", a.Do)
	}
	return nil
}
