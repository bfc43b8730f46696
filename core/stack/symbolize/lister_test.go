package symbolize

import "testing"

// A section's name begins with a dot, also behind Breakpad's bracket. Names of
// functions begin with either, and are no sections, only in these ways.
func TestNamesThatBeginLikeSections(t *testing.T) {
	for _, tt := range []struct {
		name string
		want bool
	}{
		{".text.unlikely", true},
		{".", true},
		{"<.data ELF section in app>", true},
		{"<", false},
		{"<name omitted>", false},
		{"<unknown in gpu.dll>", false},
		{"f.cold", false}, // a part of f that GCC put elsewhere
		// The entry of an OpenMP task, and the DWARF names of tasks and of parallel regions: clang's.
		{".omp_task_entry.", false},
		{".omp_outlined.", false},
		{".omp_outlined._debug__", false},
	} {
		far := (&Location{Function: tt.name}).Certainty(0, Setting{}) == Beyond
		if far != tt.want {
			t.Errorf("%q: %t", tt.name, far)
		}
	}
}
