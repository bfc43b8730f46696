package pdb

import (
	"strconv"
	"strings"
)

// undecorate removes the decoration of C names on x86, which encodes the calling convention and the
// bytes of arguments: _name is __cdecl, _name@8 is __stdcall, @name@8 __fastcall, name@@16
// __vectorcall. The last one exists on x64, too; there an underscore in front is part of the name.
//
// plain is "" where nothing is to be taken off. size is the number of bytes on the stack, where
// sized says that the name tells. Up to eight bytes of a __fastcall or __vectorcall are in
// registers; the name does not say which, so size can be too small by four if an argument has eight
// bytes.
//
// Source: https://learn.microsoft.com/cpp/build/reference/decorated-names
func (f *File) undecorate(name string) (plain string, size uint32, sized bool) {
	x86 := f.dbi.machine == machineX86
	if strings.HasPrefix(name, "?") || strings.ContainsAny(name, ":(") {
		return "", 0, false
	}
	if base, n, ok := cutSize(name, "@@"); ok {
		return base, max(n, 8) - 8, x86
	}
	if !x86 || len(name) < 2 || name[0] != '_' && name[0] != '@' {
		return "", 0, false
	}
	base, n, sized := cutSize(name[1:], "@")
	switch {
	case name[0] == '@' && sized:
		return base, max(n, 8) - 8, true
	case name[0] == '@':
		return "", 0, false
	case sized:
		return base, n, true
	}
	return name[1:], 0, false
}

// cutSize splits a name from the number behind the last separator.
func cutSize(name, sep string) (string, uint32, bool) {
	i := strings.LastIndex(name, sep)
	if i <= 0 {
		return name, 0, false
	}
	n, err := strconv.ParseUint(name[i+len(sep):], 10, 16)
	return name[:i], uint32(n), err == nil
}
