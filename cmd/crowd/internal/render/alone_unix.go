//go:build unix

package render

import (
	"os/exec"
	"syscall"
)

// alone shields a command from Ctrl-C in the terminal, so that it still receives the last frame.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
