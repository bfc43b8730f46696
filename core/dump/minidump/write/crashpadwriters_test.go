package write

import "crashglass/core/dump/minidump"

// wholeCrashpad writes stream 0x43500001, MinidumpCrashpadInfo, and the annotations
// that it points to.
//
// Source: Crashpad, minidump/minidump_extensions.h.
func (w *Writer) wholeCrashpad(c *minidump.CrashpadInfo) {
	e := w.encoder()
	e.u32(c.Version)
	e.guid(c.ReportID)
	e.guid(c.ClientID)
	e.location(w.dictionary(c.Annotations))
	e.location(w.moduleLinks(c.Modules))
	e.u32(0)
	e.u64(c.AddressMask)
	w.Stream(minidump.CrashpadInfoStream, e.b)
}

// array adds an array with a count in front, none when there are no elements.
func array[T any](w *Writer, list []T, write func(e *encoder, v T)) minidump.Location {
	if len(list) == 0 {
		return minidump.Location{}
	}
	e := w.encoder()
	e.u32(uint32(len(list)))
	for _, v := range list {
		write(e, v)
	}
	return w.Put(e.b)
}

// dictionary adds a MinidumpSimpleStringDictionary.
func (w *Writer) dictionary(list []minidump.KeyValue) minidump.Location {
	return array(w, list, func(e *encoder, kv minidump.KeyValue) { e.u32(w.utf8(kv.Key), w.utf8(kv.Value)) })
}

// moduleLinks adds a MinidumpModuleCrashpadInfoList.
func (w *Writer) moduleLinks(list []minidump.ModuleAnnotations) minidump.Location {
	return array(w, list, func(e *encoder, m minidump.ModuleAnnotations) {
		e.u32(m.Module)
		e.location(w.moduleAnnotations(&m))
	})
}

// moduleAnnotations adds a MinidumpModuleCrashpadInfo.
func (w *Writer) moduleAnnotations(m *minidump.ModuleAnnotations) minidump.Location {
	e := w.encoder()
	e.u32(m.Version)
	e.location(array(w, m.List, func(e *encoder, text string) { e.u32(w.utf8(text)) }))
	e.location(w.dictionary(m.Simple))
	e.location(array(w, m.Objects, func(e *encoder, a minidump.Annotation) {
		e.u32(w.utf8(a.Name))
		e.u16(uint16(a.Type), 0)
		e.u32(w.annotationValue(a.Value))
	}))
	return w.Put(e.b)
}

// annotationValue adds a MinidumpByteArray and returns its offset, 0 for nil.
func (w *Writer) annotationValue(data []byte) uint32 {
	if data == nil {
		return 0
	}
	e := w.encoder()
	e.u32(uint32(len(data)))
	e.u8(data...)
	return uint32(w.Put(e.b).RVA)
}

// utf8 adds a MinidumpUTF8String and returns its offset: a u32 of bytes, UTF-8,
// and a terminator that is not counted.
func (w *Writer) utf8(text string) uint32 {
	e := w.encoder()
	e.u32(uint32(len(text)))
	e.cstring(text)
	return uint32(w.Put(e.b).RVA)
}
