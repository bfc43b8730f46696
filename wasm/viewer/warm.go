package main

import "crashglass/symbols/formats/breakpad"

// Browsers compile a function of WebAssembly twice: quickly at its first call, and with
// optimisation after it has run for a while. So the first dump of a session would take twice as
// long as later ones. The warm-up runs the same code before the first dump arrives, in short steps,
// so that a request never waits long.

// warm runs the code that the first dump will need and discards the result. It analyses the
// attached files or, without any, scans a made-up symbol file. The page gets the reports, because
// it warms up as well.
func (c *call) warm(*WarmRequest) (*WarmResult, error) {
	result := &WarmResult{Opened: []Opened{}}
	if len(c.files) == 0 {
		return result, breakpad.Warm()
	}
	unseen := call{viewer: newViewer(), files: c.files}
	if _, err := unseen.openFiles(&OpenRequest{Next: 1}); err != nil {
		return nil, err
	}
	for _, d := range unseen.dumps {
		unseen.dump = d
		r, err := unseen.report(&ReportRequest{})
		if err != nil {
			return nil, err
		}
		result.Opened = append(result.Opened, r.Opened...)
	}
	for _, d := range unseen.dumps {
		d.release()
	}
	return result, nil
}
