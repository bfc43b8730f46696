package microdump

import (
	"bytes"

	"crashglass/core/bin"
	"crashglass/core/snapshot"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// detail returns the facts of a microdump that have no stream.
func detail(s *snapshot.Snapshot) *Microdump { return s.Origin.Detail.(*Microdump) }
