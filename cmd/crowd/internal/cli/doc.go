// Package cli holds what the commands of crowd share: where they write, progress, styles and
// tables for terminals, usage errors, signals, completion, numbers for people to read, limits
// of memory, and profiles.
package cli
