// Package browsertest tests the command's web pages in a browser: the live view, the static website, and the
// status page of a sweep. Its tests have the build tag e2e and need Chromium or Chrome.
package browsertest
