//go:build !js

package main

import (
	"fmt"
	"os"
)

// The program has nothing to do outside of a worker; this keeps the package
// one that builds and is tested everywhere.
func main() {
	fmt.Fprintln(os.Stderr, "viewer runs in a browser: build it with GOOS=js GOARCH=wasm, or run ./build.sh serve; on a terminal use crashglass")
	os.Exit(2)
}
