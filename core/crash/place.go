package crash

import (
	"fmt"
	"slices"
	"strings"
)

// symbolReach is how far behind a linker symbol code is still taken for that
// function: no function is larger, and what lies further has another name.
const symbolReach = 1 << 16

// notFunctions are symbols of linkers that name a section or the file itself.
var notFunctions = []string{
	"_mh_execute_header", "__mh_execute_header", "_mh_dylib_header", "__mh_dylib_header", "__executable_start",
	"__ImageBase", "_text", "_stext", "_etext", "__etext", "__bss_start", "_end", "__text", "_init", "_fini", "__dso_handle",
}

// trustedName reports whether a frame's function is worth its name: not that of
// a section, and not of a symbol that lies far in front.
func (f *Frame) trustedName() bool {
	return f.Function != "" && !(f.Public && f.Distance > symbolReach) &&
		f.Function[0] != '.' && !slices.Contains(notFunctions, f.Function)
}

// name is what a frame is called: function, or module and offset, or address.
func (f *Frame) name() string {
	switch {
	case f.trustedName():
		return f.Function
	case f.Module != "":
		return fmt.Sprintf("%s + %#x", f.Module, f.ModuleOffset)
	case f.Function != "":
		return f.Function // of an unloaded module
	case f.Unloaded != "":
		return f.Unloaded + " (unloaded)"
	}
	return hex(f.Address)
}

// place is a frame's name with the module, in prose, and with its doubt.
func (f *Frame) place() string {
	text := fmt.Sprintf("`%s`", f.name())
	if f.trustedName() && f.Module != "" {
		text += " of " + f.Module
	}
	if f.Guess {
		text = "probably " + text
	}
	return text
}

// sourceLine is where a frame is in the source: "threads.cpp:12", or "".
func (f *Frame) sourceLine() string {
	file := f.File[strings.LastIndexAny(f.File, `/\`)+1:]
	if file == "" || f.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, f.Line)
}
