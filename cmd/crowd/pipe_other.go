//go:build !unix

package main

func catchBrokenPipe() {}
