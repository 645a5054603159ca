// Package report holds what a run prints: what happened in it, what it cost, and which agents
// cannot arrive at their goals, and why.
package report
