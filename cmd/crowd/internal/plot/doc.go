// Package plot draws charts of what other commands wrote. The content of a file decides what it is.
package plot
