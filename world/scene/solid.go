package scene

import c "github.com/8f878440/crowd/components"

// share is the codec of a part of a whole.
var share = number(limits{most: 1})

// defaultPush lets an overlap of two bodies shrink to a fifth in a step.
const defaultPush = 0.8

func solidKeys(b *c.Solid) []key {
	return []key{may("push", &b.Push, share, defaultPush, "share of its half of an overlap by which a body gives way in a step; 0: only obstacles are solid")}
}

// solids finds bodies that are solid and have no size.
func (l *linter) solids() {
	l.warn(has[c.Solid](l.Group) && l.Radius.Zero(), "solid agents have no radius, so that only their centers are held; add radius")
}
