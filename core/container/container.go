// Package container opens a crash dump of any kind that Crashglass reads, and
// gives each as a [snapshot.Snapshot]. It is the one place that knows all kinds.
package container

import (
	"crashglass/core/bin"
	"crashglass/core/elfcore"
	"crashglass/core/microdump"
	"crashglass/core/minidump"
	"crashglass/core/snapshot"
)

// OpenAll opens every dump of a file: a minidump, an ELF core, or each
// microdump of a log.
func OpenAll(src bin.Source) ([]*snapshot.Snapshot, error) {
	if elfcore.Is(src) {
		s, err := elfcore.Open(src)
		if err != nil {
			return nil, err
		}
		return []*snapshot.Snapshot{s}, nil
	}
	f, err := minidump.Open(src)
	if err == nil {
		return []*snapshot.Snapshot{snapshot.Of(f)}, nil
	}
	if out, found, logErr := microdump.OpenAll(src); found {
		return out, logErr
	}
	return nil, err
}

// StatedSize is how large a dump is by its first bytes, or 0. A core is as large
// as its process and may be mostly zeros, so that its size is no sign of a
// decompression bomb.
func StatedSize(head []byte) int64 { return elfcore.StatedSize(head) }
