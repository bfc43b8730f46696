package elf

import (
	"bytes"
	"fmt"
	"sync"
)

// Attach joins a file that belongs to this one, so that both answer as one: the file with the debug
// information of a stripped program (Links().Debug), the file that dwz wrote (Links().Supplement),
// or a .dwo or .dwp file with split units. It must come before the first question. The other file
// must not be used on its own afterwards.
//
// It fails when the build ids show that the files do not belong together.
func (f *File) Attach(other *File) error {
	switch links := f.links(); {
	case links.Supplement.Valid && other.isNamed(links.Supplement):
		other.supplement = true
	case other.has(splitInfo):
		// Units are tied to each other by ids of their own.
	case len(f.buildID) > 0 && len(other.buildID) > 0 && !bytes.Equal(f.buildID, other.buildID):
		return fmt.Errorf("elf: build id %x is not %x", other.buildID, f.buildID)
	case f.h.machine != other.h.machine || f.h.is64 != other.h.is64 || f.h.order != other.h.order:
		return fmt.Errorf("elf: machine %d is not %d", other.h.machine, f.h.machine)
	}
	f.attached = append(f.attached, other)
	f.forget()
	return nil
}

// links returns the links of this file, or of a file that was attached before: dwz may have
// processed the debug file of a program.
func (f *File) links() Links {
	l := f.Links()
	for _, file := range f.attached {
		if more := file.Links(); !l.Supplement.Valid {
			l.Supplement = more.Supplement
		}
	}
	return l
}

// isNamed reports whether a link names this file.
func (f *File) isNamed(l Link) bool {
	return len(f.buildID) > 0 && fmt.Sprintf("%x", f.buildID) == l.ID
}

// forget discards everything that was read on demand.
func (f *File) forget() {
	f.names = sync.OnceValue(f.readSymbols)
	f.stubs = sync.OnceValue(f.readStubs)
	f.info = sync.OnceValue(f.openDebugInfo)
	f.frames = sync.OnceValue(f.openFrames)
	f.vtabs = sync.OnceValue(f.readVtables)
}
