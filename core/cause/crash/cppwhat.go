package crash

import (
	"encoding/binary"
	"fmt"
	"strings"
)

// whatEntry is the entry of what() in the virtual table of a class that is derived from std::exception alone: behind two destructors. Sources:
// libstdc++ <bits/exception.h>, libc++ <__exception/exception.h>, Itanium C++ ABI, 2.5.
const whatEntry = 2

// mostBases bounds the classes between a thrown one and std::exception.
const mostBases = 8

// whatLiteral returns the text of a what() that only returns a constant address, or "".
func (s *facts) whatLiteral(object uint64) string {
	table, ok := s.word(object)
	if !ok || !s.isException(table) {
		return ""
	}
	what, _ := s.word(table + 8*whatEntry)
	at, ok := s.constantReturn(what)
	if !ok || !s.constant(at) {
		return ""
	}
	return s.cstring(at, messageMax)
}

// isException reports whether a class is std::exception or has it as its only base, by the std::type_info in front of its virtual table: a class
// with one base has a pointer to that of the base behind its name. Itanium C++ ABI, 2.9.5 (__si_class_type_info).
func (s *facts) isException(table uint64) bool {
	info, ok := s.word(table - 8)
	for range mostBases {
		name, read := s.word(info + 8)
		if !ok || !read || s.in.Modules.IndexAt(info) < 0 {
			return false
		}
		if s.cstring(name, 64) == "St9exception" {
			return true
		}
		info, ok = s.word(info + 16)
	}
	return false
}

// The instructions of a function on amd64 that only returns an address, as GCC and Clang make them with and without optimization.
const (
	endbr64  = "\xf3\x0f\x1e\xfa"
	prologue = "\x55\x48\x89\xe5\x48\x89\x7d\xf8" // push rbp; mov rbp, rsp; mov [rbp-8], rdi
	leaRAX   = "\x48\x8d\x05"                     // lea rax, [rip + 32 bits]
	movEAX   = "\xb8"                             // mov eax, 32 bits
)

// constantReturn returns the address that a function returns, if it does nothing else.
func (s *facts) constantReturn(function uint64) (uint64, bool) {
	const longest = len(endbr64) + len(prologue) + len(leaRAX) + 4 + len("\x5d\xc3")
	if !s.in.Arch.IsAMD64() {
		return s.constantReturnARM64(function)
	}
	code := string(s.bytes(function, longest))
	rest := strings.TrimPrefix(code, endbr64)
	rest, framed := strings.CutPrefix(rest, prologue)
	rest, relative := strings.CutPrefix(rest, leaRAX)
	if !relative {
		var absolute bool
		if rest, absolute = strings.CutPrefix(rest, movEAX); !absolute {
			return 0, false
		}
	}
	address := uint64(binary.LittleEndian.Uint32([]byte(rest)))
	rest = rest[4:]
	if relative {
		address = function + uint64(len(code)-len(rest)) + uint64(int64(int32(address)))
	}
	if framed {
		var popped bool
		if rest, popped = strings.CutPrefix(rest, "\x5d"); !popped { // pop rbp
			return 0, false
		}
	}
	return address, rest[0] == '\xc3' // ret
}

// constantReturnARM64 reads adrp x0; add x0, x0, #n; ret. Source: Arm Architecture Reference Manual, C6.2.
func (s *facts) constantReturnARM64(function uint64) (uint64, bool) {
	if !s.in.Arch.IsARM64() {
		return 0, false
	}
	adrp, _ := s.in.Memory.Word(function, 4)
	add, _ := s.in.Memory.Word(function+4, 4)
	ret, _ := s.in.Memory.Word(function+8, 4)
	if adrp&0x9f00_001f != 0x9000_0000 || add&0xffc0_03ff != 0x9100_0000 || ret != 0xd65f_03c0 {
		return 0, false
	}
	pages := int64(adrp>>5&0x7_ffff<<2|adrp>>29&3) << 43 >> 43
	return function&^0xfff + uint64(pages<<12) + add>>10&0xfff, true
}

// nestedDepth bounds the words of an exception that are searched for the one inside it.
const nestedDepth = 16

// isNested reports whether a class is one that std::throw_with_nested makes.
func isNested(name string) bool {
	return strings.HasPrefix(name, "std::_Nested_exception<") || strings.HasPrefix(name, "std::__nested<")
}

// nested names the exception that std::throw_with_nested put into another one, or returns "": a std::nested_exception has a pointer to its
// object. Sources: libstdc++ <bits/nested_exception.h>, libc++ <__exception/nested_exception.h>.
func (s *facts) nested(name string, object uint64) string {
	if !isNested(name) {
		return ""
	}
	for i := range uint64(nestedDepth) {
		inner, _ := s.word(object + 8*i)
		class, ok := s.word(inner - objectBehind)
		if !ok || class&^0xff != classGNU && class&^0xff != classLLVM {
			continue
		}
		if inner, ok = s.thrownObject(inner - objectBehind); !ok {
			return ""
		}
		if name := s.typeInfo(inner - objectBehind - typeBefore); name != "" {
			return fmt.Sprintf("(inside it: %s)", strings.TrimSuffix(join(name+",", s.valueText(name, inner)), ","))
		}
	}
	return ""
}
