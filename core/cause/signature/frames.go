package signature

import (
	"cmp"
	"strconv"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/funcname"
)

// frames returns the first frames of a thread, with inlined calls as frames of their own. On
// Windows the case of a module's name does not matter.
func frames(t *report.Thread, windows bool) []string {
	var list []string
	for i := range t.Frames {
		f := &t.Frames[i]
		for _, inline := range f.Inlines {
			list = append(list, marked(written(f, inline.Function, inline.File, inline.Line, windows), inline.Function, f.Mark(true)))
		}
		list = append(list, marked(written(f, f.Function, f.File, f.Line, windows), f.Function, f.Mark(false)))
		if len(list) >= mostFrames {
			return list[:mostFrames]
		}
	}
	return list
}

// marked puts a mark before a frame that is written as a function.
func marked(frame string, function *string, mark string) string {
	if report.Text(function) == "" {
		return frame
	}
	return mark + frame
}

// written returns one frame as a signature has it: its function, or else its line, or else its
// module and offset.
func written(f *report.Frame, function, file *string, line *uint32, windows bool) string {
	if name := report.Text(function); name != "" {
		if isRust(report.Text(file)) {
			return rustFunction(name)
		}
		return cppFunction(name)
	}
	if file := module.Basename(strings.TrimRight(report.Text(file), `/\`)); file != "" && line != nil && *line != 0 {
		return file + "#" + strconv.FormatUint(uint64(*line), 10)
	}
	module := report.Text(f.Module)
	if windows {
		module = strings.ToLower(module)
	}
	if module == "" {
		return outside(f)
	}
	return module + "@" + offset(f.ModuleOffset)
}

// isRust reports whether a frame is Rust, by its file.
func isRust(file string) bool { return strings.HasSuffix(module.SourcePath(file), ".rs") }

// outside returns a frame that is in no loaded module: in an unloaded one, or in none.
func outside(f *report.Frame) string {
	if len(f.Unloaded) == 0 || f.Unloaded[0].Module == "" {
		return "@" + offset(&f.Offset)
	}
	gone := f.Unloaded[0]
	if len(gone.Offsets) == 0 {
		return "(unloaded " + gone.Module + ")"
	}
	return "(unloaded " + gone.Module + "@" + offset(&gone.Offsets[0]) + ")"
}

// offset returns an address without leading zeros.
func offset(a *report.Address) string {
	if a == nil {
		return "0x0"
	}
	return "0x" + cmp.Or(strings.TrimLeft(strings.TrimPrefix(string(*a), "0x"), "0"), "0")
}

// starts are the functions that linkers and C libraries put in front of main and of threads' functions,
// also in the program's own file. Sources: glibc sysdeps/*/start.S, csu/libc-start.c and
// nptl/pthread_create.c; musl crt/crt1.c and src/env/__libc_start_main.c; bionic libc/arch-common/bionic/crtbegin.c
// and libc_init_common.cpp; Visual C++ vcstartup/exe_common.inl, dll_dllmain.cpp and startup/thread.cpp; mingw-w64
// crt/crtexe.c; Apple's dyld and libpthread; ntdll and kernel32.
var starts = map[string]bool{
	"_start": true, "_start_c": true, "__start": true, "start": true, "__libc_start_main": true, "__libc_start_call_main": true, "__libc_start_main_impl": true,
	"libc_start_main_stage2": true, "__libc_init": true, "__libc_csu_init": true, "_start_main": true, "start_thread": true,
	"clone": true, "__clone": true, "clone3": true, "__clone3": true, "__pthread_start": true, "__start_thread": true,
	"_pthread_start": true, "thread_start": true, "_pthread_body": true, "_dyld_start": true,
	"mainCRTStartup": true, "wmainCRTStartup": true, "WinMainCRTStartup": true, "wWinMainCRTStartup": true, "__tmainCRTStartup": true,
	"invoke_main": true, "__scrt_common_main": true, "__scrt_common_main_seh": true, "_DllMainCRTStartup": true, "DllMainCRTStartup": true,
	"dllmain_dispatch": true, "dllmain_crt_dispatch": true, "_threadstart": true, "_threadstartex": true,
	"BaseThreadInitThunk": true, "__BaseThreadInitThunk": true, "RtlUserThreadStart": true, "__RtlUserThreadStart": true, "_RtlUserThreadStart": true,
}

// isStart reports whether a function only starts a program or a thread.
func isStart(name string) bool { return starts[funcname.Plain(name)] }
