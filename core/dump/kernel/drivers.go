package kernel

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf16"

	"crashglass/core/dump/minidump"
	"crashglass/core/process/module"
)

// A Driver is a loaded driver. The kernel and its libraries are listed, too.
type Driver struct {
	Name            string
	Base            uint64
	Size            uint32
	CheckSum, Stamp uint32 // of the PE header; Stamp is a hash in reproducible builds

	hashed bool // it is known to be one
}

const mostDrivers = 1 << 12

// driverSize is the size of an entry of a triage dump: the name's offset and KLDR_DATA_TABLE_ENTRY, as rizin's dmp_specs.h has
// it (dmp_driver_entry64, dmp_driver_entry32).
func driverSize(word int) int {
	if word == 4 {
		return 0x4c
	}
	return 0x90
}

// An entry has the offsets in KLDR_DATA_TABLE_ENTRY.
type entry struct{ base, size, fullName, baseName, checkSum, stamp int64 }

var entries = [...]entry{
	4: {base: 0x18, size: 0x20, fullName: 0x24, baseName: 0x2c, checkSum: 0x40, stamp: 0x44},
	8: {base: 0x30, size: 0x40, fullName: 0x48, baseName: 0x58, checkSum: 0x78, stamp: 0x80},
}

func (r *reader) readDrivers() {
	var list []Driver
	if t := r.detail.Triage; t != nil {
		list = r.triageDrivers(t)
	} else {
		list = r.loadedDrivers()
	}
	r.detail.Drivers = list
	var modules []module.Module
	for i := range list {
		d := &list[i]
		m := module.Module{Base: d.Base, Size: uint64(d.Size), CodeFile: d.Name}
		if d.Stamp != 0 || d.Size != 0 {
			m.CodeID = fmt.Sprintf("%08x%x", d.Stamp, d.Size)
		}
		d.hashed = r.identify(&m)
		modules = append(modules, m)
	}
	r.SetModules(modules)
}

func (r *reader) triageDrivers(t *triage) (out []Driver) {
	size := driverSize(r.word)
	data := r.rows("driver list", int64(t.Drivers), uint64(t.DriverCount), mostDrivers, size)
	e := entries[r.word]
	for ; len(data) >= size; data = data[size:] {
		d := fields{data[r.word:], r.word}
		name, err := r.text(order.Uint32(data))
		r.Note(err)
		out = append(out, Driver{Name: name, Base: d.address(e.base), Size: d.u32(e.size), CheckSum: d.u32(e.checkSum), Stamp: d.u32(e.stamp)})
	}
	return out
}

// loadedDrivers follows PsLoadedModuleList, a ring of entries.
func (r *reader) loadedDrivers() (out []Driver) {
	head := cmp.Or(r.head.ModuleList, r.debug.modules)
	seen := map[uint64]bool{head: true}
	e := entries[r.word]
	at, ok := r.pointer(head)
	for ok && !seen[at] && len(out) < mostDrivers {
		seen[at] = true
		b := make([]byte, 0xa0)
		if n := r.Memory.Read(at, b); int64(n) < e.stamp+4 {
			break
		}
		d := fields{b, r.word}
		name := cmp.Or(r.unicode(at+uint64(e.fullName)), r.unicode(at+uint64(e.baseName)))
		out = append(out, Driver{Name: name, Base: d.address(e.base), Size: d.u32(e.size), CheckSum: d.u32(e.checkSum), Stamp: r.listedStamp(d)})
		at = d.address(0)
	}
	switch {
	case !ok:
		r.Odd("driver list", fmt.Sprintf("the list at %#x is not in the dump", head))
	case at != head:
		r.Odd("driver list", fmt.Sprintf("is cut behind %d drivers: the next one, at %#x, is not in the dump or was listed before", len(out), at))
	}
	for i := range out {
		if stamp, sum, ok := r.stamp(out[i].Base); ok {
			out[i].Stamp, out[i].CheckSum = stamp, sum
		}
	}
	return out
}

func (r *reader) pointer(at uint64) (uint64, bool) { return r.Memory.Word(at, r.word) }

// unicode reads the text of a UNICODE_STRING: its length in bytes, its capacity and its address. "" is none.
func (r *reader) unicode(at uint64) string {
	n, _ := r.Memory.Word(at, 2)
	text, ok := r.pointer(at + uint64(r.word))
	if !ok {
		return ""
	}
	b := make([]byte, min(n, 1<<10))
	return wide(b[:r.Memory.Read(text, b)])
}

// wide decodes UTF-16 up to a zero.
func wide(b []byte) string {
	var units []uint16
	for ; len(b) >= 2; b = b[2:] {
		v := order.Uint16(b)
		if v == 0 {
			break
		}
		units = append(units, v)
	}
	return string(utf16.Decode(units))
}

// Offsets in PE headers. Source: PE Format.
const (
	peOffset  = 0x3c
	peStamp   = 8
	peSum     = 24 + 64
	peDebug64 = 24 + 112 + 6*8
	peDebug32 = 24 + 96 + 6*8
	debugType = 12
	codeView  = 2

	reproducible = 16
)

// image returns the address of the PE header of an image in memory, or 0.
func (r *reader) image(base uint64) uint64 {
	magic, _ := r.Memory.Word(base, 2)
	at, ok := r.Memory.Word(base+peOffset, 4)
	if sign, _ := r.Memory.Word(base+at, 4); magic != 0x5a4d || !ok || sign != 0x4550 {
		return 0
	}
	return base + at
}

// listedStamp is the time stamp in an entry of the kernel's list: 64-bit Windows 10 and later have it there. Source: symbols of
// ntkrnlmp.pdb, _KLDR_DATA_TABLE_ENTRY.
func (r *reader) listedStamp(d fields) uint32 {
	const windows10, at = 10240, 0x9c
	if r.word == 4 || r.head.Build < windows10 {
		return 0
	}
	return d.u32(at)
}

// stamp reads the time stamp and the checksum of an image in memory.
func (r *reader) stamp(base uint64) (stamp, sum uint32, ok bool) {
	pe := r.image(base)
	v, _ := r.Memory.Word(pe+peStamp, 4)
	n, ok := r.Memory.Word(pe+peSum, 4)
	return uint32(v), uint32(n), ok && pe != 0
}

// identify reads the debug record of an image in memory, which names its PDB. It reports whether the time stamp is a hash.
func (r *reader) identify(m *module.Module) (hashed bool) {
	pe := r.image(m.Base)
	if pe == 0 {
		return false
	}
	r.sections(m, pe)
	at := pe + peDebug32
	if r.isPE32Plus(pe) {
		at = pe + peDebug64
	}
	dir, _ := r.Memory.Word(at, 4)
	size, _ := r.Memory.Word(at+4, 4)
	for i := uint64(0); i < min(size/28, 16); i++ {
		row := m.Base + dir + i*28
		kind, _ := r.Memory.Word(row+debugType, 4)
		hashed = hashed || kind == reproducible
		if kind != codeView {
			continue
		}
		n, _ := r.Memory.Word(row+16, 4)
		rva, _ := r.Memory.Word(row+20, 4)
		b := make([]byte, min(n, 24+1<<10))
		b = b[:r.Memory.Read(m.Base+rva, b)]
		if cv, err := minidump.ReadCodeView(b); err == nil {
			m.DebugFile, m.DebugID = cv.File, cv.DebugID()
		}
	}
	return hashed
}

func (r *reader) isPE32Plus(pe uint64) bool {
	magic, _ := r.Memory.Word(pe+24, 2)
	return magic == 0x20b
}

// sections reads which parts of an image in memory are code.
func (r *reader) sections(m *module.Module, pe uint64) {
	const size, executable = 40, 0x2000_0000
	count, _ := r.Memory.Word(pe+6, 2)
	optional, _ := r.Memory.Word(pe+20, 2)
	b := make([]byte, min(count, 96)*size) // the loader's limit
	if count == 0 || r.Memory.Read(pe+24+optional, b) < len(b) {
		return
	}
	m.Code = &module.Parts{}
	for ; len(b) >= size; b = b[size:] {
		if order.Uint32(b[36:])&executable != 0 {
			*m.Code = append(*m.Code, module.Part{Start: uint64(order.Uint32(b[12:])), Size: uint64(order.Uint32(b[8:]))})
		}
	}
}

func (r *reader) readUnloaded() {
	if t := r.detail.Triage; t != nil && t.Unloaded != 0 {
		r.triageUnloaded(t)
	} else if r.debug.unloaded != 0 {
		r.memoryUnloaded()
	}
	for _, d := range r.detail.Unloaded {
		r.Unloaded = append(r.Unloaded, module.Module{Base: d.Base, Size: uint64(d.Size), CodeFile: d.Name})
	}
}

const (
	mostUnloaded = 64 // Windows remembers 50
	unloadedName = 12 // characters
)

// triageUnloaded reads DUMP_UNLOADED_DRIVERS: a name of up to 12 characters, start and end. Source: DUMP_UNLOADED_DRIVERS64 of
// Windows' triage dumps, checked with dumps of Windows 10; in 32-bit ones all addresses have four bytes.
func (r *reader) triageUnloaded(t *triage) {
	at, size := int64(t.Unloaded), 4*r.word+2*unloadedName
	head, err := r.src.Read("unloaded drivers", at, uint64(r.word))
	if err != nil {
		r.Note(err)
		return
	}
	count := fields{head, r.word}.address(0)
	if r.word == 8 {
		count &= 0xffff_ffff
	}
	data := r.rows("unloaded drivers", at+int64(r.word), count, mostUnloaded, size)
	for ; len(data) >= size; data = data[size:] {
		d := fields{data, r.word}
		name := wide(data[2*r.word:][:min(int(order.Uint16(data)), 2*unloadedName)])
		start, end := d.address(int64(2*r.word+2*unloadedName)), d.address(int64(3*r.word+2*unloadedName))
		r.addUnloaded(name, start, end)
	}
}

func (r *reader) addUnloaded(name string, start, end uint64) {
	if start != 0 && end > start && end-start < 1<<32 {
		r.detail.Unloaded = append(r.detail.Unloaded, Driver{Name: strings.TrimRight(name, "\x00"), Base: start, Size: uint32(end - start)})
	}
}

// memoryUnloaded reads MmUnloadedDrivers, a pointer to 50 records: UNICODE_STRING, start, end, time. Source: UNLOADED_DRIVERS,
// volatility3, framework/plugins/windows/unloadedmodules.py.
func (r *reader) memoryUnloaded() {
	list, ok := r.pointer(r.debug.unloaded)
	for i := 0; ok && i < 50; i++ {
		at := list + uint64(i*(4*r.word+8))
		start, _ := r.pointer(at + uint64(2*r.word))
		end, have := r.pointer(at + uint64(3*r.word))
		if !have {
			return
		}
		r.addUnloaded(r.unicode(at), start, end)
	}
}
