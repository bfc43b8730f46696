package breakpaddump

import (
	"fmt"
	"slices"
	"strings"

	"crashglass/core/dump/minidump"
)

// crashpad writes MDRawCrashpadInfo. The address mask is written once for each module, and so not at
// all without modules: the original has it within that loop.
//
// Source: minidump.cc, MinidumpCrashpadInfo::Print.
func crashpad(p *printer) {
	info, _ := p.f.Crashpad()
	if info == nil {
		return
	}
	p.rows("MDRawCrashpadInfo", 0, []row{
		{"version", "%d", int32(info.Version)},
		{"report_id", "%s", info.ReportID.Dashed()},
		{"client_id", "%s", info.ClientID.Dashed()},
	})
	p.annotations("simple_annotations", info.Annotations)
	for i := range info.Modules {
		p.annotated(fmt.Sprintf("module_list[%d].", i), &info.Modules[i])
		p.more(0, []row{{"address_mask", "%d", info.AddressMask}})
	}
	p.text("\n")
}

// annotated writes the annotations of one module: a list, a dictionary, and typed objects.
func (p *printer) annotated(prefix string, m *minidump.ModuleAnnotations) {
	p.more(0, []row{
		{prefix + "minidump_module_list_index", "%d", int32(m.Module)},
		{prefix + "version", "%d", int32(m.Version)},
	})
	for i, text := range m.List {
		p.more(0, []row{{fmt.Sprintf("%slist_annotations[%d]", prefix, i), "%s", plain(text)}})
	}
	p.annotations(prefix+"simple_annotations", m.Simple)
	for _, a := range m.Objects {
		p.more(0, []row{{fmt.Sprintf("%scrashpad_annotations[%s] (type = %d)", prefix, quoted(a.Name), a.Type), "%s", value(a)}})
	}
}

// annotations writes a dictionary sorted by key. If a key has two values, the first one counts.
func (p *printer) annotations(name string, all []minidump.KeyValue) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b minidump.KeyValue) int { return strings.Compare(a.Key, b.Key) })
	all = slices.CompactFunc(all, func(a, b minidump.KeyValue) bool { return a.Key == b.Key })
	for _, a := range all {
		p.more(0, []row{{fmt.Sprintf("%s[%s]", name, quoted(a.Key)), "%s", plain(a.Value)}})
	}
}

// value returns an annotation's text or, for any other type, its bytes.
func value(a minidump.Annotation) string {
	if text, ok := a.Text(); ok {
		return plain(text)
	}
	return fmt.Sprintf("%X", a.Value)
}
