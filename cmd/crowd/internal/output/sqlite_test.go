//go:build !js

package output_test

import _ "modernc.org/sqlite" // the driver of databases
