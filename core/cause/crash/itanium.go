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
	switch {
	case name == "":
		return f
	case s.frameNamed("__cxa_call_terminate*", "__clang_call_terminate", "__gxx_personality*") != nil:
		f.Evidence = append([]string{"It reached a function that is declared noexcept, as destructors are."}, f.Evidence[1:]...)
	}
	f.Text = "C++ exception: " + name
	text := fmt.Sprintf("The thrown object is of type %s.", name)
	if message != "" {
		text = fmt.Sprintf("The thrown object is of type %s, probably with the message: %s", name, sentenceOf(message))
	}
	f.Evidence = append([]string{text}, f.Evidence...)
	return f
}

// withoutException says why std::terminate or __cxa_rethrow ended the program if no exception is found. One may exist all the same: a
// terminate handler with large variables hides it, and a catch block may call std::terminate. Nothing is concluded if the dump has
// no heap, where exceptions are.
func (s *facts) withoutException(m *meaning) (text, why string) {
	if m.kind != Thrown || !s.hasHeap() {
		return m.text, m.why
	}
	if name, _ := s.exceptionObject(); name != "" {
		return m.text, m.why
	}
	switch {
	case s.frameNamed("std::thread::~thread", "std::thread::operator=") != nil:
		return "A joinable std::thread was destroyed", "std::terminate was called, because neither join nor detach had been called before the std::thread was destroyed or replaced."
	case s.frameNamed("__cxa_rethrow") != nil:
		return "Rethrow, probably without an exception", "`throw;` was executed, and no exception was found on the stack: it ends the program if none is being handled."
	case s.frameNamed("__cxa_throw", "std::rethrow_exception*", "std::__throw_*") == nil && s.frameNamed("std::terminate*") != nil:
		return "std::terminate was called", "No exception was found on the stack. Without one, most often a std::thread is destroyed that was neither joined nor detached."
	}
	return m.text, m.why
}

// hasHeap reports whether the dump has memory that is neither a stack nor of a module.
func (s *facts) hasHeap() bool {
	for i := range s.in.Regions[:min(len(s.in.Regions), 64)] {
		if g := &s.in.Regions[i]; g.Allows('w') && !s.inStack(g.Start) && s.in.Modules.IndexAt(g.Start) < 0 && s.captured(g.Start) {
			return true
		}
	}
	return false
}

// frameNamed returns the innermost frame with a certain name that matches one of the patterns, or nil.
func (s *facts) frameNamed(patterns ...string) *Row {
	return s.frameOf(&meaning{names: patterns}, endDepth, true)
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
				return name, s.valueText(name, object)
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
	return typeText(strings.TrimPrefix(s.cstring(name, 256), "*"))
}

// valueText returns the value of a thrown number or text, or what an exception says.
func (s *facts) valueText(name string, object uint64) string {
	if bits := map[string]int{"short": 16, "int": 32, "long": 64, "long long": 64}[name]; bits > 0 {
		v, ok := s.in.Memory.Word(object, bits/8)
		if !ok {
			return ""
		}
		return strconv.FormatInt(int64(v<<(64-bits))>>(64-bits), 10)
	}
	switch name {
	case "char const*", "char*":
		at, _ := s.word(object)
		return s.cstring(at, messageMax)
	case "std::string":
		return s.stringAt(object)
	}
	return s.whatString(object)
}

// stringAt returns the text of a std::string of libstdc++: a pointer, a length, and text that ends there.
func (s *facts) stringAt(at uint64) string {
	data, _ := s.word(at)
	length, _ := s.word(at + 8)
	if end, ok := s.in.Memory.Word(data+length, 1); !ok || end != 0 {
		return ""
	}
	return s.textOf(data, length)
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
