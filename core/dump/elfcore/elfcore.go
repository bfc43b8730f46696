// Package elfcore reads and writes core files of Linux, of 32 and 64 bits: those of the kernel (which
// systemd-coredump stores unchanged), of gdb's gcore and of QEMU's user emulation.
//
// A core has the registers, mappings and memory of a process. [OpenAll] reads its program headers and
// notes, and the heads of modules in memory, but not the captured memory: that is read from the file
// on demand. So a core of 64 GB opens as fast as its headers are read.
//
// Memory that the core does not have is absent, never zero. Damage costs the damaged part and becomes
// a note of the process. The package walks no stack and opens no
// library.
//
// Sources: System V ABI, "Object Files"; Linux, fs/binfmt_elf.c (elf_core_dump),
// include/linux/elfcore.h, include/uapi/linux/elf.h.
//
// Read this file first, then header.go, segment.go and note.go, which are the
// file; process.go and thread.go read the notes by the tables of machine.go;
// maps.go, linkmap.go, image.go with table.go, program.go and module.go find the
// modules; arguments.go looks into memory; fill.go fills a [process.Process]
// with all of it.
package elfcore

import (
	"cmp"
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// OpenAll opens a core. It reports false for a file of another kind, and fails when the file is no core
// of Linux, or one of a CPU that is not known.
func OpenAll(src bin.Source) (list []*process.Process, found bool, err error) {
	if !Is(src) {
		return nil, false, nil
	}
	p, err := Open(src)
	if err != nil {
		return nil, true, err
	}
	return []*process.Process{p}, true, nil
}

// Open reads a core. It fails when the file is no core of Linux, or one of a
// CPU that is not known.
func Open(src bin.Source) (*process.Process, error) {
	c, err := read(src)
	if err != nil {
		return nil, err
	}
	return c.fill(), nil
}

type core struct {
	src     bin.Source
	order   binary.ByteOrder
	word    int // of an address, in bytes
	machine *machine
	head    header

	segments []segment // PT_LOAD, in the order of addresses
	inFile   uint64    // bytes of the file in all segments
	threads  []*thread // the one that crashed is first
	process  info
	auxv     []process.AuxValue
	files    []fileRange // NT_FILE, in the order of addresses
	modules  []image
	system   string // the system of the core, if it is not Linux
	open     string // what opens such a core; "" for debuggers

	lost    loss
	page    []byte // the buffer for the head of a module
	looked  int    // notes that were read
	inNotes uint64 // bytes of the file in all segments of notes
	need    int64  // the end of its last part
	notes   []error
	more    int // notes that were left out
}

func read(src bin.Source) (*core, error) {
	c := &core{src: src}
	if err := c.readHeader(); err != nil {
		return nil, fmt.Errorf("elfcore: %w", err)
	}
	c.readPrograms()
	if c.system != "" {
		return nil, fmt.Errorf("elfcore: this is a core file of %s, and only those of programs on Linux are read: open it with %s", c.system, cmp.Or(c.open, debuggers))
	}
	if c.machine == nil {
		return nil, fmt.Errorf("elfcore: %w", c.unknownMachine())
	}
	c.readModules()
	return c, nil
}

const maxNotes = 64

func (c *core) note(what string, off int64, format string, args ...any) {
	c.add(&bin.Error{What: what, Off: off, Why: fmt.Sprintf(format, args...)})
}

func (c *core) add(err error) {
	if len(c.notes) < maxNotes {
		c.notes = append(c.notes, err)
	} else {
		c.more++
	}
}

// allNotes returns the notes, and last how many more there would be.
func (c *core) allNotes() []error {
	if c.more == 0 {
		return c.notes
	}
	return append(c.notes, &bin.Error{What: "core", Why: fmt.Sprintf("%d more defects are left out", c.more)})
}

// debugger returns "gdb" if gdb wrote the core. gdb writes with BFD, which gives a core sections;
// the kernel writes a section only to count more than 65,534 segments.
func (c *core) debugger() string {
	if c.head.sections > 1 {
		return "gdb"
	}
	return ""
}

// writer names the program that wrote the core.
func (c *core) writer() string {
	switch {
	case c.debugger() != "":
		return c.debugger()
	case c.process.signalInfo && len(c.files) > 0:
		return "Linux kernel"
	}
	return ""
}
