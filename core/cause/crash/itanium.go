package crash

import (
	"cmp"
	"fmt"
	"slices"
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
// both runtimes differ only before exceptionType. With the exceptions of Windows, the unwinders of GNU and LLVM keep six private words
// and not two. Sources: libgcc, unwind-generic.h; LLVM, unwind.h and unwind_itanium.h (__SEH__).
const (
	typeBefore      = 80 // exceptionType
	objectBehind    = 32 // the thrown object
	objectBehindSEH = 64
)

func (s *facts) objectBehind() uint64 {
	if s.in.OS.IsWindows() {
		return objectBehindSEH
	}
	return objectBehind
}

// thrown adds the thrown object, if the dump has the memory: the exception object is on the heap,
// its type in the module's data.
func (s *facts) thrown(f Finding) Finding {
	if f.Kind != Thrown {
		return f
	}
	name, message, object := s.exceptionObject()
	if name == "" {
		name = s.typeOfThrow()
	}
	if name == "" {
		return f
	}
	f.Text = "C++ exception: " + name
	isValue := integerBits[name] > 0 || slices.Contains(plainValues, name)
	if message == "" && object != 0 {
		message, isValue = s.enumerator(name, object), true
	}
	text := fmt.Sprintf("The thrown object is of type %s.", name)
	switch {
	case message == "":
	case isValue:
		text = fmt.Sprintf("The thrown object is of type %s. Its value is probably %s.", name, message)
	default:
		text = fmt.Sprintf("The thrown object is of type %s, probably with the message: %s", name, sentenceOf(message))
	}
	f.Evidence = append([]string{text}, f.Evidence...)
	return f
}

// standardThrows are the exceptions that libraries throw by functions called std::__throw_ and the name. Sources: libstdc++, bits/functexcept.h
// and the headers of <functional>, <optional>, <variant>, <any> and <memory>; libc++, <stdexcept> and <new>.
var standardThrows = strings.Fields("logic_error domain_error invalid_argument length_error out_of_range runtime_error range_error overflow_error " +
	"underflow_error bad_alloc bad_cast bad_typeid bad_exception bad_function_call bad_array_new_length bad_optional_access bad_variant_access bad_any_cast " +
	"bad_weak_ptr system_error regex_error future_error")

// typeOfThrow returns the type of the thrown object of a dump without the heap, or "": by the function that throws exceptions of one type, or by the
// std::type_info that __cxa_throw was called with.
func (s *facts) typeOfThrow() string {
	at := s.rowOf(&meaning{names: []string{"__cxa_throw"}}, endDepth, true)
	if at < 0 {
		return ""
	}
	rows := s.in.Frames
	for i := at + 1; i < len(rows) && !rows[i].Guess && !s.isOwn(&rows[i]); i++ {
		name, ok := strings.CutPrefix(strings.Replace(s.plainName(i), "std::__1::", "std::", 1), "std::__throw_")
		if name = strings.TrimSuffix(name, "_fmt"); ok && rows[i].certain() && slices.Contains(standardThrows, name) {
			return "std::" + name
		}
	}
	if registers := s.argumentRegisters(); s.in.Argument != nil && registers != nil {
		info, _ := s.in.Argument(rows[at].Index, registers[1])
		return s.typeBySymbol(info)
	}
	return ""
}

// typeBySymbol returns the type whose std::type_info is at an address, by the symbol there, or "".
func (s *facts) typeBySymbol(info uint64) string {
	if s.in.Datum == nil {
		return ""
	}
	name, ok := strings.CutPrefix(s.in.Datum(info), "typeinfo for ")
	if !ok {
		return ""
	}
	return longTypes.Replace(longTypes.Replace(name))
}

// endOfThrow returns the headline and the reason of a meaning about exceptions: that one reached a noexcept function, or why std::terminate
// or __cxa_rethrow ended the program if no exception is found.
func (s *facts) endOfThrow(m *meaning) (text, why string) {
	if m.kind != Thrown {
		return m.text, m.why
	}
	if i := s.rowOf(&meaning{names: noexceptEnds}, endDepth, true); i >= 0 {
		return m.text, "It reached " + noexceptPlace(s.noexceptFunction(i)) + " declared noexcept, as destructors are."
	}
	if name, _, _ := s.exceptionObject(); name != "" || !s.hasHeap() {
		return m.text, m.why
	}
	return s.withoutException(m)
}

// noexceptPlace names code that is declared noexcept by the function that has it. Only of a destructor it is certain that it is not inlined code alone.
func noexceptPlace(function string) string {
	switch {
	case function == "":
		return "a function that is"
	case strings.Contains(function, "::~"):
		return "`" + function + "`, which is"
	}
	return "code of `" + function + "` that is"
}

// noexceptEnds are the functions that call std::terminate for an exception that may not leave a function. Those behind the first are
// called by code of that function itself.
var noexceptEnds = []string{"__gxx_personality*", "__cxa_call_terminate*", "__clang_call_terminate"}

// noexceptFunction names the function that an exception may not leave, or returns "". The row is that of what calls std::terminate.
func (s *facts) noexceptFunction(i int) string {
	rows := s.in.Frames
	next := i + 1
	for next < len(rows) && rows[next].Frame == rows[i].Frame {
		next++
	}
	switch {
	case next == len(rows):
	case !matches(noexceptEnds[0], s.plainName(i)):
		if f := &rows[next]; !f.Guess && s.isOwn(f) {
			return f.function()
		}
	default:
		return s.unwound(next)
	}
	return ""
}

// unwound names the frame that the unwinder has reached, or returns "". libgcc's struct _Unwind_Context has the address that the frame
// returns to behind its stack pointer. Source: libgcc, unwind-dw2.c, cfa and ra.
func (s *facts) unwound(i int) string {
	rows := s.in.Frames
	for end := min(len(rows), i+3); i < end && !s.isOwn(&rows[i]); i++ {
		low, high := s.locals(i)
		for at := low; at < high; at += uint64(s.in.Arch.Word) {
			sp, _ := s.word(at)
			to, _ := s.word(at + uint64(s.in.Arch.Word))
			for n := i + 1; n < len(rows) && sp >= high; n++ {
				f := &rows[n]
				if v, ok := f.Walked().Regs.Get(s.in.Arch.SP); ok && !f.Guess && v == sp && f.Walked().ReturnAddress == to && s.isOwn(f) {
					return f.function()
				}
			}
		}
	}
	return ""
}

// withoutException says why std::terminate or __cxa_rethrow ended the program if no exception is found. One may exist all the same: a
// catch block may call std::terminate. Nothing is concluded if the dump has no heap, where exceptions are.
func (s *facts) withoutException(m *meaning) (text, why string) {
	switch {
	case s.frameNamed("std::thread::~thread", "std::thread::operator=", "std::__1::thread::~thread", "std::__1::thread::operator=") != nil:
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

// exceptionObject searches the registers and the top of each of the inner frames for a pointer to an exception object: a terminate
// handler may have many variables.
func (s *facts) exceptionObject() (name, message string, object uint64) {
	if s.in.Memory == nil || s.in.Arch == nil || s.in.Arch.Word != 8 {
		return "", "", 0
	}
	sp, _ := s.sp()
	if name, message, object = s.exceptionIn(sp); name != "" {
		return name, message, object
	}
	for i := range s.in.Frames[:min(len(s.in.Frames), endDepth)] {
		if s.in.Frames[i].Inline != nil {
			continue
		}
		low, _ := s.locals(i)
		if name, message, object = s.exceptionIn(low); name != "" {
			return name, message, object
		}
	}
	return "", "", 0
}

// enumerator names the value of a thrown enumeration of the program by its debug information, "" for other types.
func (s *facts) enumerator(name string, object uint64) string {
	i := firstOwn(s.in, 0)
	if s.in.Enumerator == nil || i < 0 || s.in.Frames[i].index() < 0 || strings.HasPrefix(name, "std::") {
		return ""
	}
	return s.in.Enumerator(s.in.Frames[i].index(), name, object)
}

// exceptionIn searches words of the stack from an address on: pointers to an _Unwind_Exception or, as in frames of libc++abi, to the object
// behind it.
func (s *facts) exceptionIn(low uint64) (name, message string, object uint64) {
	for i := range uint64(messageWords) {
		word, ok := s.word(low + 8*i)
		if !ok {
			break
		}
		for _, at := range []uint64{word, word - s.objectBehind()} {
			if class, ok := s.word(at); !ok || class&^0xff != classGNU && class&^0xff != classLLVM {
				continue
			}
			if object, ok := s.thrownObject(at); ok {
				if name := s.typeInfo(object - s.objectBehind() - typeBefore); name != "" {
					return name, join(s.valueText(name, object), s.nested(name, object)), object
				}
			}
		}
	}
	return "", "", 0
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
	return at + s.objectBehind(), true
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
	mangled := strings.TrimPrefix(s.cstring(name, 256), "*")
	text := typeText(mangled)
	if text == mangled && strings.HasPrefix(mangled, localType) {
		return cmp.Or(s.typeBySymbol(info), text)
	}
	return text
}

// localType begins the mangled names of types that a function has, such as lambdas: they have the function's name with its parameters.
const localType = "Z"

// integerBits are the sizes of integers that programs throw; plainValues are the other types whose value is no message.
var (
	integerBits = map[string]int{"signed char": 8, "short": 16, "int": 32, "long": 64, "long long": 64,
		"unsigned char": 8, "unsigned short": 16, "unsigned int": 32, "unsigned long": 64, "unsigned long long": 64}
	plainValues = []string{"bool", "char", "float", "double"}
)

// bits is the size of an integer; 0 for other types. A long has 32 bits on Windows and on 32-bit CPUs.
func (s *facts) bits(name string) int {
	if strings.TrimPrefix(name, "unsigned ") == "long" && (s.in.OS.IsWindows() || s.in.Arch.Word == 4) {
		return 32
	}
	return integerBits[name]
}

// valueText returns the value of a thrown number or text, or what an exception says.
func (s *facts) valueText(name string, object uint64) string {
	if bits := s.bits(name); bits > 0 {
		v, ok := s.in.Memory.Word(object, bits/8)
		switch {
		case !ok:
			return ""
		case strings.HasPrefix(name, "unsigned "):
			return strconv.FormatUint(v, 10)
		}
		return signedText(v, bits)
	}
	switch name {
	case "bool":
		if v, ok := s.in.Memory.Word(object, 1); ok && v < 2 {
			return strconv.FormatBool(v != 0)
		}
		return ""
	case "char":
		if v, ok := s.in.Memory.Word(object, 1); ok && v >= 0x20 && v < 0x7f {
			return "'" + string(rune(v)) + "'"
		}
		return ""
	case "float":
		if v, ok := s.in.Memory.Word(object, 4); ok {
			return float32Text(v)
		}
		return ""
	case "double":
		if v, ok := s.word(object); ok {
			return float64Text(v)
		}
		return ""
	case "char const*", "char*":
		at, _ := s.word(object)
		return s.cstring(at, messageMax)
	case "std::string":
		return s.stringAt(object)
	case "std::basic_string_view<char, std::char_traits<char>>":
		return s.viewAt(object)
	}
	if class, ok := strings.CutSuffix(name, "*"); ok && strings.HasPrefix(class, "std::") { // thrown by `throw new`
		at, _ := s.word(object)
		return s.valueText(class, at)
	}
	if strings.HasPrefix(name, "std::") && strings.Contains(name, "<") && !isNested(name) {
		return "" // a std::shared_ptr, a container
	}
	text := cmp.Or(s.filesystemText(name, object), s.whatLiteral(object), s.whatString(object))
	if text == name { // std::bad_alloc
		return ""
	}
	if !strings.HasPrefix(name, "std::") { // a member of the program's class
		text = cmp.Or(text, s.memberText(object, object+8), s.memberText(object, object))
	}
	return text
}

// isGNU reports whether the library of a thrown object is libstdc++.
func (s *facts) isGNU(object uint64) bool {
	class, _ := s.word(object - s.objectBehind())
	return class&^0xff == classGNU
}

// filesystemText returns what a std::filesystem::filesystem_error says, or "": a string behind the two paths of what it shares, to which a pointer
// lies behind the base class, std::system_error. Sources: libstdc++, src/c++17/fs_ops.cc and fs_path.cc (filesystem_error::_Impl, a path is a string
// and a pointer); libc++, <__filesystem/filesystem_error.h> (_Storage, a path is a string).
func (s *facts) filesystemText(name string, object uint64) string {
	if !strings.HasSuffix(name, "filesystem_error") || !strings.HasPrefix(name, "std::") {
		return ""
	}
	shared, _ := s.word(object + 32)
	if s.isGNU(object) {
		return s.stringAt(shared + 2*40)
	}
	return s.stringAt(shared + 2*24)
}

// memberText returns the text of a std::string in an object of unknown members, or "". Numbers look like a short text of libc++, so there is none
// in an exception of libstdc++, whose strings always have a pointer, and none that ends in the middle.
func (s *facts) memberText(object, at uint64) string {
	data, _ := s.word(at)
	text := s.stringAt(at)
	if s.isGNU(object) && !s.captured(data) || strings.Contains(text, "\x00") {
		return ""
	}
	return text
}

// stringAt returns the text of a std::string. libstdc++'s has a pointer, a length, and text that ends there. libc++'s has the text behind
// twice its length in one byte or, if that is odd, a capacity, a length and a pointer. Source: libc++, __string (struct __long and __short).
func (s *facts) stringAt(at uint64) string {
	const room = 22 // of a short text
	data, _ := s.word(at)
	length, _ := s.word(at + 8)
	if first := data & 0xff; !s.captured(data) && first&1 == 0 && first/2 <= room {
		data, length = at+1, first/2
	} else if !s.captured(data) {
		data, _ = s.word(at + 16)
	}
	if end, ok := s.in.Memory.Word(data+length, 1); !ok || end != 0 {
		return ""
	}
	return s.textOf(data, length)
}

// viewAt returns the text of a std::string_view. libstdc++'s has the length and a pointer, libc++'s a pointer and the length. Sources: libstdc++ and
// libc++, <string_view>.
func (s *facts) viewAt(at uint64) string {
	data, _ := s.word(at)
	length, _ := s.word(at + 8)
	if s.isGNU(at) {
		data, length = length, data
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

// mostVirtual bounds the entries of a virtual table that are searched.
const mostVirtual = 64

// pureClass names the class of the object whose pure virtual function was called, or returns "". The caller keeps a pointer to the object on
// its stack or in a register, or one to an object that begins with such a pointer, or the object itself is on the stack. Its virtual table has the
// address of the function that ends the program.
func (s *facts) pureClass() string {
	const name = "__cxa_pure_virtual"
	f := s.frameNamed(name)
	if f == nil || f.index() < 0 || s.in.Memory == nil || s.in.Arch == nil {
		return ""
	}
	pure, ok := s.exported(&s.in.Modules.Modules()[f.index()], name)
	for i := range s.in.Frames {
		r := &s.in.Frames[i]
		if r.Frame != f.Frame || !ok {
			continue
		}
		end := min(i+3, len(s.in.Frames))
		direct := func(v, _ uint64) string { return s.classWith(v, pure) }
		if class := s.inFrames(i, end, direct); class != "" {
			return "The object is of class " + class + "."
		}
		indirect := func(v, at uint64) string {
			held, _ := s.word(v)
			return cmp.Or(s.classWith(at, pure), s.classWith(held, pure))
		}
		if class := s.inFrames(i, end, indirect); class != "" {
			return "The object is probably of class " + class + "."
		}
		break
	}
	return ""
}

// inFrames returns the first text for the registers of frames and the words of their stacks, of which it also gives the address.
func (s *facts) inFrames(from, end int, text func(v, at uint64) string) string {
	for n := from; n < end; n++ {
		for _, v := range s.in.Frames[n].Walked().Regs.All() {
			if found := text(v, 0); found != "" {
				return found
			}
		}
		low, high := s.locals(n)
		for at := low; at < high; at += uint64(s.in.Arch.Word) {
			v, _ := s.word(at)
			if found := text(v, at); found != "" {
				return found
			}
		}
	}
	return ""
}

// classWith returns the class of an object whose virtual table has an entry, or "". In front of the table is a pointer to the
// std::type_info. Itanium C++ ABI, 2.5.
func (s *facts) classWith(object, entry uint64) string {
	table, ok := s.word(object)
	if !ok || s.in.Modules.IndexAt(table) < 0 {
		return ""
	}
	word := uint64(s.in.Arch.Word)
	for i := range uint64(mostVirtual) {
		v, ok := s.word(table + i*word)
		if !ok {
			return ""
		}
		if v == entry {
			return s.typeInfo(table - word)
		}
	}
	return ""
}
