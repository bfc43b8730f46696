package write

import (
	"encoding/binary"
	"unicode/utf16"

	"crashglass/core/dump/minidump"
	"crashglass/core/dump/minidump/format"
	"crashglass/core/process"
)

// SystemInfo writes stream 7.
func (w *Writer) SystemInfo(s *minidump.SystemInfo) {
	var csd uint32
	if s.CSDVersion != "" {
		csd = w.Text(s.CSDVersion)
	}
	e := w.encoder()
	e.u16(uint16(s.Processor), s.Level, s.Revision)
	e.u8(s.Processors, byte(s.ProductType))
	e.u32(s.Major, s.Minor, s.Build, uint32(s.Platform), csd)
	e.u16(s.SuiteMask, 0)
	e.u8(s.CPU[:]...)
	w.Stream(minidump.SystemInfoStream, e.b)
}

// Threads writes stream 3. The caller has put stacks and contexts into the file before.
func (w *Writer) Threads(list []minidump.Thread) {
	e := w.encoder()
	e.u32(uint32(len(list)))
	for i := range list {
		e.thread(&list[i])
	}
	w.Stream(minidump.ThreadListStream, e.b)
}

func (e *encoder) thread(t *minidump.Thread) {
	e.u32(t.ID, t.Suspend, t.PriorityClass, t.Priority)
	e.u64(t.TEB, t.Stack.Base)
	e.location(t.Stack.Location)
	e.location(t.Context)
}

// Modules writes stream 4, and the names and debug records that it points to.
func (w *Writer) Modules(list []minidump.ModuleRecord) {
	e := w.encoder()
	e.u32(uint32(len(list)))
	for i := range list {
		m := &list[i]
		e.u64(m.Base)
		e.u32(m.Size, m.Checksum, uint32(m.TimeStamp), w.Text(m.Name))
		e.version(&m.Version)
		e.location(w.Put(w.codeView(&m.CodeView)))
		e.location(w.Put(w.debugMisc(m.DebugFile)))
		e.u64(0, 0) // reserved
	}
	w.Stream(minidump.ModuleListStream, e.b)
}

func (e *encoder) version(v *minidump.VersionInfo) {
	e.u32(v.Signature, v.Struct, v.FileHi, v.FileLo, v.ProductHi, v.ProductLo,
		v.FlagsMask, v.Flags, v.FileOS, v.FileType, v.FileSubType)
	e.u32(v.DateHi, v.DateLo)
}

// codeView returns a record's bytes, none when there is no record.
func (w *Writer) codeView(cv *minidump.CodeView) []byte {
	e := w.encoder()
	switch cv.Kind {
	case minidump.PDB70:
		e.u32(format.CodeViewPDB70)
		e.guid(cv.GUID)
		e.u32(cv.Age)
		e.cstring(cv.File)
	case minidump.PDB20:
		e.u32(format.CodeViewPDB20, 0, cv.Stamp, cv.Age)
		e.cstring(cv.File)
	case minidump.ELFBuildID:
		e.u32(format.CodeViewELF)
		e.u8(cv.BuildID...)
	case minidump.UnknownCodeView:
		e.u8(cv.Raw...)
	}
	return e.b
}

// debugMisc returns an IMAGE_DEBUG_MISC with a file name, or nothing without a name.
func (w *Writer) debugMisc(file string) []byte {
	const fileName = 1 // IMAGE_DEBUG_MISC_EXENAME
	e := w.encoder()
	if file != "" {
		e.u32(fileName, uint32(12+len(file)+1), 0)
		e.cstring(file)
	}
	return e.b
}

func (e *encoder) cstring(text string) {
	e.b = append(e.b, text...)
	e.u8(0)
}

// MemoryList writes stream 5. The caller has put the memory into the file before.
func (w *Writer) MemoryList(list []minidump.Range) {
	e := w.encoder()
	e.u32(uint32(len(list)))
	for _, r := range list {
		e.u64(r.Base)
		e.location(r.Location)
	}
	w.Stream(minidump.MemoryListStream, e.b)
}

// RemovedData writes the parts of the file whose bytes were removed.
func (w *Writer) RemovedData(parts []minidump.Location) {
	var data []byte
	end := uint64(0)
	for _, p := range process.NewRemoved(parts) {
		data = binary.AppendUvarint(binary.AppendUvarint(data, p.RVA-end), p.Size)
		end = p.RVA + p.Size
	}
	w.Stream(minidump.RemovedDataStream, data)
}

// Exception writes stream 6, and returns the places of Record, Address and the parameters. The caller has put
// the context into the file before. It writes at most 15 parameters, because the record has no room for more.
func (w *Writer) Exception(x *minidump.Exception) (places []minidump.Location) {
	params := x.Parameters[:min(len(x.Parameters), format.MaxParameters)]
	e := w.encoder()
	e.u32(x.ThreadID, 0, x.Code, x.Flags)
	e.u64(x.Record, x.Address)
	e.u32(uint32(len(params)), 0)
	e.u64(params...)
	e.u64(make([]uint64, format.MaxParameters-len(params))...)
	e.location(x.Context)
	w.Stream(minidump.ExceptionStream, e.b)
	at := w.streams[len(w.streams)-1].RVA
	places = []minidump.Location{{RVA: at + format.ExceptionRecordAt, Size: 8}, {RVA: at + format.ExceptionAddressAt, Size: 8}}
	for i := range params {
		places = append(places, minidump.Location{RVA: at + format.ExceptionParametersAt + uint64(8*i), Size: 8})
	}
	return places
}

// ThreadNames writes stream 24, and the names that it points to.
func (w *Writer) ThreadNames(list []minidump.ThreadName) {
	e := w.encoder()
	e.u32(uint32(len(list)))
	for _, t := range list {
		e.u32(t.ID)
		e.u64(uint64(w.Text(t.Name)))
	}
	w.Stream(minidump.ThreadNamesStream, e.b)
}

// ThreadCalls writes stream 0x43470001.
func (w *Writer) ThreadCalls(list []minidump.ThreadCall) {
	e := w.encoder()
	e.u32(uint32(len(list)))
	for _, t := range list {
		e.u32(t.ID, t.Number)
	}
	w.Stream(minidump.ThreadCallsStream, e.b)
}

// UnloadedModules writes stream 14, and the names that it points to.
func (w *Writer) UnloadedModules(list []minidump.UnloadedRecord) {
	e := w.encoder()
	e.u32(12, format.UnloadedModuleSize, uint32(len(list)))
	for _, m := range list {
		e.u64(m.Base)
		e.u32(m.Size, m.Checksum, uint32(m.TimeStamp), w.Text(m.Name))
	}
	w.Stream(minidump.UnloadedModuleListStream, e.b)
}

// BreakpadInfo writes stream 0x47670001, MDRawBreakpadInfo.
func (w *Writer) BreakpadInfo(b *minidump.BreakpadInfo) {
	e := w.encoder()
	e.u32(b.Validity, valueOf(b.DumpThread), valueOf(b.RequestingThread))
	w.Stream(minidump.BreakpadInfoStream, e.b)
}

// Crashpad writes stream 0x43500001, MinidumpCrashpadInfo, without ids and annotations, which no program writes.
//
// Source: Crashpad, minidump/minidump_extensions.h.
func (w *Writer) Crashpad(version uint32, addressMask uint64) {
	e := w.encoder()
	e.u32(version)
	e.u8(make([]byte, 2*16+2*8+4)...) // two GUIDs, two locations, padding
	e.u64(addressMask)
	w.Stream(minidump.CrashpadInfoStream, e.b)
}

// Auxv writes stream 0x47670008: pairs of words, and AT_NULL behind them. word is the size of addresses in the
// process, 4 or 8. It must be that of the processor in the system info, because readers use that.
func (w *Writer) Auxv(list []minidump.AuxValue, word int) {
	e := w.encoder()
	for _, a := range list {
		e.word(word, a.Type, a.Value)
	}
	e.word(word, 0, 0)
	w.Stream(minidump.LinuxAuxvStream, e.b)
}

// Assertion writes stream 0x47670002. It truncates texts to 127 characters, the size of the
// record's fields.
func (w *Writer) Assertion(a *minidump.Assertion) {
	e := w.encoder()
	for _, text := range []string{a.Expression, a.Function, a.File} {
		e.fixedUTF16(text, 128)
	}
	e.u32(a.Line, a.Type)
	w.Stream(minidump.AssertionInfoStream, e.b)
}

// fixedUTF16 truncates a longer text.
func (e *encoder) fixedUTF16(text string, units int) {
	all := utf16.Encode([]rune(text))
	all = all[:min(len(all), units-1)]
	e.u16(all...)
	e.u16(make([]uint16, units-len(all))...)
}
