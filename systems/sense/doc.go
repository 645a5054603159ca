// Package sense has the snapshots that rules look into: Obstacles and Neighbors, each
// as of the start of the step. Put them into a frame; the systems of the frame find
// them there. Their methods may be called from any worker and allocate nothing.
package sense
