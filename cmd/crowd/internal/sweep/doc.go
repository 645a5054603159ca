// Package sweep runs scenes under many parameters and seeds, in processes that do not take it
// down, and makes a table of what happened.
package sweep
