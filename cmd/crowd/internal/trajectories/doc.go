// Package trajectories writes where agents were, step by step, in the formats of other programs,
// with the walkable area of the scene.
package trajectories
