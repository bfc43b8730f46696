// Package elfcore reads core files of Linux, of 32 and 64 bits: those of the kernel (which
// systemd-coredump stores unchanged), of gdb's gcore and of QEMU's user emulation.
//
// A core has the facts of a minidump in another order: registers, memory, mappings. [Open] lays it
// out as a minidump. It builds the streams in memory and does not copy the captured memory: the
// layout is an io.ReaderAt that reads the core's segments on demand. So a core of 64 GB opens as
// fast as its program headers and notes are read.
//
// Memory that the core does not have is absent in the minidump, never zero. Damage costs the
// damaged part and becomes a note of [snapshot.Origin]. The package walks no stack and opens no
// library.
//
// Sources: System V ABI, "Object Files"; Linux, fs/binfmt_elf.c (elf_core_dump),
// include/linux/elfcore.h, include/uapi/linux/elf.h.
//
// Read this file first, then header.go, segment.go and note.go, which are the
// file; process.go and thread.go read the notes by the tables of machine.go;
// maps.go, linkmap.go, image.go and module.go find the modules; calls.go,
// altstack.go and arguments.go look into memory; streams.go and view.go lay all
// of it out as a minidump.
package elfcore

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"path"

	"crashglass/core/bin"
	"crashglass/core/minidump"
	"crashglass/core/snapshot"
)

// Open reads a core. It fails when the file is no core of Linux, or one of a
// CPU that is not known.
func Open(src bin.Source) (*snapshot.Snapshot, error) {
	c, err := read(src)
	if err != nil {
		return nil, err
	}
	view, err := c.view(true)
	if err != nil {
		return nil, err
	}
	f, err := minidump.Open(view)
	if err != nil {
		return nil, err
	}
	return &snapshot.Snapshot{File: f, Origin: c.origin()}, nil
}

// Options of a minidump that is made of a core.
type Options struct {
	// Full keeps all captured memory. Without it only the stacks and the code at each program
	// counter are kept.
	Full bool

	// BuildIDs has build IDs by file name, for modules without one in the core. Other programs do
	// not find a file by its name alone.
	BuildIDs map[string][]byte
}

// Minidump returns a core as the bytes of a minidump, for other programs. The notes say what is
// missing in it: damage of the core, and memory that was left out.
func Minidump(src bin.Source, opt Options) (view bin.Source, notes []error, err error) {
	c, err := read(src)
	if err != nil {
		return bin.Source{}, nil, err
	}
	for i := range c.modules {
		if m := &c.modules[i]; len(m.buildID) == 0 {
			m.buildID = opt.BuildIDs[path.Base(m.name)]
		}
	}
	view, err = c.view(opt.Full)
	return view, c.allNotes(), err
}

// A core is a core file that is being read.
type core struct {
	src     bin.Source
	order   binary.ByteOrder
	word    int // of an address, in bytes
	machine *machine
	head    header

	segments []segment // PT_LOAD, in the order of addresses
	inFile   uint64    // bytes of the file in all segments
	threads  []*thread // the one that crashed is first
	process  process
	auxv     []minidump.AuxValue
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

// maxNotes bounds the notes about one core.
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

// origin returns the facts of the core that have no stream in a minidump. A core has neither the
// CPU's model nor the number of CPUs, and the kernel's version only if the vDSO was captured.
// allNotes returns the notes, and last how many more there would be.
func (c *core) allNotes() []error {
	if c.more == 0 {
		return c.notes
	}
	return append(c.notes, &bin.Error{What: "core", Why: fmt.Sprintf("%d more defects are left out", c.more)})
}

func (c *core) origin() snapshot.Origin {
	lacks := snapshot.CPUModel | snapshot.CPUCount | snapshot.Places
	if c.kernel() == 0 {
		lacks |= snapshot.SystemVersion
	}
	writer := c.writer()
	if writer == "" {
		lacks |= snapshot.Writer
	}
	return snapshot.Origin{
		Kind: "ELF core", Table: "program headers", Size: c.src.Size(), Need: c.need, Writer: writer, Facts: c.facts(), Notes: c.allNotes(), Lacks: lacks,
		KernelSignal: c.process.signalInfo, Debugger: c.debugger(), Calls: c.calls(),
	}
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
