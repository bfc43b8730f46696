package text

import "strings"

// A markup is what LLVM's symbolizer markup says of the modules of a process, which the stacks behind it refer to:
//
//	{{{reset}}}
//	{{{module:0:/opt/dock:elf:f7df76214babe59f1fdf96c9f5b6c2c1ffce26df}}}
//	{{{mmap:0x560824e67000:0xe1fe5:load:0:rx:0x2c000}}}
//	{{{bt:0:0x560824f48f07:pc}}}
//
// Source: LLVM, docs/SymbolizerMarkupFormat.rst, and lib/DebugInfo/Symbolize/MarkupFilter.cpp.
type markup struct {
	ids    []string // of modules
	images []Image
	loads  int // mappings that were read
}

// maxLoads bounds them: the module of each one is searched.
const maxLoads = 4 * maxImages

// MarkupContext are the beginnings of lines that say what is mapped.
var MarkupContext = []string{"{{{reset}}}", "{{{module:", "{{{mmap:"}

// context reads the elements of a line, and reports whether it has one that says what is mapped.
func (m *markup) context(line string) (is bool) {
	for rest := line; ; {
		element, after, ok := Between(rest, "{{{", "}}}")
		if !ok {
			return is
		}
		rest = after
		switch f := strings.Split(element, ":"); {
		case element == "reset":
			*m = markup{}
		case f[0] == "module" && len(f) >= 5 && len(m.ids) < maxImages: // a name may have colons
			m.ids = append(m.ids, f[1])
			m.images = append(m.images, Image{Path: strings.Join(f[2:len(f)-2], ":"), BuildID: f[len(f)-1]})
		case f[0] == "mmap" && len(f) == 7 && f[3] == "load":
			m.load(f)
		default:
			continue
		}
		is = true
	}
}

// load reads a mapping: address, size, "load", module, access, and the address in the module.
func (m *markup) load(f []string) {
	at, ok := IsHex(f[1])
	size, also := IsHex(f[2])
	rel, too := IsHex(f[6])
	if m.loads++; !ok || !also || !too || rel > at || at+size < at || m.loads > maxLoads {
		return
	}
	for i := len(m.ids) - 1; i >= 0; i-- {
		if m.ids[i] == f[4] {
			img := &m.images[i]
			if !img.HasBase {
				img.Base, img.HasBase = at-rel, true
			}
			if img.Base == at-rel { // else another copy of the module
				img.Size = max(img.Size, at+size-img.Base)
			}
			return
		}
	}
}

// Mapped adds the modules that markup before the present line has named.
func (l *Lines) Mapped(d *Draft) {
	for _, img := range l.s.markup.images {
		if img.HasBase {
			d.Image(img)
		}
	}
}

// MarkupFrame reads a frame: {{{bt:0:0x5608:pc}}}. Without a type, it is a return address, except in the reports of sanitizers, which step back.
func MarkupFrame(line string) (f Numbered, kind string, ok bool) {
	element, _, ok := Between(line, "{{{bt:", "}}}")
	number, rest, isNumber := Decimal(element)
	addr, kind, isAddr := Hex(strings.TrimPrefix(rest, ":"))
	f.Line, f.Number, f.Address = line, number, addr
	kind, _, _ = strings.Cut(strings.TrimPrefix(kind, ":"), ":")
	return f, kind, ok && isNumber && isAddr
}
