package microdump

import (
	base16 "encoding/hex"
	"math"
	"strconv"
	"strings"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// records has the reader of each kind of record, by its letter.
var records = map[byte]func(m *micro, off int64, text string){
	'V': func(m *micro, _ int64, text string) { m.Product = unless(text, "UNKNOWN:0.0.0.0") },
	'P': func(m *micro, _ int64, text string) { m.ProcessType = unless(text, "UNKNOWN") },
	'O': (*micro).readSystem,
	'R': (*micro).readReason,
	'G': (*micro).readGPU,
	'H': (*micro).readSpace,
	'S': (*micro).readStack,
	'C': (*micro).readContext,
	'M': (*micro).readModule,
}

// unless returns a text, or "" when it is the writer's word for unknown.
func unless(text, unknown string) string {
	if text == unknown {
		return ""
	}
	return text
}

// cutWords splits a text into n words and the rest; missing ones are "".
func cutWords(text string, n int) (list []string, rest string) {
	for range n {
		word, after, _ := strings.Cut(strings.TrimLeft(text, " "), " ")
		list, text = append(list, word), after
	}
	return list, strings.TrimLeft(text, " ")
}

// hexWords records the first word that is none, and then returns nothing.
func (m *micro) hexWords(off int64, kind string, list ...string) ([]uint64, bool) {
	var out []uint64
	for _, word := range list {
		v, err := strconv.ParseUint(word, 16, 64)
		if err != nil {
			m.note(off, "%s: %q is no number in hex", kind, brief(word))
			return nil, false
		}
		out = append(out, v)
	}
	return out, true
}

func brief(text string) string {
	const most = 60
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// maxMicroText is the longest text of a record with names: the longest path on Linux.
const maxMicroText = 4096

func (m *micro) clip(off int64, text string) string {
	if len(text) <= maxMicroText {
		return text
	}
	m.note(off, "%d bytes are more than a line of this kind has; the rest of it is left out", len(text))
	return strings.ToValidUTF8(text[:maxMicroText], "")
}

// microSystems and microProcessors map the writer's words, kOSId and kArch.
var (
	microSystems    = map[string]process.System{"A": {OS: process.Android, Name: "Android"}, "L": {OS: process.Linux, Name: "Linux"}}
	microProcessors = map[string]minidump.Processor{
		"x86": minidump.ProcessorX86, "x86_64": minidump.ProcessorAMD64, "arm": minidump.ProcessorARM, "arm64": minidump.ProcessorARM64,
		"mips": minidump.ProcessorMIPS, "mips64": minidump.ProcessorMIPS64, "riscv32": minidump.ProcessorRISCV, "riscv64": minidump.ProcessorRISCV64,
	}
)

// readSystem reads "A arm 08 armv8l fingerprint": the system, the CPU of the process, the number of
// CPUs, the name of the machine, and the build of the system.
func (m *micro) readSystem(off int64, text string) {
	w, build := cutWords(m.clip(off, text), 4)
	system, ok := microSystems[w[0]]
	if !ok {
		m.note(off, "the operating system %q is not known", brief(w[0]))
		system.Name = "unknown"
	}
	if processor, ok := microProcessors[w[1]]; ok {
		m.arch, m.processor = processor.Arch(), &minidump.SystemInfo{Processor: processor}
	} else {
		m.note(off, "the CPU %q is not known", brief(w[1]))
	}
	system.Version, system.Raw = build, build
	m.Machine, m.Build = w[3], build
	if n, ok := m.hexWords(off, "number of CPUs", w[2]); ok && n[0] > 0 {
		count := uint32(min(n[0], math.MaxUint8))
		system.CPUs = &count
	}
	m.system = &system
}

// genericSignals are the signals with another number on mips than in asm-generic/signal.h. Readers
// of dumps use the generic number, and the name is right on both.
var genericSignals = map[string]uint32{"SIGBUS": 7, "SIGSYS": 31}

// readReason reads "0000000B SIGSEGV 00000008".
func (m *micro) readReason(off int64, text string) {
	w, _ := cutWords(text, 3)
	v, ok := m.hexWords(off, "crash reason", w[0], w[2])
	if !ok {
		return
	}
	m.signal, m.Signal, m.address = uint32(v[0]), w[1], v[1]
	if n, differs := genericSignals[w[1]]; differs {
		m.signal = n
	}
}

// readGPU reads "version|vendor|renderer".
func (m *micro) readGPU(_ int64, text string) {
	parts := append(strings.SplitN(unless(text, "UNKNOWN"), "|", 3), "", "")
	m.GPU = process.GPU{Version: parts[0], Vendor: parts[1], Renderer: parts[2]}
}

// readSpace reads "low high holes largest total" and drops the histogram that
// follows.
func (m *micro) readSpace(off int64, text string) {
	w, _ := cutWords(text, 5)
	if v, ok := m.hexWords(off, "free space", w...); ok {
		m.Space = &FreeSpace{Low: v[0], High: v[1], Holes: v[2], Largest: v[3], Total: v[4]}
	}
}

// readStack reads "0 sp base size", the first line of the stack, or one of its
// pieces, "address bytes". Logs lose lines when a process writes too many.
func (m *micro) readStack(off int64, text string) {
	w, rest := cutWords(text, 1)
	if w[0] == "0" {
		w, _ = cutWords(rest, 3)
		if v, ok := m.hexWords(off, "stack", w...); ok {
			m.sp, m.stackSize, m.stackAt = v[0], v[2], off
		}
		return
	}
	v, ok := m.hexWords(off, "stack", w[0])
	if !ok {
		return
	}
	data := m.hexBytes(off, "stack", rest)
	if n := len(m.stack); n > 0 && m.stack[n-1].base+uint64(len(m.stack[n-1].data)) == v[0] {
		m.stack[n-1].data = append(m.stack[n-1].data, data...)
		return
	}
	if len(data) > 0 {
		m.stack = append(m.stack, chunk{v[0], data})
	}
}

// readContext reads the registers: the bytes of a minidump's context. A context of amd64 does not
// fit into the writer's line, and is truncated within the vector registers.
func (m *micro) readContext(off int64, text string) {
	m.context, m.contextAt = m.hexBytes(off, "registers", text[:len(text)&^1]), off
}

// hexBytes reads bytes in hex, up to the first character that is none.
func (m *micro) hexBytes(off int64, kind, text string) []byte {
	data := make([]byte, len(text)/2)
	n, err := base16.Decode(data, []byte(text[:2*len(data)]))
	switch {
	case err != nil:
		m.note(off, "%s: byte %d is %q, no number in hex; the rest of the line is left out", kind, n, text[2*n:2*n+2])
	case len(text)%2 == 1:
		m.note(off, "%s: the line ends in half a byte, after %d", kind, n)
	}
	return data[:n]
}

// readModule reads "base offset size id name". The name may have spaces; the
// id is a GUID and an age, and made of the first 16 bytes of the build id.
func (m *micro) readModule(off int64, text string) {
	w, name := cutWords(m.clip(off, text), 4)
	name = strings.TrimSuffix(name, " (deleted)") // the kernel's mark for a deleted file
	v, ok := m.hexWords(off, "module", w[:3]...)
	if !ok {
		return
	}
	if v[2] > math.MaxUint32 {
		m.note(off, "module %s has the impossible size %#x", brief(name), v[2])
		return
	}
	id, ok := minidump.ParseDebugID(w[3])
	if !ok {
		m.note(off, "module %s: %q is no identifier", brief(name), brief(w[3]))
	}
	m.modules = append(m.modules, module.Module{Base: v[0], Size: v[2], CodeFile: name, DebugFile: name, DebugID: id.DebugID()})
}
