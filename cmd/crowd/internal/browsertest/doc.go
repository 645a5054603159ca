// Package browsertest tests in a browser the pages that the command serves: the live view
// and the status of a sweep. Its tests have the build tag e2e and need Chromium.
package browsertest
