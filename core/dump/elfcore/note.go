package elfcore

import (
	"bytes"
	"fmt"

	"crashglass/core/base/bin"
)

// Types of notes. Source: Linux, include/uapi/linux/elf.h.
const (
	noteStatus  = 1 // NT_PRSTATUS
	noteFloat   = 2 // NT_FPREGSET
	noteProcess = 3 // NT_PRPSINFO
	noteAuxv    = 6
	noteSignal  = 0x5349_4749 // NT_SIGINFO
	noteFiles   = 0x4649_4c45 // NT_FILE
	noteX86FX   = 0x46e6_2b7f // NT_PRXFPREG
	noteXState  = 0x202       // NT_X86_XSTATE, which begins as NT_PRXFPREG does
	noteShadow  = 0x204       // NT_X86_SHSTK: the shadow stack pointer
	noteARMVFP  = 0x400
	noteARMTLS  = 0x401
	noteARMPAC  = 0x406 // NT_ARM_PAC_MASK
	noteARMTags = 0x409 // NT_ARM_TAGGED_ADDR_CTRL
	noteARMGCS  = 0x410 // NT_ARM_GCS, whose third word is the shadow stack pointer (struct user_gcs)
)

const (
	noteHead = 12 // sizeof(Elf64_Nhdr), which is that of Elf32_Nhdr

	// mostNotes bounds the notes of a core that are read: a thread has ten at most.
	mostNotes = 1 << 20

	// mostNoteBytes bounds one note. That of files takes some 100 bytes for a
	// mapping.
	mostNoteBytes = 64 << 20

	// mostState is the size of the longest register set that is copied to a context.
	mostState = 1 << 10

	// maxThreads bounds the list; pid_max is 4,194,304, and no process comes near.
	maxThreads = 1 << 16
)

// wanted lists the notes that are read, with the maximum size of each.
var wanted = map[uint32]int64{
	noteStatus: mostState, noteFloat: mostState, noteProcess: mostState, noteAuxv: block, noteSignal: mostState, noteFiles: mostNoteBytes,
	noteX86FX: mostState, noteXState: xsaveEnd, noteARMVFP: mostState, noteARMTLS: mostState, noteARMPAC: mostState, noteARMTags: mostState,
	noteShadow: mostState, noteARMGCS: mostState,
}

// A noteReader iterates over the notes of one segment. It reads the file in blocks, because each
// thread has some ten notes of a few hundred bytes.
type noteReader struct {
	c       *core
	at, end int64
	start   int64 // of the block
	data    []byte
}

// readNotes reads the notes of a PT_NOTE.
func (c *core) readNotes(p program) {
	c.needs(addClipped(p.off, p.have))
	r := noteReader{c: c, at: int64(p.off), end: c.src.Size()}
	if !c.src.Has(r.at, p.have) {
		c.add(&bin.Error{What: "notes", Off: r.at, Beyond: true,
			Why: fmt.Sprintf("%d bytes reach beyond the end of the file at %#x", p.have, c.src.Size())})
	} else {
		r.end = r.at + int64(p.have)
	}
	if c.inNotes = addClipped(c.inNotes, uint64(max(r.end-r.at, 0))); c.inNotes > uint64(c.src.Size()) {
		c.note("notes", r.at, "the segments of notes up to this one have %d bytes together, the file has %d", c.inNotes, c.src.Size())
		return // segments share them
	}
	for ; r.at < r.end && r.next(); c.looked++ {
		if c.looked >= mostNotes {
			c.note("notes", r.at, "more than %d notes are not looked at", mostNotes)
			return
		}
	}
}

// next reads one note, and reports whether there may be another.
func (r *noteReader) next() bool {
	at := r.at
	head := r.bytes(at, noteHead)
	if head == nil {
		r.c.note("note", at, "need %d bytes, have %d", noteHead, max(0, r.end-at))
		return false
	}
	cursor := bin.NewOrderedCursor("note", at, head, r.c.order)
	nameSize, size, kind := int64(cursor.U32()), int64(cursor.U32()), cursor.U32()
	if nameSize == 0 && size == 0 && kind == 0 {
		return false // what pads a segment
	}
	descAt := at + noteHead + aligned(nameSize)
	r.at = descAt + aligned(size)
	if descAt+size > r.end {
		r.c.note("note", at, "%d bytes of name and %d of contents exceed the %d bytes of notes that are left", nameSize, size, r.end-at-noteHead)
		size = r.end - descAt
	}
	if size < 0 || nameSize > 64 {
		return size >= 0
	}
	r.read(string(bytes.TrimRight(r.bytes(at+noteHead, nameSize), "\x00")), kind, descAt, size)
	return true
}

// aligned returns a size with its padding. The kernel aligns to 4 on all CPUs.
func aligned(n int64) int64 { return (n + 3) &^ 3 }

// otherNotes are the names of notes in cores of other systems.
var otherNotes = []struct{ prefix, system, open string }{
	{"FreeBSD", "FreeBSD", debuggers}, {"NetBSD-CORE", "NetBSD", debuggers}, {"OpenBSD", "OpenBSD", debuggers}, {"QNX", "QNX", debuggers},
	{"VMCOREINFO", "the Linux kernel itself", "crash"}, {"QEMU", "a virtual machine", "crash"},
	{"XEN CORE", "a Xen guest", "crash"}, {"Xen", "a Xen guest", "crash"},
}

// debuggers has the programs that open cores of other systems.
const debuggers = "lldb or gdb"

// noteSolaris is NT_PSTATUS, which is in every core of Solaris.
const noteSolaris = 10

func (r *noteReader) read(name string, kind uint32, at, size int64) {
	for _, o := range otherNotes {
		if bytes.HasPrefix([]byte(name), []byte(o.prefix)) {
			r.c.system, r.c.open = o.system, o.open
			return
		}
	}
	most := wanted[kind]
	switch {
	case name == "CORE" && kind == noteSolaris:
		r.c.system = "Solaris"
	case name != "CORE" && name != "LINUX":
	case most > 0:
		r.c.readNote(kind, bin.NewOrderedCursor(noteNames[kind], at, r.bytes(at, min(size, most)), r.c.order))
	}
}

var noteNames = map[uint32]string{
	noteStatus: "NT_PRSTATUS", noteFloat: "NT_FPREGSET", noteProcess: "NT_PRPSINFO", noteAuxv: "NT_AUXV", noteSignal: "NT_SIGINFO",
	noteFiles: "NT_FILE", noteX86FX: "NT_PRXFPREG", noteXState: "NT_X86_XSTATE", noteARMVFP: "NT_ARM_VFP", noteARMTLS: "NT_ARM_TLS",
	noteARMPAC: "NT_ARM_PAC_MASK", noteARMTags: "NT_ARM_TAGGED_ADDR_CTRL", noteShadow: "NT_X86_SHSTK", noteARMGCS: "NT_ARM_GCS",
}

// bytes returns n bytes of the notes, or nil when there are fewer.
func (r *noteReader) bytes(at, n int64) []byte {
	if at < 0 || n < 0 || at+n > r.end {
		return nil
	}
	if at < r.start || at+n > r.start+int64(len(r.data)) {
		data, err := r.c.src.Read("notes", at, uint64(min(max(n, block), r.end-at)))
		if err != nil {
			r.c.add(err)
			r.end = at
			return nil
		}
		r.start, r.data = at, data
	}
	skip := at - r.start
	return r.data[skip : skip+n : skip+n]
}

// readNote reads one note. A register note belongs to the thread of the last NT_PRSTATUS.
func (c *core) readNote(kind uint32, n *bin.Cursor) {
	switch kind {
	case noteStatus:
		c.readStatus(n)
	case noteProcess:
		c.readProcess(n)
	case noteAuxv:
		c.readAuxv(n)
	case noteFiles:
		c.readFiles(n)
	case noteSignal:
		c.readSignal(n)
	default:
		c.readState(kind, n)
	}
	if err := n.Err(); err != nil {
		c.add(err)
	}
}
