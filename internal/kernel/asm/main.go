// Command asm writes the kernels for amd64 by avo. It is a module of its own, so that nobody
// who uses crowd needs avo:
//
//	go generate ./internal/kernel
//
// Each kernel is a function here that follows the Go text of its rule line by line; its
// comment names that. The operands come in the order of the formula, and registers are
// given out by avo. All kernels are written once for each width.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"

	. "github.com/mmcloughlin/avo/build"
)

// kernels are those of each file.
var kernels = map[string][]func(lanes){
	"steer":     {seek, arrive, flee},
	"integrate": {integrate},
	"flock":     {flock, apart, separate, align, cohere},
	"orca":      {near, halfPlanes, hindering, worst},
	"sweep":     {aim, sift},
	"threat":    {threatened, avoid, touch, meet},
	"fetch":     {fetch, fetchRows},
	"within":    {stay, within},
}

// The range of lengths whose squares keep all bits, as in package vec.
const (
	minNorm  = 0x1p-480
	minNorm2 = minNorm * minNorm
	maxNorm2 = 0x1p960
)

func main() {
	file := flag.String("kernels", "", "file of kernels to write")
	flag.Parse()
	if kernels[*file] == nil {
		fmt.Fprintf(os.Stderr, "asm: -kernels %q: want one of %v\n", *file, slices.Sorted(maps.Keys(kernels)))
		os.Exit(2)
	}
	ConstraintExpr("!noasm")
	for _, write := range kernels[*file] {
		for _, l := range widths {
			write(l)
		}
	}
	Generate()
}
