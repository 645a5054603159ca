// Package results has the rows of a sweep, one a run: as JSON between machines, as CSV and columns
// in files, and in folders of processes that share a sweep without a server.
package results
