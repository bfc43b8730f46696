package crash

import (
	"slices"
	"strings"

	"crashglass/core/report"
)

// isOwn reports whether a frame is the program's own code: its module belongs neither to the system
// nor to a runtime, and its function does not end programs.
func (s *facts) isOwn(f *Row) bool { return ownFrame(s.in, f) }

// isSystem reports whether a frame's module belongs to the system or to a runtime.
func (s *facts) isSystem(f *Row) bool { return systemFrame(s.in, f) }

// ownFrame is isOwn without an analysis: for the verdict. A function without a name that never returns
// is taken for one that ends the program.
func ownFrame(in *Input, f *Row) bool {
	return (f.index() >= 0 || f.Inline.Interpreted() || f.Generated()) && ownCode(in, f) && !(f.NeverReturns && f.function() == "")
}

func ownCode(in *Input, f *Row) bool {
	if f.Inline.Interpreted() { // its name is of another language, and its file is known
		file, _ := f.source()
		return f.function() != "" && file != "" && !inLibrary(f)
	}
	return !systemFrame(in, f) && !isMachinery(f) && !isLibrary(f)
}

// inLibrary reports whether a row's source file is one of a standard library.
func inLibrary(f *Row) bool {
	file, _ := f.source()
	return slices.ContainsFunc(libraryFolders, func(folder string) bool { return strings.Contains(file, folder) })
}

// systemFrame is isSystem without an analysis.
func systemFrame(in *Input, f *Row) bool {
	return !f.Inline.Interpreted() && (f.System || isRuntimeModule(f.module()) && !(in != nil && f.module() == "node" && !isNode(in)))
}

// isNode reports whether a stack has functions of Node.js: other programs have the name of its program, too.
func isNode(in *Input) bool {
	return slices.ContainsFunc(in.Frames, func(r Row) bool {
		name := r.function()
		return strings.HasPrefix(name, "node::") || strings.HasPrefix(name, "v8::") || strings.HasPrefix(name, "Builtins_")
	})
}

// firstOwn returns the index of the innermost frame of the program's own code, or -1. A certain
// frame before the first scanned one is preferred; otherwise it is the first scanned one.
func firstOwn(in *Input, from int) int {
	for i := from; i < len(in.Frames); i++ {
		if f := &in.Frames[i]; ownFrame(in, f) || f.index() < 0 && f.placed() && ownCode(in, f) {
			return i
		}
	}
	return -1
}

// runtimeModules are libraries of languages and compilers that programs ship. A crash in them is
// nearly always the caller's fault. Names are in lower case; one that ends in '*' is a prefix.
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
	// Node.js.
	"node", "node.exe", "libnode.*",
	// CPython, with its module for calls of C.
	"libpython3*", "python3*", "_ctypes.*",
}

// isRuntimeModule reports whether a module is the runtime of a language, by its name.
func isRuntimeModule(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(runtimeModules, func(pattern string) bool { return matches(pattern, name) })
}

// isLibrary reports whether a frame belongs to a standard library that is compiled into programs: by its name, or by its file. Symbols
// without inlined calls give a function of the program the file of a header, so that headers count for inlined calls alone.
func isLibrary(f *Row) bool {
	name := f.function()
	file, _ := f.source()
	in := func(folder string) bool { return strings.Contains(file, folder) }
	return isLibraryName(name) || inLibrary(f) || f.Inline != nil && slices.ContainsFunc(headerFolders, in) ||
		strings.HasSuffix(file, ".go") && name == "panic" ||
		(strings.HasSuffix(file, ".go") || strings.HasSuffix(file, ".s")) && (isGoLibrary(name) || isStub(name) || inGoRoot(file))
}

// inGoRoot reports whether a source file is one of a standard package of Go, "/usr/local/go/src/sync/oncefunc.go": functions of assembly have no
// package, and a closure that was inlined is named after the function that has it.
func inGoRoot(file string) bool {
	i := strings.LastIndex(file, "/src/")
	if i < 0 {
		return false
	}
	root, path := file[:i], file[i+len("/src/"):]
	if root = root[strings.LastIndexByte(root, '/')+1:]; !strings.HasPrefix(root, "go") && !strings.HasPrefix(root, "toolchain@") && root != "libexec" {
		return false
	}
	first, _, found := strings.Cut(path, "/")
	return found && slices.Contains(goPackages, first)
}

// libraryFolders are in the paths of the source files of Rust's and Python's libraries, and of mingw-w64's, headerFolders in those of C's and C++'s.
var (
	libraryFolders = []string{"/rustc/", "/lib/rustlib/src/", "/site-packages/", "/lib/python3", "<frozen ", "node:", "/node_modules/",
		"/mingw-w64-crt/", "/mingw-w64/include/"}
	headerFolders = []string{"/usr/include/", "/include/c++/", "/bits/gthr-", "/lib/gcc/", "/lib/clang/", "/VC/Tools/MSVC/", "\\VC\\Tools\\MSVC\\"}
)

// isLibraryName reports whether a function of C++, Rust or Swift belongs to a standard library. The methods of Rust's types
// are named after the type and the trait, "<usize as core::slice::index::SliceIndex<[T]>>::index": a type without a path
// has the crate of the trait.
func isLibraryName(name string) bool {
	if inner, ok := strings.CutPrefix(name, "<"); ok {
		self, trait, found := strings.Cut(inner, " as ")
		self = strings.TrimLeft(self, "&*[(")
		for _, word := range []string{"mut ", "const ", "dyn "} {
			self = strings.TrimPrefix(self, word)
		}
		if name = self; found && !strings.Contains(self, "::") {
			name = trait
		}
	}
	return slices.ContainsFunc(libraryNames, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// libraryNames are the prefixes of names of standard libraries: C++, Rust, Swift, Java, .NET (see goPackages for Go's).
var libraryNames = []string{
	"std::", "core::", "alloc::", "__gnu_cxx::", "__gthread_", "__cxxabiv1::", "boost::throw_exception", "operator new", "operator delete", "absl::", "hashbrown::",
	"java.", "javax.", "jdk.", "sun.", "kotlin.", "kotlinx.", "android.", "androidx.", "dalvik.", "com.android.internal.", "System.", "Microsoft.",
	"Swift.", "generic specialization <", "protocol witness for ", "partial apply for ",
}

// placed reports whether a frame is in a module, or has a name by the file: many reports name no modules, or only those of frames without a source line.
func (r *Row) placed() bool {
	return r.index() >= 0 || r.FoundBy == report.ByFile && (r.function() != "" || r.module() != "") || r.Generated()
}

// Own reports whether a row is the program's own code, as isOwn does. Rows of reports that name no modules have a function.
func (r *Row) Own() bool {
	return ownFrame(nil, r) || r.index() < 0 && r.FoundBy == report.ByFile && r.function() != "" && ownCode(nil, r)
}

// Ends reports whether a row's function is one of those that end programs.
func (r *Row) Ends() bool { return isMachinery(r) }

// Name is the name of the row's function, "" when unknown.
func (r *Row) Name() string { return r.function() }

// goPackages are the first elements of the paths of Go's standard packages.
var goPackages = strings.Fields("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html " +
	"image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time " +
	"unicode unique unsafe weak vendor")

// isGoLibrary reports whether a function of Go, "sync.(*WaitGroup).Add", belongs to a standard package.
func isGoLibrary(name string) bool {
	first := name[:len(name)-len(strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz"))]
	return slices.Contains(goPackages, first) && strings.HasPrefix(strings.TrimLeft(name[len(first):], "abcdefghijklmnopqrstuvwxyz0123456789_/"), ".")
}
