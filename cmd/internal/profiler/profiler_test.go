package profiler

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"crashglass/core/base/bin"
	"crashglass/symbols"
)

// app has a function with an inlined call, and a linker symbol behind it.
const app = `MODULE windows x86_64 000102030405060708090A0B0C0D0E0F1 app.pdb
FILE 0 c:\src\a.c
FILE 1 /src/b.h
INLINE_ORIGIN 0 twice
FUNC 1000 20 0 main
INLINE 0 8 0 0 1010 8
1000 10 7 0
1010 8 3 1
1018 8 9 0
PUBLIC 2000 0 open_file
`

// elf is a program for amd64, whose code and source lie in the folder of symbols.
const elf = `"debugName": "one", "debugId": "6AE86F32EE67CD68A17904049C45BAF80"`

func server(t *testing.T) *Server {
	t.Helper()
	const testdata = "../../../symbols/testdata"
	code, err := os.ReadFile(testdata + "/embedded.elf")
	if err != nil {
		t.Fatal(err)
	}
	store := symbols.NewStore(symbols.Options{})
	for name, data := range map[string]string{"app.sym": app, "one": string(code)} {
		store.Add(name, bin.NewSource(strings.NewReader(data), int64(len(data))))
	}
	return &Server{Symbols: store, Sources: []Folder{{"/src", os.DirFS(testdata)}}}
}

func TestAnswer(t *testing.T) {
	s := server(t)
	const modules = `"memoryMap": [["app.pdb", "000102030405060708090A0B0C0D0E0F1"], ["none.pdb", "0"], ["idle.pdb", "1"]]`
	for _, test := range []struct{ path, request, want string }{
		{"/symbolicate/v5", `{"jobs": [{` + modules + `, "stacks": [[[0, 4114], [0, 4128], [1, 16], [-1, 7]], []]}]}`,
			`{"results":[{"stacks":[[` +
				`{"frame":0,"module":"app.pdb","module_offset":"0x1012","function":"main","function_offset":"0x12","function_size":"0x20","file":"c:\\src\\a.c","line":8,` +
				`"inlines":[{"function":"twice","file":"/src/b.h","line":3}]},` +
				`{"frame":1,"module":"app.pdb","module_offset":"0x1020"},` +
				`{"frame":2,"module":"none.pdb","module_offset":"0x10"},` +
				`{"frame":3,"module":"\u003cunknown\u003e","module_offset":"0x7"}],[]],` +
				`"found_modules":{"app.pdb/000102030405060708090A0B0C0D0E0F1":true,"idle.pdb/1":null,"none.pdb/0":false},` +
				`"module_errors":{"none.pdb/0":[{"name":"NoSymbols","message":"there are no symbols of none.pdb 0"}]}}]}`},
		// without jobs; what may be another function's name has a mark
		{"/symbolicate/v6", `{` + modules + `, "stacks": [[[0, 8192], [0, 8200]]]}`,
			`{"results":[{"stacks":[[` +
				`{"frame":0,"module":"app.pdb","module_offset":"0x2000","function":"open_file","function_offset":"0x0"},` +
				`{"frame":1,"module":"app.pdb","module_offset":"0x2008","function":"~ open_file","function_offset":"0x8"}]],` +
				`"found_modules":{"app.pdb/000102030405060708090A0B0C0D0E0F1":true,"idle.pdb/1":null,"none.pdb/0":null}}]}`},
		{"/symbolicate/v5", `{"jobs": []}`, `{"results":[]}`},

		{"/asm/v1", `{` + elf + `, "startAddress": "0x10c", "size": "0x6"}`,
			`{"startAddress":"0x10c","size":"0xa","arch":"x86_64","syntax":["Intel"],"instructions":[[0,"test rdi, rdi"],[3,"jz 0x125 \u003ctotal+0x19\u003e"],[5,"mov eax, 0x0"]]}`},
		{"/asm/v1", `{` + elf + `, "startAddress": "0x14b", "size": "0x1", "continueUntilFunctionEnd": true}`,
			`{"startAddress":"0x14b","size":"0xa","arch":"x86_64","syntax":["Intel"],` +
				`"instructions":[[0,"mov dword [rsp + 0xc], eax"],[4,"mov eax, dword [rsp + 0xc]"],[8,"jmp 0x153 \u003c_start+0x27\u003e"]]}`},
		{"/asm/v1", `{` + elf + `, "startAddress": "0x9000", "size": "0x1"}`, `no file has the code at 0x9000`},
		{"/asm/v1", `{` + elf + `, "startAddress": "0x10c", "size": "0x100001"}`, `1048577 bytes of code were requested, at most 1048576 are allowed`},
		{"/asm/v1", `{"debugName": "app.pdb", "debugId": "000102030405060708090a0b0c0d0e0f1", "startAddress": "0x1000", "size": "0x1"}`, `no file has the code at 0x1000`},

		{"/source/v1", `{` + elf + `, "moduleOffset": "0x10c", "file": "/src/other.c"}`, `the symbols name no file "/src/other.c" at 0x10c`},
		{"/source/v1", `{` + elf + `, "moduleOffset": "0x10c", "file": ""}`, `the symbols name no file "" at 0x10c`},
		{"/source/v1", `{"debugName": "app.pdb", "debugId": "000102030405060708090A0B0C0D0E0F1", "moduleOffset": "0x1000", "file": "c:\\src\\a.c"}`,
			`c:\src\a.c is in no folder of --source`},

		{"/symbolicate/v5", `{}`, `malformed request: it has neither jobs nor stacks`},
		{"/symbolicate/v5", `{"jobs": [{"memoryMap": [], "stacks": [[[0, 1]]]}]}`, `malformed request: module 0 of 0`},
		{"/symbolicate/v5", `{"jobs": [{` + modules + `, "stacks": [[[0, -1]]]}]}`, `malformed request: offset -1`},
		{"/symbolicate/v5", `{"memoryMap": [], "stacks": [[` + strings.Repeat("[0,0],", mostFrames) + `[0,0]]]}`,
			`malformed request: 1048577 frames, at most 1048576 are allowed`},
		{"/asm/v1", `{` + elf + `, "startAddress": "10c", "size": "0x1"}`, `malformed request: "10c" is no number in hex`},
	} {
		answer, err := s.Answer(test.path, []byte(test.request))
		got := ""
		if err != nil {
			got = err.Error()
		} else if data, err := json.Marshal(answer); err != nil {
			t.Fatal(err)
		} else {
			got = string(data)
		}
		if got != test.want || errors.Is(err, ErrMalformed) != strings.HasPrefix(test.want, "malformed") {
			t.Errorf("%s %s:\n%s, want\n%s", test.path, test.request, got, test.want)
		}
	}
}

// A source file is read if the symbols name it, and if it lies in a folder of sources.
func TestSource(t *testing.T) {
	s := server(t)
	request := `{` + elf + `, "moduleOffset": "0x10c", "file": "/src/one.c"}`
	want, err := os.ReadFile("../../../symbols/testdata/one.c")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := s.Answer("/source/v1", []byte(request))
	if got, ok := answer.(*sourceResponse); err != nil || !ok || got.Source != string(want) || got.File != "/src/one.c" {
		t.Errorf("%v (%v)", answer, err)
	}
	for _, path := range []string{"/sr", "/src/one.c", "/other"} {
		s.Sources[0].Path = path
		if answer, err := s.Answer("/source/v1", []byte(request)); err == nil {
			t.Errorf("%s has %v", path, answer)
		}
	}
	s.Sources[0].Path = "/"
	for _, name := range []string{"/../one.c", "/testdata", "/.", "one.c"} {
		if text, err := s.read(name); err == nil && name != "/../one.c" {
			t.Errorf("%s is %q", name, text)
		}
	}
}
