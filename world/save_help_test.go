package world_test

import (
	"encoding/binary"
	"fmt"
)

// block is one of a saved world.
type block struct {
	name       string
	from, body int
	data       []byte
}

// blocksOf cuts a saved world into its blocks.
func blocksOf(file []byte) (all []block) {
	for at := 16; at < len(file); {
		b := block{from: at}
		size := int(binary.LittleEndian.Uint64(file[at:]))
		n := int(binary.LittleEndian.Uint16(file[at+8:]))
		b.body = at + 14 + n
		b.name = string(file[at+14 : b.body])
		b.data = file[b.body : b.body+size]
		at = b.body + size + 4
		all = append(all, b)
	}
	return all
}

// firstDifference says where two saved worlds differ.
func firstDifference(got, want []byte) string {
	g, w := blocksOf(got), blocksOf(want)
	for i := range min(len(g), len(w)) {
		if g[i].name != w[i].name {
			return fmt.Sprintf("block %d: got=%s, want=%s", i, g[i].name, w[i].name)
		}
		for k := range max(len(g[i].data), len(w[i].data)) {
			if k >= len(g[i].data) || k >= len(w[i].data) || g[i].data[k] != w[i].data[k] {
				return fmt.Sprintf("block %s: byte %d of %d and %d", g[i].name, k, len(g[i].data), len(w[i].data))
			}
		}
	}
	return fmt.Sprintf("%d and %d blocks", len(g), len(w))
}
