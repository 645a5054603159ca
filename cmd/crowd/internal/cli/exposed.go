package cli

import (
	"net"
)

// WarnExposed prints one line, in quiet work too, if other machines reach an address that
// is listened at: what that means, and how to serve safely. That is on this machine
// alone, which a flag followed by the port asks for.
func WarnExposed(e *Console, at net.Addr, what, flag string) {
	tcp, ok := at.(*net.TCPAddr)
	if !ok || tcp.IP.IsLoopback() {
		return
	}
	Fprintf(e.Err, "crowd: warning: %s. Where you do not trust the network run it with %s%d, and reach it by ssh -L %[3]d:127.0.0.1:%[3]d HOST or by a TLS proxy.\n",
		what, flag, tcp.Port)
}
