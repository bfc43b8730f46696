//go:build !js

package main

import (
	"fmt"
	"os"
)

// The program runs in a worker only. This file lets the package build, and its tests run,
// everywhere.
func main() {
	fmt.Fprintln(os.Stderr, "viewer runs in a browser: build it with GOOS=js GOARCH=wasm, or run ./build.sh serve; on a terminal use crashglass")
	os.Exit(2)
}
