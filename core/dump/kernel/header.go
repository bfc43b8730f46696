package kernel

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

var (
	order  = binary.LittleEndian
	absent = []byte("PAGE") // Windows fills the header with it before it writes the fields
)

// absent32 is an absent field of four bytes.
const absent32 = 0x4547_4150

// Types of dumps. Source: DUMP_TYPE_* of rizin's dmp_specs.h; 6 and above: kdmp-parser-rs, src/structs.rs.
const (
	fullDump     = 1
	triageDump   = 4
	kernelRanges = 8
	userRanges   = 9
	allRanges    = 10
)

var typeNames = [...]string{
	fullDump: "complete memory dump", 2: "kernel memory dump", 3: "header only", triageDump: "small memory dump", 5: "complete or active memory dump",
	6: "kernel memory dump", 7: "automatic memory dump", kernelRanges: "kernel memory dump", userRanges: "kernel and user memory dump", allRanges: "complete memory dump",
}

// contextOf returns the context of a CPU by its number in PE images, or nil.
func contextOf(machine uint32) *cpu.Layout {
	switch machine {
	case 0x14c:
		return &cpu.ContextX86
	case 0x8664:
		return &cpu.ContextAMD64
	case 0xaa64:
		return &cpu.ContextARM64
	}
	return nil
}

// A layout has the offsets of a header's fields.
type layout struct {
	magic                                            string
	word                                             int
	size                                             int64
	root, modules, machine, code, parameters, debug  int64
	runs, firstRun, context, contextEnd, kind, space int64
	time, uptime, comment, product                   int64
}

// layouts are DUMP_HEADER64 and DUMP_HEADER32. Sources as in the package's comment, and crash.json and crash64.json of volatility3.
var layouts = []layout{
	{
		magic: "PAGEDU64", word: 8, size: 0x2000, root: 0x10, modules: 0x20, machine: 0x30, code: 0x38, parameters: 0x40, debug: 0x80,
		runs: 0x88, firstRun: 0x98, context: 0x348, contextEnd: 0xf00, kind: 0xf98, space: 0xfa0, time: 0xfa8, uptime: 0x1030, comment: 0xfb0, product: 0x1040,
	},
	{
		magic: "PAGEDUMP", word: 4, size: 0x1000, root: 0x10, modules: 0x18, machine: 0x20, code: 0x28, parameters: 0x2c, debug: 0x60,
		runs: 0x64, firstRun: 0x6c, context: 0x320, contextEnd: 0x7d0, kind: 0xf88, space: 0xfa0, time: 0xfc0, uptime: 0xfb8, comment: 0x820, product: 0xf94,
	},
}

// paeAt is the offset of PaeEnabled in 32-bit headers.
const paeAt = 0x5c

// layoutOf returns the layout of a signature, or nil.
func layoutOf(magic []byte) *layout {
	for i := range layouts {
		if string(magic) == layouts[i].magic {
			return &layouts[i]
		}
	}
	return nil
}

// A header is the header of a dump. Absent fields are 0.
type header struct {
	Build, Machine, Processors        uint32
	Type                              uint32
	PageTables                        uint64
	PAE                               bool
	ModuleList, ProcessList           uint64
	DebuggerData                      uint64
	BugCheck                          uint32
	Parameters                        [4]uint64
	Runs                              []Run
	RequiredSpace, SystemTime, UpTime uint64
	ProductType, Suite                uint32
	Comment                           string

	layout  *layout
	context []byte
}

// A Run is consecutive physical pages.
type Run struct{ First, Count uint64 }

func (l *layout) read(src bin.Source) (*header, error) {
	data, err := src.Read("header", 0, uint64(l.size))
	if err != nil {
		return nil, err
	}
	d := fields{data, l.word}
	h := &header{
		layout: l, Build: d.u32(0xc), Machine: d.u32(l.machine), Processors: d.u32(l.machine + 4), Type: d.u32(l.kind),
		PageTables: d.address(l.root), ModuleList: d.address(l.modules), ProcessList: d.address(l.modules + int64(l.word)), DebuggerData: d.address(l.debug),
		BugCheck: d.u32(l.code), RequiredSpace: d.u64(l.space), SystemTime: d.u64(l.time), UpTime: d.u64(l.uptime),
		ProductType: d.u32(l.product), Suite: d.u32(l.product + 4), context: data[l.context:l.contextEnd],
	}
	h.PAE = l.word == 4 && data[paeAt] == 1
	for i := range h.Parameters {
		h.Parameters[i] = d.address(l.parameters + int64(i*l.word))
	}
	if text := data[l.comment:][:128]; !bytes.HasPrefix(text, absent) {
		h.Comment = bin.Text(text)
	}
	h.Runs = d.runs(l)
	return h, nil
}

// fields are the bytes of a structure with absent fields.
type fields struct {
	data []byte
	word int
}

func (d fields) u32(at int64) uint32 {
	if v := order.Uint32(d.data[at:]); v != absent32 {
		return v
	}
	return 0
}

// u64 is absent if both halves are.
func (d fields) u64(at int64) uint64 {
	if v := order.Uint64(d.data[at:]); v != absent32<<32|absent32 {
		return v
	}
	return 0
}

// address reads an address, without the sign that 32-bit ones may have.
func (d fields) address(at int64) uint64 {
	if d.word == 4 {
		return uint64(d.u32(at))
	}
	return d.u64(at)
}

// runs reads PHYSICAL_MEMORY_DESCRIPTOR, whose buffer has 700 bytes.
func (d fields) runs(l *layout) (out []Run) {
	const buffer = 700
	most := (buffer - (l.firstRun - l.runs)) / int64(2*l.word)
	for i := range min(int64(d.u32(l.runs)), most) {
		at := l.firstRun + i*int64(2*l.word)
		out = append(out, Run{d.address(at), d.address(at + int64(l.word))})
	}
	return out
}

// versions are the versions of Windows by their lowest builds. Source: Microsoft, "Operating System Version".
var versions = []struct {
	build   uint32
	version string
}{{10240, "10.0"}, {9600, "6.3"}, {9200, "6.2"}, {7600, "6.1"}, {6000, "6.0"}, {3790, "5.2"}, {2600, "5.1"}, {2195, "5.0"}}

func (h *header) system() *process.System {
	s := &process.System{OS: process.Windows, Name: process.Windows.Name()}
	for _, v := range versions {
		if h.Build >= v.build {
			s.Version = fmt.Sprintf("%s.%d", v.version, h.Build)
			s.Raw = s.Version + " "
			break
		}
	}
	if h.Processors > 0 {
		n := h.Processors
		s.CPUs = &n
	}
	return s
}

// The unit of FILETIME, and the seconds from its origin, 1601, to 1970.
const (
	perSecond = 10_000_000
	to1970    = 11_644_473_600
)

// time returns when the dump was written, in seconds since 1970.
func (h *header) time() uint32 {
	if s := h.SystemTime / perSecond; s > to1970 && s-to1970 < 1<<32 {
		return uint32(s - to1970)
	}
	return 0
}

// uptime returns the seconds since the start of the system, nil when unknown.
func (h *header) uptime() *uint64 {
	if h.UpTime == 0 {
		return nil
	}
	s := h.UpTime / perSecond
	return &s
}

// annotations are facts that a report has no field for.
func (h *header) annotations() []process.Annotation {
	out := []process.Annotation{{Name: "kind of dump", Value: fmt.Sprint("type ", h.Type), Source: "header"}}
	if h.Type > 0 && h.Type < uint32(len(typeNames)) {
		out[0].Value = typeNames[h.Type]
	}
	if h.Comment != "" {
		out = append(out, process.Annotation{Name: "comment", Value: h.Comment, Source: "header"})
	}
	return out
}
