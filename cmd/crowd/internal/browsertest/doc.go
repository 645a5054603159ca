// Package browsertest tests the pages that the command serves in a browser: the live view and the status of a
// sweep. Its tests have the build tag e2e and need Chromium.
package browsertest
