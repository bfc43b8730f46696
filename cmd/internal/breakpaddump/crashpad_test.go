package breakpaddump

import (
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// crashpadText is the text of a CrashpadInfo.
func crashpadText(t *testing.T, info minidump.CrashpadInfo) string {
	t.Helper()
	b := dump.New()
	dictionary := func(list []minidump.KeyValue) string {
		s := asm.At(0).U32(uint32(len(list)))
		for _, kv := range list {
			s.Ref32(b.UTF8(kv.Key)).Ref32(b.UTF8(kv.Value))
		}
		return b.Extra(s)
	}
	links := asm.At(0).U32(uint32(len(info.Modules)))
	for _, m := range info.Modules {
		list, objects := asm.At(0).U32(uint32(len(m.List))), asm.At(0).U32(uint32(len(m.Objects)))
		for _, text := range m.List {
			list.Ref32(b.UTF8(text))
		}
		for _, o := range m.Objects {
			objects.Ref32(b.UTF8(o.Name)).U16(uint16(o.Type), 0).Ref32(b.Extra(asm.At(0).U32(uint32(len(o.Value))).Bytes(o.Value)))
		}
		part := asm.At(0).U32(m.Version)
		for _, label := range []string{b.Extra(list), dictionary(m.Simple), b.Extra(objects)} {
			dump.Location(part, label)
		}
		dump.Location(links.U32(m.Module), b.Extra(part))
	}
	s := asm.At(0).U32(info.Version)
	for _, id := range []minidump.GUID{info.ReportID, info.ClientID} {
		s.U32(id.Data1).U16(id.Data2, id.Data3).Bytes(id.Data4[:])
	}
	dump.Location(s, dictionary(info.Annotations))
	dump.Location(s, b.Extra(links))
	return written(t, b.Stream(0x43500001, s.U32(0).U64(info.AddressMask)).Build(t), Options{})
}

// Annotations of every kind. Dictionaries are sorted, because Breakpad keeps them in a std::map; an object
// that is no text is written as digits.
func TestCrashpad(t *testing.T) {
	info := minidump.CrashpadInfo{
		Version:  1,
		ReportID: minidump.GUID{Data1: 0x01234567, Data2: 0x89ab, Data3: 0xcdef, Data4: [8]byte{1, 2, 3, 4, 5, 6, 7, 8}},
		Annotations: []minidump.KeyValue{
			{Key: "ver", Value: "1.0"}, {Key: "prod", Value: "x y"}, {Key: "ver", Value: "a second value of one key"},
		},
		Modules: []minidump.ModuleAnnotations{{
			Module: 3, Version: 1, List: []string{"abort: why", ""}, Simple: []minidump.KeyValue{{Key: "k", Value: "w"}},
			Objects: []minidump.Annotation{{Name: "text", Type: 1, Value: []byte("v")}, {Name: "number", Type: 0x8001, Value: []byte{0, 0xab}}},
		}},
		AddressMask: 0xff,
	}
	const want = `
MDRawCrashpadInfo
  version = 1
  report_id = 01234567-89ab-cdef-0102-030405060708
  client_id = 00000000-0000-0000-0000-000000000000
  simple_annotations["prod"] = x y
  simple_annotations["ver"] = 1.0
  module_list[0].minidump_module_list_index = 3
  module_list[0].version = 1
  module_list[0].list_annotations[0] = abort: why
  module_list[0].list_annotations[1] = 
  module_list[0].simple_annotations["k"] = w
  module_list[0].crashpad_annotations["text"] (type = 1) = v
  module_list[0].crashpad_annotations["number"] (type = 32769) = 00AB
  address_mask = 255

`
	if got := crashpadText(t, info); got[len(got)-min(len(got), len(want)):] != want {
		t.Errorf("%s\nwant at the end%s", got, want)
	}
}

// The original writes the address mask once for each module, and so not at all without one.
func TestCrashpadAddressMask(t *testing.T) {
	for n, want := range []int{0, 1, 2} {
		text := crashpadText(t, minidump.CrashpadInfo{Version: 1, AddressMask: 7, Modules: make([]minidump.ModuleAnnotations, n)})
		if got := strings.Count(text, "  address_mask = 7\n"); got != want {
			t.Errorf("%d modules: the mask is written %d times", n, got)
		}
	}
}

// Control characters of an annotation do not reach the terminal.
func TestCrashpadControl(t *testing.T) {
	text := crashpadText(t, minidump.CrashpadInfo{Annotations: []minidump.KeyValue{{Key: "a\x1b[2J", Value: "b\x07"}}})
	if got := fields(text)[`simple_annotations["a\x1b[2J"]`]; got != `b\x07` {
		t.Errorf("annotation %q in\n%s", got, text)
	}
}
