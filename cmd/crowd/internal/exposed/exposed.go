// Package exposed warns of addresses that other machines reach.
package exposed

import (
	"net"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// Warn prints one line, in quiet work too, if other machines reach an address that
// is listened at: what that means, and how to serve safely. That is on this machine
// alone, which a flag followed by the port asks for.
func Warn(e *console.Console, at net.Addr, what, flag string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return
	}
	terminal.Fprintf(e.Err, "crowd: warning: %s. Where you do not trust the network run it with %s%d, and reach it by ssh -L %[3]d:127.0.0.1:%[3]d HOST or by a TLS proxy.\n",
		what, flag, tcp.Port)
}
