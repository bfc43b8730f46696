package crash

import (
	"fmt"
	"strconv"
	"strings"
)

// Exception classes of the runtimes of C++: four letters of the vendor, then
// C++ and a zero. Sources: libstdc++ unwind-cxx.h, libc++abi cxa_exception.h.
const (
	classGNU  = 0x474e_5543_432b_2b00 // GNUCC++
	classLLVM = 0x434c_4e47_432b_2b00 // CLNGC++

	dependent = 1 // in the last letter: thrown by std::rethrow_exception
)

// Offsets around the _Unwind_Exception, which begins with the class, on 64 bits. The headers of
// both runtimes differ only before exceptionType.
const (
	typeBefore   = 80 // exceptionType
	objectBehind = 32 // the thrown object
)

// thrown adds the thrown object, if the dump has the memory: the exception object is on the heap,
// its type in the module's data.
func (s *facts) thrown(f Finding) Finding {
	if f.Kind != Thrown {
		return f
	}
	name, message := s.exceptionObject()
	if name == "" {
		return f
	}
	f.Text = "C++ exception: " + name
	text := fmt.Sprintf("The thrown object is a %s.", name)
	if message != "" {
		text = fmt.Sprintf("The thrown object is a %s, probably with the message: %s", name, sentenceOf(message))
	}
	f.Evidence = append([]string{text}, f.Evidence...)
	return f
}

// exceptionObject searches the registers and the top of the stack for a pointer to an exception
// object.
func (s *facts) exceptionObject() (name, message string) {
	if s.in.Memory == nil || s.in.Arch == nil || s.in.Arch.Word != 8 {
		return "", ""
	}
	sp, _ := s.sp()
	for i := range uint64(messageWords) {
		at, ok := s.word(sp + 8*i)
		if !ok {
			break
		}
		if class, ok := s.word(at); !ok || class&^0xff != classGNU && class&^0xff != classLLVM {
			continue
		}
		if object, ok := s.thrownObject(at); ok {
			if name := s.typeInfo(object - objectBehind - typeBefore); name != "" {
				return name, s.whatString(object)
			}
		}
	}
	return "", ""
}

// thrownObject returns the object of the exception at an address: directly behind it or, for a
// dependent exception, behind a pointer. libstdc++ has that pointer in place of the type, libc++abi
// before the type (struct __cxa_dependent_exception).
func (s *facts) thrownObject(at uint64) (object uint64, ok bool) {
	switch class, _ := s.word(at); class {
	case classGNU | dependent:
		return s.word(at - typeBefore)
	case classLLVM | dependent:
		return s.word(at - typeBefore - 8)
	}
	return at + objectBehind, true
}

// typeInfo returns the name in the std::type_info that a word points to. The name follows the
// pointer to the virtual table. Itanium C++ ABI, 2.9.
func (s *facts) typeInfo(at uint64) string {
	info, ok := s.word(at)
	if !ok {
		return ""
	}
	name, ok := s.word(info + 8)
	if !ok {
		return ""
	}
	return plainType(s.cstring(name, 256))
}

// whatString returns the text of a std::runtime_error, std::logic_error or a class derived from
// them. In libstdc++ and libc++ a pointer to it follows the pointer to the virtual table. Other
// classes have other members there.
func (s *facts) whatString(object uint64) string {
	at, ok := s.word(object + 8)
	if !ok {
		return ""
	}
	if text := s.cstring(at, messageMax); len(text) > 2 {
		return text
	}
	return ""
}

// plainType reads the mangled name of a class without template arguments:
// "St13runtime_error" is std::runtime_error, "N3app5ErrorE" is app::Error.
func plainType(mangled string) string {
	rest := strings.TrimPrefix(mangled, "*")
	parts := []string{}
	if std, ok := strings.CutPrefix(rest, "St"); ok {
		parts, rest = append(parts, "std"), std
	}
	if inner, ok := strings.CutPrefix(rest, "N"); ok {
		rest = strings.TrimSuffix(inner, "E")
		if std, ok := strings.CutPrefix(rest, "St"); ok {
			parts, rest = append(parts, "std"), std
		}
	}
	for rest != "" {
		digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		n, err := strconv.Atoi(rest[:digits])
		if err != nil || n <= 0 || digits+n > len(rest) {
			return mangled
		}
		parts, rest = append(parts, rest[digits:digits+n]), rest[digits+n:]
	}
	return strings.Join(parts, "::")
}
