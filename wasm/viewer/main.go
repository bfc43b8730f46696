//go:build js && wasm

// Command viewer is the Go program in the page's worker: it takes dumps and
// symbol files, and answers what web/src/engine asks of them. Nothing of it
// can reach the network, and a test keeps it so.
//
// Read protocol.go first, which has the messages, then viewer.go; take.go takes
// files, analyse.go makes reports, views.go, stream.go and share.go answer for
// the page's views, give.go makes what is given away. indexes.go, remote.go and
// stores.go are about large and distant symbols, meter.go, patience.go and
// warm.go about time.
package main

import (
	"fmt"
	"os"

	"crashglass/wasm/internal/bridge"
)

// cached is how much of the files is kept in pages, all together.
const cached = 16 << 20

func main() {
	if err := bridge.Serve("crashglass", bridge.NewCache(cached), newViewer().handle); err != nil {
		fmt.Fprintln(os.Stderr, err) // the worker passes it on as the reason of its death
		os.Exit(1)
	}
	select {}
}
