// Package run does the steps of a scene and measures them, scores many scenes, and saves a run so
// that another process can continue it.
package run
