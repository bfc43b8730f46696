package symbolize

import "testing"

// A section's name begins with a dot, also behind Breakpad's bracket. Names of
// functions begin with either, and are no sections, only in these ways.
func TestNamesThatBeginLikeSections(t *testing.T) {
	for _, tt := range []struct {
		name string
		want bool
	}{
		{name: ".text.unlikely", want: true},
		{name: ".", want: true},
		{name: "<.data ELF section in app>", want: true},
		{name: "<"},
		{name: "<name omitted>"},
		{name: "<unknown in gpu.dll>"},
		{name: "f.cold"}, // a part of f that GCC put elsewhere
		// The entry of an OpenMP task, and the DWARF names of tasks and of parallel regions: clang's.
		{name: ".omp_task_entry."},
		{name: ".omp_outlined."},
		{name: ".omp_outlined._debug__"},
	} {
		far := (&Location{Function: tt.name}).Certainty(0, Setting{}) == Beyond
		if far != tt.want {
			t.Errorf("%q: %t", tt.name, far)
		}
	}
}
