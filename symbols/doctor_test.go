package symbols

import (
	"strings"
	"testing"

	"crashglass/core/process/module"
)

// TestDoctor has a case for each way in which a file can come close to what a
// module wants and not be it, and for each way in which it is and needs a word.
func TestDoctor(t *testing.T) {
	zero := strings.Repeat("0", 33)
	head := func(arch, id, name string) string { return "MODULE Linux " + arch + " " + id + " " + name + "\n" }
	const body = "FUNC 1000 100 0 f\n"
	wants := func(id, code, arch string) *module.Module {
		return &module.Module{CodeFile: "/bin/app", DebugFile: "/bin/app", DebugID: id, CodeID: code, Arch: arch}
	}
	amd64 := wants(idA, "aabb", "amd64")
	tests := []struct {
		name   string
		files  map[string]string
		module *module.Module
		want   string // state | file | id | why | function
		forced string // what Force makes of it; "" for the same
	}{
		{"other id", map[string]string{"app.sym": head("x86_64", idB, "app") + body}, amd64,
			"wrong_build | app.sym | " + idB + " | app.sym is of another build: its id is " + idB + ", the dump wants " + idA, "f"},
		{"other age", map[string]string{"app.sym": head("x86_64", idA[:32]+"a", "app") + body}, amd64,
			"wrong_build | app.sym | " + idA[:32] + "a | app.sym is of the same build at another age: its id is " + idA[:32] + "a, the dump wants " + idA, "f"},
		{"other architecture", map[string]string{"app.sym": head("arm64", idB, "app") + body}, amd64,
			"wrong_build | app.sym | " + idB + " | app.sym is for another CPU: it is for arm64, the dump is of amd64", ""},
		{"another name of the same architecture", map[string]string{"app.sym": head("arm64e", idB, "app") + body}, wants(idA, "", "arm64"),
			"wrong_build | app.sym | " + idB + " | app.sym is of another build: its id is " + idB + ", the dump wants " + idA, "f"},
		{"an unknown architecture", map[string]string{"app.sym": head("unknown", idB, "app") + body}, amd64,
			"wrong_build | app.sym | " + idB + " | app.sym is of another build: its id is " + idB + ", the dump wants " + idA, "f"},
		{"same id, other architecture", map[string]string{"app.sym": head("arm64", idA, "app") + body}, amd64,
			"matched | app.sym | " + idA + " | - | f", ""},
		{"same code id, no debug id, other architecture", map[string]string{"app.sym": head("arm64", zero, "app") + "INFO CODE_ID AABB\n" + body}, amd64,
			"wrong_build | app.sym | " + zero + " | app.sym is for another CPU: it is for arm64, the dump is of amd64", ""},
		{"same code id, no debug id in the dump", map[string]string{"x.sym": head("x86_64", idB, "x") + "INFO CODE_ID AABB\n" + body}, wants(zero, "aabb", "amd64"),
			"matched | x.sym | " + idB + " | matched by the code id AABB, because there is no debug id to compare | f", ""},
		{"same code id, no debug id in the file", map[string]string{"x.sym": head("x86_64", zero, "x") + "INFO CODE_ID AABB\n" + body}, amd64,
			"matched | x.sym | " + zero + " | matched by the code id AABB, because there is no debug id to compare | f", ""},
		{"same code id, other debug id", map[string]string{"x.sym": head("x86_64", idB, "x") + "INFO CODE_ID AABB\n" + body}, amd64,
			"wrong_build | x.sym | " + idB + " | x.sym has the code id that the dump wants, but not the debug id: that is " + idB + ", the dump wants " + idA, "f"},
		{"code ids of zeros are none", map[string]string{"x.sym": head("x86_64", zero, "x") + "INFO CODE_ID 0000\n" + body}, wants(zero, "0000", ""),
			"missing | - | - | -", ""},
		{"name only", map[string]string{"app.sym": body}, amd64,
			"wrong_build | app.sym | - | app.sym has the name, but does not say which build it is of; the dump wants " + idA, "f"},
		{"name only, and the dump wants none", map[string]string{"app.sym": head("x86_64", idB, "app") + body}, wants("", "", ""),
			"wrong_build | app.sym | " + idB + " | app.sym has the name, but the dump does not say which build it wants", "f"},
		{"UTF-16", map[string]string{"app.sym": utf16le(head("x86_64", idA, "app") + body)}, amd64,
			"matched | app.sym | " + idA + " | app.sym is UTF-16, as a Windows shell may have made it | f", ""},
		{"UTF-16 of another build", map[string]string{"app.sym": utf16le(head("x86_64", idB, "app") + body)}, amd64,
			"wrong_build | app.sym | " + idB + " | app.sym is of another build: its id is " + idB + ", the dump wants " + idA,
			"wrong_build | app.sym | " + idB + " | app.sym is of another build: its id is " + idB + ", the dump wants " + idA + "; it is UTF-16, as a Windows shell may have made it | f"},
		{"cut short in a line", map[string]string{"app.sym": head("x86_64", idA, "app") + body + "1000 10"}, amd64,
			"matched | app.sym | " + idA + " | app.sym seems to be cut short: its last line has no end | f", ""},
		{"cut short in the first line", map[string]string{"app.sym": "MODULE Linux x86_64 01020304"}, amd64,
			"wrong_build | app.sym | 01020304 | app.sym is of another build: its id is 01020304, the dump wants " + idA,
			"damaged | app.sym | 01020304 | app.sym has no record of any function, symbol or unwinding rule"},
		{"unwinding rules only", map[string]string{"app.sym": head("x86_64", idA, "app") + "STACK CFI INIT 1000 10 .cfa: $rsp 8 +\n"}, amd64,
			"public_only | app.sym | " + idA + " | app.sym has rules for unwinding but no names | ", ""},
		{"public symbols only", map[string]string{"app.sym": head("x86_64", idA, "app") + "PUBLIC 1000 0 p\n"}, amd64,
			"public_only | app.sym | " + idA + " | app.sym has only public symbols: no lines, and a name may be that of a neighbour | p", ""},
		{"empty", map[string]string{"app.sym": ""}, amd64, "damaged | app.sym | - | app.sym is empty", ""},
		{"an error page", map[string]string{"app.sym": "<html>404 Not Found</html>\n"}, amd64,
			"damaged | app.sym | - | app.sym is no symbol file but a text file", ""},
		{"the program itself", map[string]string{"app.sym": elfFile(3)}, amd64,
			"wrong_build | app.sym | - | app.sym has the name, but does not say which build it is of; the dump wants " + idA,
			"damaged | app.sym | - | app.sym has no record of any function, symbol or unwinding rule"},
		{"noise", map[string]string{"app.sym": "\x01\x02\x03"}, amd64,
			"damaged | app.sym | - | app.sym is no symbol file, nor anything else that we know", ""},
		{"an error page in a zip file", map[string]string{"s.zip": zipped("app.sym", "<html>404 Not Found</html>\n")}, amd64,
			"damaged | s.zip/app.sym | - | s.zip/app.sym is no symbol file but a text file", ""},
		{"everything at once", map[string]string{
			"1.sym": head("x86_64", idA[:32]+"2", "app") + body, "2.sym": head("x86_64", idB, "app") + body,
			"3/app.sym": body, "4/app.sym": "", "5.sym": head("arm64", idB, "app") + body, "6/app.sym": "<p>", "7/app.sym": "<p>",
		}, amd64,
			"wrong_build | 1.sym | " + idA[:32] + "2 | 1.sym is of the same build at another age: its id is " + idA[:32] + "2, the dump wants " + idA +
				"; nor is it 2.sym (" + idB + "), 3/app.sym (without an id), 6/app.sym, which is no symbol file but a text file, " +
				"7/app.sym, which is no symbol file but a text file, 2 more", "f"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := NewStore(Options{})
			for name, data := range tt.files {
				s.Add(name, source(data))
			}
			if got := summary(s.For(tt.module)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			s.Force("app", tt.module.DebugID, true)
			want := tt.want
			switch {
			case tt.forced == "f":
				want += " | f"
			case tt.forced != "":
				want = tt.forced
			}
			if tt.name == "everything at once" { // the others are not named when one is used
				want, _, _ = strings.Cut(tt.want, "; nor")
				want += " | f"
			}
			if got := summary(s.For(tt.module)); got != want {
				t.Errorf("forced: got  %s\nwant %s", got, want)
			}
		})
	}
}
