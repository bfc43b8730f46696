package minidump

import "crashglass/core/base/bin"

// CrashpadInfoStream is the number of the stream that this file reads.
const CrashpadInfoStream StreamType = 0x4350_0001

// CrashpadInfo is MinidumpCrashpadInfo: the identity and the annotations of a Crashpad report.
type CrashpadInfo struct {
	Version     uint32
	ReportID    GUID
	ClientID    GUID       // identifies an installation
	Annotations []KeyValue // of the process
	AddressMask uint64     // 0 when pointers carry no tags
	Modules     []ModuleAnnotations
}

// ModuleAnnotations are the annotations of one module.
type ModuleAnnotations struct {
	Module  uint32 // index in the module list
	Version uint32
	List    []string
	Simple  []KeyValue
	Objects []Annotation
}

// An Annotation is one annotation object of a module.
type Annotation struct {
	Name  string
	Type  AnnotationType
	Value []byte
}

// An AnnotationType is the type of an annotation's value. Types from AnnotationUser on belong to the
// program. Source: Crashpad, client/annotation.h.
type AnnotationType uint16

// Types of annotations that Crashpad defines.
const (
	AnnotationInvalid AnnotationType = 0
	AnnotationString  AnnotationType = 1
	AnnotationUser    AnnotationType = 0x8000
)

// Text returns the value of a string annotation.
func (a Annotation) Text() (string, bool) {
	return utf8Text(a.Value), a.Type == AnnotationString
}

// Crashpad reads stream 0x43500001, CrashpadInfoStream.
//
// Source: Crashpad, minidump/minidump_extensions.h.
func (f *File) Crashpad() (*CrashpadInfo, error) {
	s, err := f.section(CrashpadInfoStream)
	if err != nil {
		return nil, err
	}
	s.Names("version report_id.Data1 report_id.Data2 report_id.Data3 report_id.Data4" +
		" client_id.Data1 client_id.Data2 client_id.Data3 client_id.Data4" +
		" simple_annotations.DataSize simple_annotations.Rva module_list.DataSize module_list.Rva reserved address_mask")
	info := &CrashpadInfo{Version: s.U32(), ReportID: ReadGUID(s.Cursor), ClientID: ReadGUID(s.Cursor)}
	simple, modules := location(s.Cursor), location(s.Cursor)
	if s.Len() >= 12 { // appended in 2021, without a new version
		s.Skip(4)
		info.AddressMask = s.U64()
	}
	if s.Cursor.Err() != nil {
		return info, s.err()
	}
	info.Annotations = s.dictionary(simple)
	for _, link := range s.moduleLinks(modules) {
		info.Modules = append(info.Modules, s.moduleAnnotations(link))
	}
	return info, s.err()
}

// each calls read for every record, with fields of these names, of a counted array at a location.
func (s *section) each(what, names string, loc Location, record int, read func(c *bin.Cursor)) {
	if loc.Size == 0 {
		return
	}
	// Many modules may point to the same list, so lists count towards the limit of text.
	if err := s.text.charge(what, offset(loc.RVA), min(loc.Size, uint64(s.f.src.Size()))); err != nil {
		s.add(err)
		return
	}
	sub := s.f.sectionAt(what, loc)
	for range sub.array(record) {
		sub.Record(what, names)
		read(sub.Cursor)
	}
	s.merge(sub.err())
}

// utf8At reads a string, "" if its RVA is 0.
func (s *section) utf8At(rva uint32) string {
	if rva == 0 {
		return ""
	}
	text, err := s.text.utf8(uint64(rva))
	if err != nil {
		s.add(err)
	}
	return text
}

// dictionary reads a MinidumpSimpleStringDictionary.
func (s *section) dictionary(loc Location) []KeyValue {
	var all []KeyValue
	s.each("annotation", "key value", loc, 8, func(c *bin.Cursor) {
		key, value := c.U32(), c.U32()
		all = append(all, KeyValue{s.utf8At(key), s.utf8At(value)})
	})
	return all
}

// A moduleLink has the location of a module's annotations.
type moduleLink struct {
	module uint32
	Location
}

func (s *section) moduleLinks(loc Location) []moduleLink {
	var links []moduleLink
	s.each("annotated module", "minidump_module_list_index location.DataSize location.Rva", loc, 12, func(c *bin.Cursor) {
		links = append(links, moduleLink{c.U32(), location(c)})
	})
	return links
}

// moduleAnnotations reads a MinidumpModuleCrashpadInfo.
func (s *section) moduleAnnotations(link moduleLink) ModuleAnnotations {
	m := ModuleAnnotations{Module: link.module}
	data, err := s.text.bytes("module annotations", link.Location)
	if err != nil {
		s.add(err)
		return m
	}
	c := s.f.cursor("module annotations", offset(link.RVA), data)
	c.Names("version list_annotations.DataSize list_annotations.Rva simple_annotations.DataSize simple_annotations.Rva annotation_objects.DataSize annotation_objects.Rva")
	m.Version = c.U32()
	list, simple, objects := location(c), location(c), location(c)
	if c.Err() != nil {
		s.add(c.Err())
		return m
	}
	s.each("listed annotation", "string", list, 4, func(c *bin.Cursor) {
		m.List = append(m.List, s.utf8At(c.U32()))
	})
	m.Simple = s.dictionary(simple)
	s.each("annotation object", "name type reserved value", objects, 12, func(c *bin.Cursor) {
		m.Objects = append(m.Objects, s.annotation(c))
	})
	return m
}

// annotation reads a MinidumpAnnotation; its value is a MinidumpByteArray.
func (s *section) annotation(c *bin.Cursor) Annotation {
	name, kind := c.U32(), c.U16()
	c.Skip(2)
	value := c.U32()
	a := Annotation{Name: s.utf8At(name), Type: AnnotationType(kind)}
	if value == 0 {
		return a
	}
	head, err := s.f.src.Read("annotation value", int64(value), 4)
	if err != nil {
		s.add(err)
		return a
	}
	n := min(uint64(s.f.order.Uint32(head)), maxUTF8)
	if a.Value, err = s.text.spend("annotation value", int64(value)+4, n); err != nil {
		s.add(err)
	}
	s.f.traceLong("value", int64(value), n, a.Value, a.Value)
	return a
}
