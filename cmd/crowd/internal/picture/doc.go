// Package picture draws a crowd: agents as discs in the color of their speed, heading or group, or
// their density as a heat map, with obstacles, goals, doors and trails, as PNG or SVG. A Camera
// takes the pictures of a world.
package picture
