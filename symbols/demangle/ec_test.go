package demangle

import "testing"

// Functions of ARM64EC have another name than those of x64, and the same readable form.
func TestARM64EC(t *testing.T) {
	for name, want := range map[string]string{
		"#leaf": "leaf", "?m@S@ns@@$$hQEAAHPEAH@Z": "ns::S::m(int*)", "??$id@H@ns@@$$hYAHH@Z": "ns::id<int>(int)", "?use@ns@@$$hYAHXZ": "ns::use(void)",
		"?use@ns@@$$h": "", "#": "", "$ientry_thunk$cdecl$i8$i8": "",
	} {
		got, ok := Name(name)
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}
