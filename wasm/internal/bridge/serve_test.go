//go:build js && wasm

package bridge

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/hack-pad/safejs"
)

// call exports fn, calls it from JavaScript and returns the parts of the answer.
func call(t *testing.T, fn func(Request) (Answer, error), args ...any) safejs.Value {
	t.Helper()
	if err := Serve("underTest", NewCache(1<<20), fn); err != nil {
		t.Fatal(err)
	}
	answer, err := safejs.Global().Call("underTest", args...)
	if err != nil {
		t.Fatalf("the call threw: %v", err)
	}
	return answer
}

func field(t *testing.T, v safejs.Value, name string) string {
	t.Helper()
	f, err := v.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	if f.IsUndefined() || f.IsNull() {
		return ""
	}
	s, err := f.String()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// function compiles a JavaScript function, so that the tests use real ones.
func function(t *testing.T, params, body string) safejs.Value {
	t.Helper()
	class, err := safejs.Global().Get("Function")
	if err != nil {
		t.Fatal(err)
	}
	f, err := class.New(params, body)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

var nothing = []any{}

func TestServeAnswers(t *testing.T) {
	answer := call(t, func(r Request) (Answer, error) {
		return Answer{JSON: append(r.JSON, '!'), Bytes: []byte{1, 2, 255}}, nil
	}, `{"a":"ü"}`, nothing, nil)
	if got := field(t, answer, "json"); got != `{"a":"ü"}!` {
		t.Errorf("json = %q", got)
	}
	array, _ := answer.Get("bytes")
	got := make([]byte, 4)
	n, err := safejs.CopyBytesToGo(got, array)
	if err != nil || string(got[:n]) != "\x01\x02\xff" {
		t.Errorf("bytes = %x, %v", got[:n], err)
	}
}

func TestServeWithoutBytes(t *testing.T) {
	answer := call(t, func(Request) (Answer, error) { return Answer{}, nil }, "", nothing, nil)
	if array, _ := answer.Get("bytes"); !array.IsNull() {
		t.Error("bytes is not null")
	}
}

func TestServeFailures(t *testing.T) {
	fail := func(Request) (Answer, error) { return Answer{}, errors.New("thread list at 0x20: no") }
	for _, test := range []struct {
		name string
		fn   func(Request) (Answer, error)
		args []any
		want string
	}{
		{"an error", fail, []any{"", nothing, nil}, "thread list at 0x20: no"},
		{"too few arguments", fail, []any{""}, "bridge: underTest: want 3 arguments, have 1"},
		{"no array", fail, []any{"", 5, nil}, "bridge: underTest: files: syscall/js: call of Value.SetIndex on number"},
		{"no object", fail, []any{"", []any{5}, nil}, "bridge: underTest: file 0: syscall/js: call of Value.Get on number"},
		{"no size", fail, []any{"", []any{map[string]any{"path": "a"}}, nil}, "bridge: underTest: file 0: size: syscall/js: call of Value.Float on undefined"},
	} {
		answer := call(t, test.fn, test.args...)
		if got := field(t, answer, "error"); got != test.want {
			t.Errorf("%s: error = %q, want %q", test.name, got, test.want)
		}
		if stack := field(t, answer, "stack"); stack != "" {
			t.Errorf("%s: has a stack, as only a panic should: %s", test.name, stack)
		}
	}
}

// After a panic the program must still answer.
func TestServeSurvivesPanics(t *testing.T) {
	for name, fn := range map[string]func(Request) (Answer, error){
		"index":  func(r Request) (Answer, error) { return Answer{JSON: r.JSON[:cap(r.JSON)+1]}, nil },
		"nil":    func(r Request) (Answer, error) { return *(*Answer)(nil), nil },
		"value":  func(r Request) (Answer, error) { panic("no") },
		"divide": func(r Request) (Answer, error) { return Answer{}, errors.New("x"[:1/len(r.Files)]) },
	} {
		answer := call(t, fn, "", nothing, nil)
		if got := field(t, answer, "error"); !strings.HasPrefix(got, "internal error: ") || strings.Contains(got, "\n") {
			t.Errorf("%s: error = %q", name, got)
		}
		if stack := field(t, answer, "stack"); !strings.Contains(stack, "serve_test.go") {
			t.Errorf("%s: the stack does not show where it was: %q", name, stack)
		}
	}
	ok := call(t, func(Request) (Answer, error) { return Answer{JSON: []byte("1")}, nil }, "", nothing, nil)
	if field(t, ok, "json") != "1" {
		t.Error("no answer after the panics")
	}
}

func TestProgressReachesJavaScript(t *testing.T) {
	progress := function(t, "text", "globalThis.told = (globalThis.told ?? '') + text")
	answer := call(t, func(r Request) (Answer, error) {
		return Answer{}, errors.Join(r.Progress([]byte("1")), r.Progress([]byte("2")))
	}, "", nothing, progress)
	if err := field(t, answer, "error"); err != "" {
		t.Error(err)
	}
	if got := field(t, safejs.Global(), "told"); got != "12" {
		t.Errorf("told %q", got)
	}
}

func TestFilesAreRead(t *testing.T) {
	read := function(t, "off, n", "return new Uint8Array([10, 11, 12, 13, 14]).subarray(off, off + n)")
	var got []byte
	answer := call(t, func(r Request) (a Answer, err error) {
		if len(r.Files) != 1 || r.Files[0].Path != "a/b.dmp" || r.Files[0].Size() != 5 {
			t.Errorf("files = %+v", r.Files)
		}
		got, err = io.ReadAll(io.NewSectionReader(r.Files[0], 1, 99))
		return a, err
	}, "", []any{map[string]any{"path": "a/b.dmp", "size": 5, "read": read}}, nil)
	if err := field(t, answer, "error"); err != "" || string(got) != "\x0b\x0c\x0d\x0e" {
		t.Errorf("read %x, %s", got, err)
	}
}

func TestFilesThatFail(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{"throw new Error('the file is gone')", "reading 5 bytes at 0x0: JavaScript error: the file is gone"},
		{"return new Uint8Array(3)", "reading 5 bytes at 0x0: have 3"},
		{"return 'text'", "reading 5 bytes at 0x0: syscall/js: CopyBytesToGo: expected src to be a Uint8Array or Uint8ClampedArray"},
	} {
		read := function(t, "off, n", test.body)
		answer := call(t, func(r Request) (Answer, error) {
			_, err := r.Files[0].ReadAt(make([]byte, 5), 0)
			return Answer{}, err
		}, "", []any{map[string]any{"path": "a", "size": 5, "read": read}}, nil)
		if got := field(t, answer, "error"); got != test.want {
			t.Errorf("%s: error = %q, want %q", test.body, got, test.want)
		}
	}
}

// Bytes written to the page's scratch are read back, also if their page was read before the write.
func TestScratch(t *testing.T) {
	object, err := function(t, "", `const all = new Uint8Array(1 << 20);
		return {write: (at, bytes) => (all.set(bytes, at), bytes.length), read: (at, count) => all.slice(at, at + count)}`).Invoke()
	if err != nil {
		t.Fatal(err)
	}
	call(t, func(r Request) (Answer, error) {
		for i, text := range []string{"one", "and two"} {
			if n, err := r.Scratch.WriteAt([]byte(text), int64(i*100)); n != len(text) || err != nil {
				t.Errorf("%d, %v", n, err)
			}
			got := make([]byte, len(text))
			if _, err := r.Scratch.ReadAt(got, int64(i*100)); err != nil || string(got) != text {
				t.Errorf("read %q, %v; want %q", got, err, text)
			}
		}
		return Answer{}, nil
	}, "", nothing, nil, object)
	call(t, func(r Request) (Answer, error) {
		if r.Scratch != nil {
			t.Error("a scratch of null")
		}
		return Answer{}, nil
	}, "", nothing, nil, nil)
}

var garbage []byte

// A request that allocates for long, and reports its progress, does not run out of memory: without a
// pause of the request, a collection that has begun does not end.
func TestGarbageOfOneRequest(t *testing.T) {
	progress := function(t, "json", "")
	var most uint64
	call(t, func(r Request) (Answer, error) {
		var stats runtime.MemStats
		for i := range 3000 {
			garbage = make([]byte, 2<<20)
			if i%25 == 0 {
				if err := r.Progress(nil); err != nil {
					return Answer{}, err
				}
				runtime.ReadMemStats(&stats)
				most = max(most, stats.Sys)
			}
		}
		return Answer{}, nil
	}, "", nothing, progress)
	if limit := uint64(512 << 20); most > limit {
		t.Errorf("the program took %d MiB, want at most %d", most>>20, limit>>20)
	}
}
