//go:build safe

package column

const copies = true // Load copies the rows
