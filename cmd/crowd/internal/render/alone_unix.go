//go:build unix

package render

import (
	"os/exec"
	"syscall"
)

// alone shields a command from a Ctrl-C in the terminal, which would end it before the last frame.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
