package crash

// sanitizerSigns are the functions with which sanitizers report and end.
// Sources: compiler-rt/lib/{asan,tsan,msan,ubsan,hwasan,gwp_asan}.
var sanitizerSigns = []sign{
	{"__asan::Report*", Sanitizer, "AddressSanitizer report", asanWhy},
	{"__asan::ScopedInErrorReport::*", Sanitizer, "AddressSanitizer report", asanWhy},
	{"__asan_report_*", Sanitizer, "AddressSanitizer report", asanWhy},
	{"__asan::AsanDie", Sanitizer, "AddressSanitizer report", asanWhy},
	{"__hwasan::*", Sanitizer, "HWAddressSanitizer report", asanWhy},
	{"__msan::*Report*", Sanitizer, "MemorySanitizer report", "It found a use of uninitialised memory; its report is in the program's output."},
	{"__msan_warning*", Sanitizer, "MemorySanitizer report", "It found a use of uninitialised memory; its report is in the program's output."},
	{"__tsan::*Report*", Sanitizer, "ThreadSanitizer report", "It found a race; its report is in the program's output."},
	{"__ubsan_handle_*", Sanitizer, "UndefinedBehaviorSanitizer report", "It found undefined behaviour; its report is in the program's output."},
	{"__ubsan::*Die", Sanitizer, "UndefinedBehaviorSanitizer report", "It found undefined behaviour; its report is in the program's output."},
	{"__sanitizer::Die", Sanitizer, "Sanitizer report", "A sanitizer found an error; its report is in the program's output."},
	{"gwp_asan::*", Sanitizer, "GWP-ASan report", "The allocator's guarded sample found an error of the heap."},
}

const asanWhy = "It found an invalid access to memory; its report is in the program's output."
