package crash

import "strings"

// isOwn reports whether a frame is of the person's own code: in a module that
// is neither the system's nor a runtime, and no part of how programs end.
func (s *state) isOwn(f *Frame) bool { return ownFrame(s.in, f) }

// isSystem reports whether a frame is in a module of the system or of a runtime.
func (s *state) isSystem(f *Frame) bool { return systemFrame(s.in, f) }

func ownFrame(in *Input, f *Frame) bool {
	return f.ModuleIndex >= 0 && !systemFrame(in, f) && !isMachinery(f) && !isLibrary(f)
}

func systemFrame(in *Input, f *Frame) bool {
	return f.System || isRuntimeModule(f.Module)
}

// firstOwn is the index of the innermost frame of the program's own code: one
// that was found for sure if there is one before the first scanned frame,
// otherwise the first scanned one; -1 when there is none.
func firstOwn(in *Input, from int) int {
	for i := from; i < len(in.Frames); i++ {
		if ownFrame(in, &in.Frames[i]) {
			return i
		}
	}
	return -1
}

// runtimeModules are libraries that languages and compilers bring along, and
// that programs ship: a crash in them is nearly always the caller's. Names are
// in lower case; one that ends in '*' is a beginning.
var runtimeModules = []string{
	// GNU, LLVM and musl; names without folders come from Breakpad on Android and from cores.
	"libstdc++.so*", "libgcc_s.so*", "libc++.so*", "libc++abi.so*", "libc++_shared.so", "libunwind.so*",
	"libasan.so*", "libubsan.so*", "libtsan.so*", "liblsan.so*", "libhwasan.so*", "libclang_rt.*", "clang_rt.*",
	"libgnustl_shared.so",
	// Visual C++ and the universal C library.
	"vcruntime140*", "msvcp140*", "msvcr*.dll", "msvcp*.dll", "ucrtbase*.dll", "concrt140*.dll", "vccorlib140*.dll",
	"libstdc++-6.dll", "libgcc_s_*.dll", "libwinpthread-1.dll",
	// Apple's languages.
	"libswift*", "libobjc*", "libc++*.dylib", "libc++abi*.dylib", "libdispatch*", "libclang_rt*",
	// .NET, Mono and Java.
	"coreclr.dll", "libcoreclr.*", "clr.dll", "mscorwks.dll", "clrjit.dll", "libclrjit.*", "hostfxr.dll", "libhostfxr.*",
	"hostpolicy.dll", "libhostpolicy.*", "system.private.corelib.dll", "mono-2.0-*", "libmono*", "jvm.dll", "libjvm.*", "libart.so",
	"libjava.*", "java.dll",
}

// isRuntimeModule reports whether a module is a language's runtime, by name.
func isRuntimeModule(name string) bool {
	name = strings.ToLower(name)
	for _, pattern := range runtimeModules {
		if matches(pattern, name) {
			return true
		}
	}
	return false
}

// isLibrary reports whether a frame is of a standard library that is compiled
// into programs.
func isLibrary(f *Frame) bool {
	name := strings.TrimLeft(f.Function, "<")
	for _, prefix := range libraryNames {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// libraryNames are what the names of standard libraries begin with: C++, Rust,
// Swift, Go (see machinery for its runtime).
var libraryNames = []string{
	"std::", "core::", "alloc::", "__gnu_cxx::", "__cxxabiv1::", "boost::throw_exception", "operator new", "absl::", "hashbrown::",
	"Swift.", "generic specialization <", "protocol witness for ", "partial apply for ",
}
