package analyze

import (
	"os"
	"strings"
	"testing"

	"crashglass/core/report"
)

// A dump of Windows with CET, by Crashpad. The last seven words of its shadow stack, from the pointer 0xcbc83fefc8 to the end of the
// mapping at 0xcbc83ff000, are the return addresses of the seven calls.
func TestShadowStackOfCorpus(t *testing.T) {
	data, err := os.ReadFile("../../../shared/corpus/public/dumps/breakpad/tiny-exe-with-cet-xsave.dmp")
	if err != nil {
		t.Skip("no ../shared/corpus/public/dumps beside the project")
	}
	r, err := Dump(source(data), nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Threads[0].Frames {
		at := *f.Module + "+" + strings.TrimLeft(string(*f.ModuleOffset)[2:], "0")
		if f.Guess || f.Overwritten != nil {
			at += " guess"
		}
		got = append(got, at)
	}
	want := "ntdll.dll+a39e4 ntdll.dll+5b4c2 KERNELBASE.dll+4b280 tiny.exe+9b8c9 tiny.exe+1b0ec tiny.exe+59067 KERNEL32.DLL+154df ntdll.dll+485a"
	if strings.Join(got, " ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, " "), want)
	}
	if end := r.Threads[0].End; end.Kind != report.ShadowEnd || !end.Complete {
		t.Errorf("end %s, complete %t", end.Kind, end.Complete)
	}
}
