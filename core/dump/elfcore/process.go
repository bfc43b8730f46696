package elfcore

import (
	"bytes"
	"fmt"
	"strings"

	"crashglass/core/base/bin"
	"crashglass/core/process"
)

// An info has the facts of notes that are not about one thread.
type info struct {
	id         uint32 // 0 when unknown
	name       string // of the program, its first 15 bytes
	line       string // the command line, its first 79 bytes
	signalInfo bool   // there is an NT_SIGINFO
}

// Sizes of the texts of struct elf_prpsinfo, ELF_PRARGSZ among them.
const (
	psName = 16
	psArgs = 80
)

// readProcess reads struct elf_prpsinfo from its end, because the user numbers in front of the
// process's number have 2 bytes on some CPUs and 4 on others.
//
// Source: Linux, include/uapi/linux/elfcore.h.
func (c *core) readProcess(n *bin.Cursor) {
	const ids = 4 * 4 // pr_pid, pr_ppid, pr_pgrp, pr_sid
	n.Skip(max(0, n.Len()-psArgs-psName-ids))
	id := n.U32()
	n.Skip(ids - 4)
	name, line := n.Bytes(psName), n.Bytes(psArgs)
	if n.Err() == nil {
		c.process.id, c.process.name, c.process.line = id, untilNUL(name), strings.TrimRight(untilNUL(line), " ")
	}
}

func untilNUL(b []byte) string {
	text, _, _ := bytes.Cut(b, []byte{0})
	return strings.ToValidUTF8(string(text), "\ufffd")
}

// Types of the auxiliary vector. Source: Linux, include/uapi/linux/auxvec.h.
const (
	auxPrograms = 3 // AT_PHDR
	auxEntries  = 5 // AT_PHNUM
	auxLinker   = 7 // AT_BASE
	auxEntry    = 9
	auxFile     = 31
	auxVDSO     = 33 // AT_SYSINFO_EHDR
)

// readAuxv reads pairs of words up to a zero.
func (c *core) readAuxv(n *bin.Cursor) {
	if len(c.auxv) > 0 { // a process has one
		return
	}
	for n.Len() >= 2*c.word {
		a := process.AuxValue{Type: address(n, c.word), Value: address(n, c.word)}
		if a.Type == 0 {
			break
		}
		c.auxv = append(c.auxv, a)
	}
}

// aux returns a value of the auxiliary vector, 0 if it is not there.
func (c *core) aux(kind uint64) uint64 {
	for _, a := range c.auxv {
		if a.Type == kind {
			return a.Value
		}
	}
	return 0
}

// A fileRange is a mapping of a file in NT_FILE.
type fileRange struct {
	start, end uint64
	offset     uint64 // in the file, in bytes
	name       string
}

// readFiles reads NT_FILE: a count and the size of a page, a start, an end and
// an offset in pages for each mapping, and then the names.
//
// Source: Linux, fs/binfmt_elf.c, fill_files_note.
func (c *core) readFiles(n *bin.Cursor) {
	at := n.Offset()
	count, page := address(n, c.word), address(n, c.word)
	record := 3 * c.word
	if fit := uint64(n.Len() / record); count > fit {
		c.note("NT_FILE", at, "count %d exceeds the %d that fit", count, fit)
		count = fit
	}
	c.files = make([]fileRange, count)
	for i := range c.files {
		c.files[i] = fileRange{start: address(n, c.word), end: address(n, c.word), offset: address(n, c.word) * page}
	}
	for i := range c.files {
		name, rest, ok := bytes.Cut(n.Rest(), []byte{0})
		if !ok {
			n.Fail("the names of %d files are missing", len(c.files)-i)
			c.files = c.files[:i]
			break
		}
		c.files[i].name = mappedName(name)
		if i > 0 && c.files[i].name == c.files[i-1].name {
			c.files[i].name = c.files[i-1].name // a file has some five mappings
		}
		n.Skip(n.Len() - len(rest))
	}
	byAddress(c.files, func(f *fileRange) uint64 { return f.start })
}

// mappedName returns the name of a mapped file without the kernel's mark for a deleted file.
func mappedName(name []byte) string {
	return strings.TrimSuffix(strings.ToValidUTF8(string(name), "\ufffd"), " (deleted)")
}

// facts returns values of the first thread that are neither registers nor memory.
func (c *core) facts() (out []process.Annotation) {
	if len(c.threads) == 0 {
		return nil
	}
	for _, f := range factPlaces {
		b := c.threads[0].state[f.note]
		if f.machine != c.head.machine || len(b) < 8*(f.word+1) {
			continue
		}
		if v := c.order.Uint64(b[8*f.word:]); v != 0 || f.note != noteStatus {
			out = append(out, process.Annotation{Name: f.name, Value: fmt.Sprintf("%#x", v), Source: "core"})
		}
	}
	return out
}

// factPlaces are the offsets of facts in notes. Those in NT_PRSTATUS count from the registers on.
var factPlaces = []struct {
	machine uint16
	note    uint32
	name    string
	word    int
}{
	{62, noteStatus, "thread pointer (fs_base)", 21}, {62, noteStatus, "gs_base", 22},
	{183, noteARMTLS, "thread pointer (TLS)", 0}, {183, noteARMPAC, "pointer authentication mask of data", 0},
	{183, noteARMPAC, "pointer authentication mask of code", 1}, {183, noteARMTags, "tagged address control", 0},
}
