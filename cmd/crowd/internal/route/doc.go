// Package route plans the paths that scenarios of movingai.com ask for, and compares them with
// the published optimal lengths.
package route
