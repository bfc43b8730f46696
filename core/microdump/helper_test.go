package microdump

import (
	"bytes"

	"crashglass/core/bin"
	"crashglass/core/snapshot"
)

func source(data []byte) bin.Source {
	return bin.NewSource(bytes.NewReader(data), int64(len(data)))
}

// detail is what a microdump says beyond its streams.
func detail(s *snapshot.Snapshot) *Microdump { return s.Origin.Detail.(*Microdump) }
