//go:build !js

// Command crowd runs, measures and draws crowds.
package main

import "github.com/8f878440/crowd/cmd/crowd/command"

func main() { command.Main() }
