package scene

import c "github.com/8f878440/crowd/components"

// solids finds bodies that are solid and have no size.
func (l *linter) solids() {
	l.warn(has[c.Solid](l.Group) && l.Radius.Zero(), "solid agents have no radius, so that only their centers are held; add radius")
}
