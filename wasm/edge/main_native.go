//go:build !js

package main

import (
	"fmt"
	"os"
)

// A Worker runs on its platform only. This file lets the package build, and its tests run,
// everywhere.
func main() {
	fmt.Fprintln(os.Stderr, "edge is a Cloudflare Worker: build it with GOOS=js GOARCH=wasm, or run ./build.sh edge")
	os.Exit(2)
}
