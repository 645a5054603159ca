// Package catalog says what there is to know of a behavior beside its component,
// its rule and its tests. An [Entry] is that for one behavior: its name, its
// parameters with their units and limits, what it needs and adds, what it does, and
// how its system is made. What completes, checks, reads, writes, tunes and explains
// behaviors goes over a list of entries, and knows none of them by name.
//
// The entries of the behaviors of this module stand beside their rules, in package
// systems. A host adds entries of its own with world.Config.Behaviors.
package catalog
