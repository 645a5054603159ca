// Package world is a crowd that is ready to run: an arche world with all
// systems in a frame, spawning in batches, stepping, arrival, hashing.
//
// New makes a world of its own, Attach joins the world of a host. A host that
// wants only some of the systems, or its own order, makes a frame.Frame
// instead.
package world
