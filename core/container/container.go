// Package container opens a crash dump of any kind that Crashglass reads, and
// gives each as a [minidump.File]. Nothing behind it asks which kind it was,
// except to name the file.
package container

import (
	"crashglass/core/bin"
	"crashglass/core/elfcore"
	"crashglass/core/minidump"
)

// OpenAll opens every dump of a file: a minidump, an ELF core, or each
// microdump of a log.
func OpenAll(src bin.Source) ([]*minidump.File, error) {
	if !elfcore.Is(src) {
		return minidump.OpenAll(src)
	}
	f, err := elfcore.Open(src)
	if err != nil {
		return nil, err
	}
	return []*minidump.File{f}, nil
}
