package main

import (
	"fmt"
	"net"

	"github.com/8f878440/crowd/cmd/crowd/internal/console"
	"github.com/8f878440/crowd/cmd/crowd/internal/terminal"
)

// loopback tells whether only this machine reaches an address that is listened at.
func loopback(at net.Addr) bool {
	tcp, ok := at.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// warn prints one line about the safety of what was asked for, in quiet work too.
func warn(e *console.Console, text string) {
	terminal.Fprintf(e.Err, "crowd: warning: %s\n", text)
}

// tunnel says how to serve safely what is listened at beyond loopback: on this
// machine alone, which a flag followed by the port asks for.
func tunnel(at net.Addr, flag string) string {
	port := at.(*net.TCPAddr).Port
	return fmt.Sprintf("Where you do not trust the network run it with %s%d, and reach it by ssh -L %[2]d:127.0.0.1:%[2]d HOST or by a TLS proxy.", flag, port)
}
