//go:build js && wasm

// Command viewer is the Go program in the page's worker: it takes dumps and symbol files, and
// answers the requests of web/src/engine. No linked package can reach the network; a test ensures
// it.
//
// Read operations.go first, which has the table of requests, then protocol.go, which has their
// types, and viewer.go. open.go opens files and closes dumps, analyse.go makes reports; stream.go and
// share.go answer the page's views; capsule.go makes slices and capsules. indexes.go and remote.go
// handle large and remote symbols.
package main

import (
	"fmt"
	"os"

	"crashglass/wasm/internal/bridge"
)

// cached is the size of the page cache of all files together.
const cached = 16 << 20

func main() {
	if err := bridge.Serve("crashglass", bridge.NewCache(cached), newViewer().handle); err != nil {
		fmt.Fprintln(os.Stderr, err) // the worker reports it as the reason of its end
		os.Exit(1)
	}
	select {}
}
