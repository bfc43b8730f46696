package signature

import (
	"slices"
	"strconv"
	"strings"

	"crashglass/core/report"
	"crashglass/core/stack/symbolize"
)

// rules add the crash's circumstances to the frames, in Socorro's order. Each gets the signature so
// far.
var rules = []func(r *report.Report, s string) string{
	stackOverflow, badHardware, outOfMemory, aborted, shutdownHang, ipcError, ipcMessage, otherBuild,
}

func stackOverflow(r *report.Report, s string) string {
	if report.Text(r.CrashInfo.Type) == "EXCEPTION_STACK_OVERFLOW" {
		return "stackoverflow | " + s
	}
	return s
}

func badHardware(r *report.Report, s string) string {
	if strings.Contains(report.Text(r.CrashInfo.Type), "STATUS_DEVICE_DATA_ERROR") {
		return "bad hardware | " + s
	}
	return s
}

// Functions, reasons and values of GetLastError that mean that memory ran out.
var (
	oomFunctions  = []string{"NS_ABORT_OOM", "mozalloc_handle_oom", "CrashAtUnhandlableOOM", "AutoEnterOOMUnsafeRegion", "alloc::oom::oom"}
	oomReasons    = []string{"STATUS_FATAL_MEMORY_EXHAUSTION", "STATUS_NO_MEMORY"}
	oomLastErrors = []string{"ERROR_COMMITMENT_LIMIT", "ERROR_NOT_ENOUGH_MEMORY"}
)

// A program whose allocation of this size fails has no memory left. The function that requested it
// is not to blame.
const smallAllocation = 256 << 10

func outOfMemory(r *report.Report, s string) string {
	size := annotation(r, "OOMAllocationSize")
	if size == "" && !ranOut(r, s) {
		return s
	}
	bytes, err := strconv.ParseUint(size, 10, 64)
	switch {
	case err != nil:
		return "OOM | unknown | " + s
	case bytes <= smallAllocation:
		return "OOM | small"
	}
	return "OOM | large | " + s
}

func ranOut(r *report.Report, s string) bool {
	if slices.ContainsFunc(oomFunctions, func(name string) bool { return names(s, name) }) {
		return true
	}
	if slices.Contains(oomReasons, report.Text(r.CrashInfo.Type)) {
		return true
	}
	i := r.Subject()
	return i >= 0 && slices.Contains(oomLastErrors, report.Text(r.Threads[i].LastError))
}

// names reports whether a signature has a text in a part that is certain.
func names(s, text string) bool {
	return slices.ContainsFunc(strings.Split(s, " | "), func(part string) bool {
		return !strings.HasPrefix(part, symbolize.Mark) && strings.Contains(part, text)
	})
}

// aborted prefixes the program's own message, without file and line, which change between builds.
func aborted(r *report.Report, s string) string {
	message := annotation(r, "AbortMessage")
	if message == "" {
		return s
	}
	if strings.Contains(message, "###!!! ABORT: file ") {
		return "Abort | " + s
	}
	if _, after, ok := strings.Cut(message, "###!!! ABORT:"); ok {
		message = after
	}
	message, _, _ = strings.Cut(message, ": file ")
	message = strings.TrimSpace(plain(message))
	if len(message) > 80 {
		message = message[:77] + "..."
	}
	return "Abort | " + message + " | " + s
}

// plain keeps the printable ASCII characters.
func plain(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return -1
		}
		return c
	}, s)
}

// shutdownHang handles a deliberate crash by a thread that waited for the first thread to end. The
// signature is made from the first thread.
func shutdownHang(r *report.Report, s string) string {
	if !names(s, "RunWatchdog") {
		return s
	}
	first := 0
	return "shutdownhang | " + ofThread(r, &first)
}

func ipcError(r *report.Report, s string) string {
	what := annotation(r, "ipc_channel_error")
	if what == "" {
		return s
	}
	return "IPCError-content | " + string([]rune(what)[:min(len([]rune(what)), 100)])
}

func ipcMessage(r *report.Report, s string) string {
	if name := annotation(r, "IPCMessageName"); name != "" {
		return s + " | IPC_Message_Name=" + name
	}
	return s
}

func otherBuild(r *report.Report, s string) string {
	if annotation(r, "MozCrashReason") == "MOZ_RELEASE_ASSERT(parentBuildID == childBuildID)" {
		return "parentBuildID != childBuildID"
	}
	return s
}

func annotation(r *report.Report, name string) string {
	for i := range r.Annotations {
		if r.Annotations[i].Name == name {
			return r.Annotations[i].Value
		}
	}
	return ""
}
