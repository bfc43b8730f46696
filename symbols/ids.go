package symbols

import (
	"crashglass/core/machine/cpu"
	"strings"
)

// An id is a debug id in one spelling: upper case hex without dashes, the age without leading
// zeros. An ID of zeros is "".
type id string

// guidDigits is the length of the GUID in a debug id; the age follows.
const guidDigits = 32

// idOf reads a debug ID: upper case, without punctuation, and the age without leading zeros. Zeros are no ID.
func idOf(s string) id {
	s = strings.ToUpper(strings.Map(withoutMarks, s))
	if len(s) <= guidDigits {
		return trimZero(s)
	}
	age := strings.TrimLeft(s[guidDigits:], "0")
	if age == "" {
		age = "0"
	}
	if strings.Trim(s[:guidDigits], "0") == "" {
		return ""
	}
	return id(s[:guidDigits] + age)
}

// withoutMarks removes the punctuation between the digits of a GUID.
func withoutMarks(r rune) rune {
	if r == '-' || r == '{' || r == '}' {
		return -1
	}
	return r
}

// trimZero returns an ID as it is, or "" for one of zeros, which linkers write for a build without one.
func trimZero(s string) id {
	if strings.Trim(s, "0") == "" {
		return ""
	}
	return id(s)
}

// guid is an id without its age.
func (i id) guid() id { return i[:min(len(i), guidDigits)] }

// swapped is the id with the first three fields of its GUID in the other byte
// order. Of a build id Breakpad makes a GUID as if it were little-endian, and
// rust-minidump takes the machine's order, so a symbol file of a big-endian
// machine may be filed under either.
func (i id) swapped() id {
	if len(i) < guidDigits {
		return ""
	}
	return reversed(i[:8]) + reversed(i[8:12]) + reversed(i[12:16]) + i[16:]
}

// reversed reverses bytes of two digits each.
func reversed(s id) (out id) {
	for ; len(s) >= 2; s = s[:len(s)-2] {
		out += s[len(s)-2:]
	}
	return out
}

// codeIDOf is a code id in one spelling, or "".
func codeIDOf(s string) id { return trimZero(strings.ToUpper(s)) }

// archNames maps names of CPUs in MODULE records, in lower case, that differ from the names in
// package cpu. Breakpad's dump_syms takes them from the format: src/common/dwarf_cu_to_module.cc,
// mac/dump_syms.cc, windows/pdb_source_line_writer.cc.
var archNames = map[string]string{
	"x86_64": "amd64", "x86_64h": "amd64", "i386": "x86", "i486": "x86", "i586": "x86", "i686": "x86",
	"arm64e": "arm64", "aarch64": "arm64", "armv6": "arm", "armv7": "arm", "armv7s": "arm", "armv7k": "arm",
	"sparcv9": "sparc", "powerpc": "ppc", "powerpc64": "ppc64",
}

// archOf returns the CPU in a file's MODULE record, or "". dump_syms writes "unknown" for a CPU
// that it does not know; that is no reason to refuse a file.
func archOf(name string) string {
	name = strings.ToLower(name)
	if known, ok := archNames[name]; ok {
		name = known
	}
	if cpu.ByName(name) == nil {
		return ""
	}
	return name
}
