// Package crowdtest holds the behaviors and systems of a host to what those of this module
// are held to. One call in a test does it:
//
//	func TestSwim(t *testing.T) { crowdtest.Behavior(t, swim) }
//
// It makes small crowds of agents with the behavior, among obstacles, with values that are
// drawn within the limits of the entry, and reports as errors of the test:
//
//   - other bits for another number of workers, another size of batches, or another order of
//     the rows;
//   - what the system writes and does not declare, and what it writes of agents that it does
//     not work on;
//   - a system that passes over agents that have all that the entry needs, or panics for them;
//   - a system that replaces the force in Steering in place of adding to it, or whose force is not in
//     proportion to its gain, or is in proportion to the length of the step;
//   - positions, velocities, headings and forces that are not finite, and NaN in any component, from agents at
//     one place, and from places and speeds as small and as large as there are;
//   - laws of the entry that do not hold (see [catalog.Law]), and laws that hold and that the
//     entry does not name;
//   - a behavior that does nothing;
//   - defaults that are beyond the limits of their parameters;
//   - what is kept from one step to the next outside components, and not named in the State of
//     the entry;
//   - steps that [world.World.Explain] does not foretell;
//   - other bits after [world.World.Save] and [world.World.Restore];
//   - what a step of length 0 changes.
//
// An error names the agent, what it has and what is wanted. The crowds are the same in each
// run. With the build tag safe the memory that a step allocates is not looked at, nor what it
// writes to columns that it declares as read: there these are copies.
package crowdtest
