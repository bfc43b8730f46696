package text

import (
	"strings"

	"crashglass/core/process"
)

// A Numbered is a line of a stack as sanitizers and LLVM print it.
type Numbered struct {
	Frame
	Number  uint64
	BuildID string
	Line    string // for one that continues on the next line
}

// A NumberedPlace tells frames apart: calls that were inlined into each other have one.
type NumberedPlace struct {
	Address, Offset uint64
	Image           string
}

// Place is the place of a frame.
func (f *Numbered) Place() NumberedPlace { return NumberedPlace{f.Address, f.Offset, f.Image} }

// ParseNumbered reads a line of a stack:
//
//	#0 0x5564d7e17bcb  (/home/build/curve+0x2bcb) (BuildId: f609aa0090544c6c09995da35bc43dd45db670ec)
//	#0 0x5564d7e17bcb in put(Point*, int, int) /home/build/curve.cc:6:3
//	#1 0x7f3ad7045249 in malloc (/lib/libc.so.6+0x27249)
//	#0 <null> <null> (counter+0x1224)
//	#2 main /home/build/counter.cc:14 (counter+0x134d)
//	#3 ./curve(main+0x83) [0x55585c0af7b3]
func ParseNumbered(line string) (f Numbered, ok bool) {
	rest, ok := strings.CutPrefix(line, "#")
	if !ok {
		f, _, ok = MarkupFrame(line)
		return f, ok && strings.HasPrefix(line, "{{{")
	}
	f.Line = line
	if f.Number, rest, ok = Decimal(rest); !ok || !strings.HasPrefix(rest, " ") {
		return Numbered{}, false
	}
	rest = strings.TrimLeft(rest, " ")
	hasAddress := false
	if strings.HasPrefix(rest, "0x") {
		f.Address, rest, hasAddress = Hex(rest)
	}
	if rest = strings.TrimSpace(rest); !hasAddress && strings.HasSuffix(rest, "]") { // GWP-ASan, which has glibc's lines
		f.Frame, ok = ParseGlibc(rest)
		return f, ok
	}
	rest = f.modules(rest)
	if rest = strings.TrimPrefix(rest, "in "); rest != "(<unknown module>)" {
		f.names(rest)
	}
	return f, hasAddress || f.HasOffset || f.Names.Function != ""
}

// Begins reports whether a frame may be the first of a stack. A number and a word are no frame, unless they
// follow one.
func (f *Numbered) Begins() bool {
	return f.Number == 0 && (f.Address != 0 || f.HasOffset || f.Names.Line > 0 || strings.HasPrefix(f.Line, "#0 0x0"))
}

// maxImage is the size of an image to which linkers align the addresses above 4 GB: 0x100000000, 0x140000000 and 0x180000000.
const maxImage = 1 << 28

// modules reads what stands in parentheses at the end of a frame: build ID, and module with offset. It
// returns the rest.
func (f *Numbered) modules(s string) string {
	if before, id, ok := CutLast(s, " (BuildId: "); ok && strings.HasSuffix(id, ")") {
		s, f.BuildID = before, strings.TrimSuffix(id, ")")
	}
	before, place, ok := CutLast(s, "(")
	if !ok || !strings.HasSuffix(place, ")") { // Fuchsia's symbolizer: "f() a.cc:1 <liba.so>+0x5"
		before, place, ok = CutLast(s, "<")
		place = strings.Replace(place, ">+", "+", 1)
	}
	image, offset, _ := CutLast(strings.TrimSuffix(place, ")"), "+0x")
	at, hex := IsHex(offset)
	if !ok || !hex || image == "" || image == "<unknown module>" {
		return s
	}
	for _, cpu := range []string{":x86_64", ":x86_64h", ":arm64", ":arm64e", ":i386"} { // macOS
		image = strings.TrimSuffix(image, cpu)
	}
	if at>>32 != 0 { // macOS and Windows: the address that the linker gave
		at &= maxImage - 1
	}
	f.Image, f.Offset, f.HasOffset = image, at, true
	return strings.TrimSpace(before)
}

// names reads function and source line. Both may have spaces: the source line begins behind the first space
// at which no bracket is open and from which on the text is like a path with a line.
func (f *Numbered) names(s string) {
	s = strings.TrimSuffix(strings.TrimSpace(strings.ReplaceAll(s, "<null>", "")), " _asan_rtl_")
	depth := 0
	for i, c := range s {
		switch c {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			depth--
		case ' ':
			if file, line := Source(s[i+1:]); depth <= 0 && line > 0 && isPath(file) {
				f.Names = process.Names{Function: strings.TrimSuffix(s[:i], " at"), File: file, Line: line} // cpptrace: "in main at /src/a.cc:7:28"
				return
			}
		}
	}
	if before, line, ok := CutLast(s, " :"); ok { // "pthread_create <null>:3"
		if _, rest, number := Decimal(line); number && rest == "" {
			s = before
		}
	}
	if before, file, ok := CutLast(s, " "); ok && isSource(file) { // a source file without a line
		f.Names.File, s = file, strings.TrimSuffix(before, " at")
	}
	name, offset, _ := CutLast(s, "+0x")
	switch at, hex := IsHex(offset); {
	case s == "<unknown>" || s == "???":
	case hex:
		f.Names.Function, f.Names.Offset = name, at
	case strings.Contains(s, ".so") && !strings.ContainsAny(s, " (<"):
		f.Names.Module = s
	default:
		f.Names.Function = s
	}
}

// sources are the ends of the names of source files in C, C++, Objective-C, Rust, Go, Swift and assembler.
const sources Table = ";c=;cc=;cpp=;cxx=;h=;hh=;hpp=;inc=;m=;mm=;rs=;go=;swift=;s=;S="

// isSource reports whether a word is a source file.
func isSource(s string) bool {
	_, ext, _ := CutLast(s, ".")
	_, known := sources.Of(ext)
	return known && isPath(s) || strings.HasPrefix(s, "/")
}

// isPath reports whether a text begins like a path: no operator and no qualifier of a function does.
func isPath(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	return strings.ContainsAny(first, "/\\.") && !strings.ContainsAny(first, "()<>")
}
