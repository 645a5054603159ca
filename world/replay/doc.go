// Package replay records what comes to a crowd from outside, and runs it again.
//
// A recording has inputs, each with the step before which it happened, the hash of the crowd after every
// step, and a saved state every so often. As a step has the same bits on every machine and
// for any number of workers, a replay either gives the same hashes, or the first step that gives another one is
// where something differs: the program, or what reached the crowd in another way than as an input.
// [Compare] then finds the agent and the component.
//
// A recording is written block by block, each with a checksum. One that is cut off anywhere, because the
// program was killed, is good up to its last whole block.
package replay
