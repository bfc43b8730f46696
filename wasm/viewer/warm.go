package main

import (
	"crashglass/symbols/breakpad"
	"crashglass/wasm/internal/bridge"
)

// Browsers compile a function of WebAssembly when it is called first, badly
// and fast, and well only after it has run for a while, beside the work. So the
// first dump of a session would take twice the time of any later one. Between
// the start of the page and that first dump there is nothing to do, which is
// when the work is done once for nobody, in steps that keep nobody waiting.

// warm goes through what the first dump will need, and forgets it: with the
// files that come with the request or, without any, through the scan of a symbol
// file. The page gets the reports, because it has to prepare itself as well.
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
