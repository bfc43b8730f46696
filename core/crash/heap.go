package crash

const (
	heapWhy    = "The allocator found its bookkeeping damaged. What damaged it ran earlier."
	pointerWhy = "The allocator found its bookkeeping damaged, or a pointer that it does not own."
)

// heapSigns are the functions with which allocators report damage.
// Sources: glibc malloc/malloc.c; Apple's libmalloc (malloc_printf.c); scudo
// (compiler-rt/lib/scudo/standalone/report.cpp); ntdll's symbols; jemalloc;
// Chromium's partition_alloc; musl's mallocng.
var heapSigns = []sign{
	{"malloc_printerr*", HeapCorrupt, "Heap corruption", heapWhy},
	{"unlink_chunk*", HeapCorrupt, "Heap corruption", heapWhy},
	{"malloc_error_break", HeapCorrupt, "Heap corruption", pointerWhy},
	{"malloc_vreport", HeapCorrupt, "Heap corruption", pointerWhy},
	{"malloc_zone_error", HeapCorrupt, "Heap corruption", pointerWhy},
	{"___BUG_IN_CLIENT_OF_LIBMALLOC_*", HeapCorrupt, "Heap corruption", pointerWhy},
	{"RtlReportFatalFailure", HeapCorrupt, "Heap corruption", heapWhy},
	{"RtlpReportHeapFailure", HeapCorrupt, "Heap corruption", heapWhy},
	{"RtlpHeapHandleError", HeapCorrupt, "Heap corruption", heapWhy},
	{"RtlpLogHeapFailure", HeapCorrupt, "Heap corruption", heapWhy},
	{"scudo::report*", HeapCorrupt, "Heap corruption", pointerWhy},
	{"partition_alloc::internal::*Corruption*", HeapCorrupt, "Heap corruption", heapWhy},
	{"partition_alloc::internal::*DoubleFree*", HeapCorrupt, "Double free", "The allocator was given memory that was freed already."},
	{"je_malloc_conf_error*", HeapCorrupt, "Heap corruption", heapWhy},
	{"_free_dbg*", HeapCorrupt, "Heap corruption", "The debug heap of Visual C++ found its bookkeeping damaged, or a pointer that it does not own."},
}

// heapMessages are the messages of allocators and of checks in C libraries, as their sources spell
// them: glibc malloc/malloc.c, debug/fortify_fail.c and assert/assert.c; libmalloc; scudo.
var heapMessages = []message{
	{"free(): ", HeapCorrupt}, {"malloc(): ", HeapCorrupt}, {"realloc(): ", HeapCorrupt}, {"munmap_chunk(): ", HeapCorrupt},
	{"malloc_consolidate(): ", HeapCorrupt}, {"double free or corruption", HeapCorrupt}, {"corrupted ", HeapCorrupt},
	{"invalid fastbin entry", HeapCorrupt}, {"break adjusted to free malloc space", HeapCorrupt},
	{"pointer being freed was not allocated", HeapCorrupt}, {"Scudo ERROR: ", HeapCorrupt},
	{"*** stack smashing detected ***", StackSmashed}, {"*** buffer overflow detected ***", StackSmashed},
	{"stack smashing detected", StackSmashed}, {"buffer overflow detected", StackSmashed},
}
