package main

import (
	"os"
	"strings"
	"testing"
)

// An incomplete symbol file has its reasons on standard error: one line for each missing part and
// each refused section.
func TestSymsFlaws(t *testing.T) {
	const parts = "../../symbols/testdata/"
	for _, tt := range []struct {
		args []string
		errs string
	}{
		{[]string{parts + "split.elf"}, "split.elf lacks the split DWARF of one unit: add split-one.dwo, or a .dwp file with all of them\n"},
		{[]string{parts + "split.elf", parts + "split-one.dwo"}, ""},
		{[]string{parts + "dwz.elf", parts + "dwz.sup"}, ""},
		{[]string{corpus + "/bombs/inflate-1000MB-info.so"}, "elf: section .debug_info at 0xa0: 1048576000 bytes cannot be what 1019209 were compressed from, which are at most 132383232: they are left out\n"},
	} {
		if _, err := os.Stat(tt.args[0]); err != nil {
			t.Log("not here: ", tt.args[0])
			continue
		}
		out, errs, status := crashglass(append([]string{"syms"}, tt.args...)...)
		if status != exitOK || !strings.HasPrefix(out, "MODULE ") || !strings.HasSuffix(errs, tt.errs) || (errs == "") != (tt.errs == "") {
			t.Errorf("%v: status %d, %.40q, errors %q, want %q", tt.args, status, out, errs, tt.errs)
		}
	}
}
