// Package browsertest tests pages of the command in a browser: the live view, the static website, and the
// status of a sweep. Its tests have the build tag e2e and need Chromium.
package browsertest
