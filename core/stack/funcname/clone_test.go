package funcname

import "testing"

func TestWithoutClone(t *testing.T) {
	for name, want := range map[string]string{
		"f": "f", "_Z1fv.cold": "_Z1fv", "_Z1fv.constprop.0.isra.1": "_Z1fv", "_Z1fv.llvm.123456": "_Z1fv", "_Z1fv.part.3.cold": "_Z1fv",
		"f() [clone .cold]": "f()", "f() [clone .constprop.0] [clone .resume]": "f()", "A::f() const [clone .part.12]": "A::f() const",
		"main.part": "main.part", "main.isra": "main.isra", "f.cold.12": "f", "f [clone .x] g": "f [clone .x] g", " [clone .x]": " [clone .x]",
		"f() [clone .x": "f() [clone .x", "operator[]": "operator[]", "f.localalias.lto_priv.3": "f",
		"a.b": "a.b", "f.1": "f.1", ".cold": ".cold", "_ZN3foo..Bar17hE": "_ZN3foo..Bar17hE", "": "",
	} {
		if got := WithoutClone(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A copy or a part of a function is distinguished from one that was only renamed.
func TestCopySuffix(t *testing.T) {
	for name, want := range map[string]string{
		"f": "", "_Z1fv.cold": ".cold", "_Z1fv.constprop.0.isra.1": ".constprop.0.isra.1", "_Z1fv.part.3.cold": ".part.3.cold",
		"_Z1fv.llvm.123456": "", "f.lto_priv.0": "", "a.b": "", ".cold": "", "": "",
	} {
		if got := CopySuffix(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
