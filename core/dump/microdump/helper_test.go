package microdump

import (
	"bytes"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// detail returns the facts of a microdump that have no stream.
func detail(p *process.Process) *Microdump { return p.Origin.Detail.(*Microdump) }
