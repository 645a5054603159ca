// Package experiment runs experiments that were made with people, with agents in their place, and
// measures where people walked, recorded or simulated, in the terms of the field.
package experiment
