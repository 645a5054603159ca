// Package output writes the files that a command makes. A file appears under its name when it
// is complete. It also locks files, and reads and writes lines with checksums.
package output
