//go:build safe

package systems

const safeBuild = true
