package signature

import "crashglass/core/stack/funcname"

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
