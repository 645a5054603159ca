// Package view shows a world to browsers: any number of viewers, each of which sees the
// part of the plane and the colors that it asks for, and may look into an agent, change
// obstacles, and steer what runs.
//
// A host that has a world.World of its own puts a [View] of it behind an address, and
// keeps its loop:
//
//	live := view.New(crowd, view.Options{Name: "harbor"})
//	go http.ListenAndServe("127.0.0.1:8040", live)
//	for running {
//		err := live.Step() // in place of crowd.Step
//		…
//	}
//
// Or it lets the view step the world, by [View.Run]. [NewScenes] is for a program whose
// viewers choose what is shown, as the command does.
//
// The goroutine that steps owns the world. After a step that somebody waits for
// it copies what there is to see into a snapshot, which no one writes again until
// all have let go of it. Each viewer's own goroutine makes its frames of the
// newest snapshot, and waits for its own network. So a slow viewer slows neither
// the simulation nor the others, and holds one frame in memory.
//
// docs/view.md describes the protocol.
package view
