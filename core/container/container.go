// Package container opens a file with crash dumps: a minidump, an ELF core, or a log with
// microdumps. Each dump becomes a [snapshot.Snapshot], so that nothing behind this package asks for
// the kind of file. It recognizes minidumps and cores by their first bytes, and searches other
// files for microdumps. It fails only for a file that has no readable dump. The readers are
// packages minidump, elfcore and microdump; archives are package symbols' business.
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

// StatedSize returns the size of a dump by its first bytes, or 0. A core is as large as its process
// and may be mostly zeros, so a large size is no sign of a decompression bomb.
func StatedSize(head []byte) int64 { return elfcore.StatedSize(head) }
