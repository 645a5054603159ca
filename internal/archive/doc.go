// Package archive writes plain values and reads them again: bools, numbers, strings,
// entities, and arrays, slices and structs of these. One list of values serves both
// directions. What it writes is the same on every machine: little-endian, int and uint as 64 bits, field by
// field, so that neither the gaps within a struct nor its address matter.
//
// The values stand in named blocks, each with its length and a checksum. [Write] begins
// a stream and [Read] reads one; it takes no more memory than the stream has bytes, and what has been
// changed or cut off is an error that names the block and where it is.
package archive
