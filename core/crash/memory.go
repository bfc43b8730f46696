package crash

const (
	noMemory  = "An allocation failed, and the program gave up."
	heapLimit = "JavaScript used up its heap."
)

// memorySigns are the functions with which programs end when memory runs out. Sources: Chromium
// base/process/memory.cc and partition_alloc/oom.cc, V8 src/api/api.cc, Mozilla memory/mozalloc,
// Rust library/alloc, Electron and Node node_errors.cc.
var memorySigns = []sign{
	{"partition_alloc::*OutOfMemory*", OutOfMemory, "Out of memory", noMemory},
	{"partition_alloc::*OnNoMemory*", OutOfMemory, "Out of memory", noMemory},
	{"base::TerminateBecauseOutOfMemory", OutOfMemory, "Out of memory", noMemory},
	{"base::internal::OnNoMemoryInternal", OutOfMemory, "Out of memory", noMemory},
	{"blink::*OutOfMemory*", OutOfMemory, "Out of memory", noMemory},
	{"v8::internal::V8::FatalProcessOutOfMemory", OutOfMemory, "Out of memory", heapLimit},
	{"v8::Utils::ReportOOMFailure", OutOfMemory, "Out of memory", heapLimit},
	{"node::OOMErrorHandler", OutOfMemory, "Out of memory", heapLimit},
	{"electron::*V8OOMErrorCallback", OutOfMemory, "Out of memory", heapLimit},
	{"mozalloc_handle_oom", OutOfMemory, "Out of memory", noMemory},
	{"NS_ABORT_OOM", OutOfMemory, "Out of memory", noMemory},
	{"rust_oom", OutOfMemory, "Out of memory", noMemory},
	{"__rust_alloc_error_handler", OutOfMemory, "Out of memory", noMemory},
	{"std::alloc::rust_oom", OutOfMemory, "Out of memory", noMemory},
	{"alloc::alloc::handle_alloc_error", OutOfMemory, "Out of memory", noMemory},
	{"FGenericPlatformMemory::OnOutOfMemory", OutOfMemory, "Out of memory", noMemory},
}
