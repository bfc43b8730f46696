//go:build !js

package main

import (
	"fmt"
	"os"
)

// A Worker has nothing to do outside of its platform; this keeps the package
// one that builds and is tested everywhere.
func main() {
	fmt.Fprintln(os.Stderr, "edge is a Cloudflare Worker: build it with GOOS=js GOARCH=wasm, or run ./build.sh edge")
	os.Exit(2)
}
