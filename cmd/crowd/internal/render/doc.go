// Package render draws a crowd as a picture or an animation, in GIF, APNG or MP4, beside recorded
// people if asked, and draws the gallery of the documentation.
package render
