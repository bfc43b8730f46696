package backtrace

import (
	"strings"

	"crashglass/core/dump/text"
)

type form func(line string) (text.Frame, bool)

// forms are those of lines, with the columns at which a frame may begin in a line with a mark.
var forms = []struct {
	column func(line string, mark int) int
	read   form
}{
	{atMark("0> "), microsoft}, {atMark("0# ", "# 0x"), boost}, {atMark("#0 "), hash}, {atMark("@ "), absl}, {atMark("1: 0"), colon},
	{atPath, text.ParseGlibc}, {atZero, apple}, {atName, windows},
}

// formOf finds the form of a stack's first line, and the column where it begins, behind the prefix of a log.
func formOf(line string, mark int) (form, int) {
	for _, f := range forms {
		if column := f.column(line, mark); column >= 0 {
			if _, ok := f.read(strings.TrimSpace(line[column:])); ok {
				return f.read, column
			}
		}
	}
	return nil, 0
}

func word(line string, column int) bool {
	return column == 0 || line[column-1] == ' ' || line[column-1] == '\t'
}

// atMark is for frames that begin at one of the marks, or at the digits before it. Abseil repeats the first address behind "PC: ".
func atMark(marks ...string) func(line string, mark int) int {
	return func(line string, mark int) int {
		for _, m := range marks {
			column := mark
			for column > 0 && m[0] == '#' && line[column-1] >= '0' && line[column-1] <= '9' {
				column--
			}
			if strings.HasPrefix(line[mark:], m) && word(line, column) && !strings.HasSuffix(line[:column], "PC: ") {
				return column
			}
		}
		return -1
	}
}

// atPath is for frames that begin with a path: one from a root or from here, or the last word before the parenthesis.
func atPath(line string, mark int) int {
	at := strings.LastIndexByte(line, '(')
	if at < 0 {
		at = mark
	}
	for i := 0; i < at; i++ {
		if rest := line[i:]; word(line, i) && (rest[0] == '/' || strings.HasPrefix(rest, "./") || strings.HasPrefix(rest, "../")) {
			return i
		}
	}
	return strings.LastIndexByte(line[:max(at, 0)], ' ') + 1
}

// atZero is for frames that begin with their number.
func atZero(line string, mark int) int {
	for i := range line[:mark] {
		if word(line, i) && strings.HasPrefix(line[i:], "0  ") {
			return i
		}
	}
	return -1
}

// atName is for frames that begin with a name, behind a tab or the colon of a log.
func atName(line string, mark int) int {
	return max(strings.LastIndexByte(line[:mark], '\t'), strings.LastIndex(line[:mark], ": ")+1, -1) + 1
}

// zero reports whether a line is the first one of a stack with numbers.
func zero(line string) bool {
	return strings.HasPrefix(line, "#0 ") || strings.HasPrefix(line, "0# ") || strings.HasPrefix(line, "0  ")
}

// boost reads a line of Boost: " 0# 0x000055DA3DE80370 in ./boosted", " 4# abort in /lib/libc.so.6", " 5# f() at a.cc:12".
func boost(line string) (f text.Frame, ok bool) {
	_, rest, ok := text.Decimal(line)
	rest, hash := strings.CutPrefix(rest, "# ")
	if !ok || !hash {
		return text.Frame{}, false
	}
	what, path, in := text.CutLast(rest, " in ")
	if before, addr, ok := text.CutLast(rest, " [0x"); ok && !in { // libstdc++
		at, hex := text.IsHex(strings.TrimSuffix(addr, "]"))
		if f.Return = hex; hex {
			f.Address, rest, what = at, before, before
		}
	}
	if in {
		f.Image = path
	} else if name, place, at := text.CutLast(rest, " at "); at {
		if f.Names.File, f.Names.Line = text.Source(place); strings.HasPrefix(place, ":") {
			f.Names.File = "" // libstdc++ knows no source
		}
		f.Names.Function = strings.TrimSpace(name)
		return f, true
	}
	if addr, hex := text.IsHex(what); f.Address == 0 && hex && strings.HasPrefix(what, "0x") {
		f.Address, f.Return = addr, true
	} else {
		f.Names.Function = what
	}
	return f, in || f.Names.Line > 0 || f.Address != 0
}

// microsoft reads a line of Microsoft's std::stacktrace: "0> C:\quay\crane.cpp(41): quay!Crane::lift+0x5D", "5> ntdll!RtlUserThreadStart+0x28".
func microsoft(line string) (f text.Frame, ok bool) {
	_, rest, ok := text.Decimal(line)
	rest, mark := strings.CutPrefix(rest, "> ")
	if before, after, placed := strings.Cut(rest, "): "); placed {
		file, number, _ := text.CutLast(before, "(")
		f.Names.File, f.Names.Line = text.Source(file + ":" + number)
		rest = after
	}
	name, offset, plus := text.CutLast(rest, "+0x")
	n, hex := text.IsHex(offset)
	f.Names.Module, f.Names.Function, _ = strings.Cut(name, "!")
	f.Names.Offset = n
	return f, ok && mark && plus && hex && f.Names.Function != ""
}

// libbacktrace reads the first line of a frame, "0x5620431af50c quay::inner(int)", which has no module. The source is in the next line, behind a tab:
// "/src/quay.cc:11", or "???:0". Addresses are those of calls.
func libbacktrace(line string) (f text.Frame, ok bool) {
	at, rest, hex := text.Hex(line)
	name, ok := strings.CutPrefix(rest, " ")
	if !hex || !ok || !strings.HasPrefix(line, "0x") || name == "" || strings.Contains(name, "0x") || strings.IndexByte(" [(+-=:", name[0]) >= 0 {
		return text.Frame{}, false
	}
	if f.Address = at; name != "???" {
		f.Names.Function = name
	}
	return f, true
}

// hash reads a line of LLVM, Chromium or libbacktrace: "#0 0x000055d7 llvm::f(int) (/usr/bin/clang+0xae5a5a)", "#1 0x401136 in main".
func hash(line string) (text.Frame, bool) {
	f, ok := text.ParseNumbered(line)
	f.Return = true
	return f.Frame, ok && f.Address != 0
}

// colon reads a line of Node.js: " 1: 0xb8d11b node::Abort() [node]", "10: 00007FF6568FED41 v8::Isolate::Leave+65", "21: __libc_start_main", "3: ??".
func colon(line string) (f text.Frame, ok bool) {
	_, rest, ok := text.Decimal(line)
	name, colon := strings.CutPrefix(rest, ": ")
	at, after, hex := text.Hex(name)
	if name == "" || !ok || !colon {
		return text.Frame{}, false
	}
	if digits := len(name) - len(after); hex && (strings.HasPrefix(name, "0x") || digits == 16) && (after == "" || after[0] == ' ') {
		f.Address, f.Return, name = at, true, strings.TrimSpace(after)
	}
	if before, path, ok := text.CutLast(" "+name, " ["); ok {
		name = strings.TrimSpace(before)
		f.Image, _, _ = strings.Cut(path, "]")
	}
	f.Names.Function = strings.TrimPrefix(name, "??")
	if before, offset, ok := text.CutLast(name, "+"); ok {
		if n, rest, number := text.Decimal(offset); number && rest == "" {
			f.Names.Function, f.Names.Offset = before, n
		}
	}
	return f, true
}

// absl reads a line of Abseil or glog: "    @     0x5605333e2ca0        48  absl::f()". The number is the frame's size.
func absl(line string) (f text.Frame, ok bool) {
	rest, ok := strings.CutPrefix(line, "@ ")
	rest = strings.TrimSpace(rest)
	at, name, hex := text.Hex(rest)
	if !ok || !hex || !strings.HasPrefix(rest, "0x") {
		return text.Frame{}, false
	}
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "(unknown) "))
	if size, rest, ok := text.Decimal(name); ok && size > 0 && strings.HasPrefix(rest, " ") {
		name = strings.TrimSpace(rest)
	}
	f = text.Frame{Address: at, Return: true}
	if name != "(unknown)" {
		f.Names.Function = name
	}
	return f, true
}

// apple reads a line of macOS: "3   Content Shell Framework   0x000000010a99b743 _ZN4base5debugC1Ev + 19".
func apple(line string) (f text.Frame, ok bool) {
	_, rest, ok := text.Decimal(line)
	image, place, found := strings.Cut(rest, "0x0000")
	at, name, hex := text.Hex("0x" + place)
	name, offset, plus := text.CutLast(strings.TrimSpace(name), " + ")
	n, after, number := text.Decimal(offset)
	if !ok || !found || !hex || !plus || !number || after != "" || !strings.HasPrefix(rest, " ") || strings.TrimSpace(image) == "" {
		return text.Frame{}, false
	}
	f = text.Frame{Address: at, Return: true}
	if f.Names.Module = strings.TrimSpace(image); f.Names.Module != "???" && name != "0x0" {
		f.Names.Function, f.Names.Offset = name, n
	}
	return f, true
}

// windows reads a line of Chromium: "base::debug::StackTrace::StackTrace [0x61C20814+20] (base\debug\stack_trace_win.cc:215)", "(No symbol) [0x61C2]".
func windows(line string) (f text.Frame, ok bool) {
	name, rest, ok := strings.Cut(line, " [0x")
	at, rest, hex := text.Hex(rest)
	plus, rest, closed := strings.Cut(rest, "]")
	size, isPlus := strings.CutPrefix(plus, "+")
	n, after, number := text.Decimal(size)
	if name == "(No symbol)" {
		name, isPlus, number = "", plus == "", true
	}
	if !ok || !hex || !closed || !isPlus || !number || after != "" {
		return text.Frame{}, false
	}
	f = text.Frame{Address: at, Return: true}
	f.Names.Function, f.Names.Offset = strings.TrimSpace(name), n
	f.Names.File, f.Names.Line = text.Source(strings.Trim(rest, " ()"))
	return f, true
}
