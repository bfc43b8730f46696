package main

import (
	"crashglass/symbols/breakpad"
	"crashglass/wasm/internal/bridge"
)

// Browsers compile a function of WebAssembly twice: quickly at its first call, and with
// optimisation after it has run for a while. So the first dump of a session would take twice as
// long as later ones. The warm-up runs the same code before the first dump arrives, in short steps,
// so that a request never waits long.

// warm runs the code that the first dump will need and discards the result. It analyses the
// attached files or, without any, scans a made-up symbol file. The page gets the reports, because
// it warms up as well.
func (v *viewer) warm(files []bridge.File) (bridge.Answer, error) {
	result := &WarmResult{Opened: []Opened{}}
	if len(files) == 0 {
		return asJSON(result, breakpad.Warm())
	}
	unseen := newViewer()
	for _, d := range unseen.take(&TakeRequest{Next: 1}, files).Opened {
		r, err := unseen.report(&ReportRequest{Dump: d.Dump})
		if err != nil {
			return bridge.Answer{}, err
		}
		result.Opened = append(result.Opened, r.Opened...)
	}
	return asJSON(result, nil)
}
