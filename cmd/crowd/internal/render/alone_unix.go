//go:build unix

package render

import (
	"os/exec"
	"syscall"
)

// alone keeps a Ctrl-C in the terminal from a command, which would end before it
// has the last frame.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
