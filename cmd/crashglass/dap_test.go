package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-dap"
)

// An editor is a client of crashglass dap.
type editor struct {
	t       *testing.T
	to      io.WriteCloser
	from    *bufio.Reader
	ended   chan int
	seq     int
	events  []string
	console strings.Builder // what the console shows
}

// startDAP starts the command over pipes.
func startDAP(t *testing.T) *editor {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	e := &editor{t: t, to: toServer, from: bufio.NewReader(fromServer), ended: make(chan int, 1)}
	var errs bytes.Buffer
	c := &cli{out: out, err: &errs, name: "dap"}
	go func() {
		e.ended <- c.dap(in)
		in.Close()
		out.Close()
	}()
	return e
}

// send sends a request, without waiting for the answer.
func (e *editor) send(command string, arguments any) {
	e.t.Helper()
	e.seq++
	data, err := json.Marshal(map[string]any{"seq": e.seq, "type": "request", "command": command, "arguments": arguments})
	if err == nil {
		err = dap.WriteBaseMessage(e.to, data)
	}
	if err != nil {
		e.t.Fatal(command, err)
	}
}

// ask sends a request, and reads the answer into body. It returns the message of a failure.
func (e *editor) ask(command string, arguments, body any) string {
	e.t.Helper()
	e.send(command, arguments)
	return e.answer(e.seq, body)
}

// answer reads messages up to the answer to a request.
func (e *editor) answer(seq int, body any) string {
	e.t.Helper()
	for {
		data, err := dap.ReadBaseMessage(e.from)
		if err != nil {
			e.t.Fatal(err)
		}
		if _, err := dap.DecodeProtocolMessage(data); err != nil {
			e.t.Errorf("%.200s: %v", data, err)
		}
		var m struct {
			Type, Event, Message string
			Seq                  int `json:"request_seq"`
			Success              bool
			Body                 json.RawMessage
		}
		if err := json.Unmarshal(data, &m); err != nil {
			e.t.Fatal(err)
		}
		switch {
		case m.Type == "event":
			e.events = append(e.events, m.Event)
			if m.Event == "output" {
				var shown dap.OutputEventBody
				if err := json.Unmarshal(m.Body, &shown); err != nil {
					e.t.Error(err)
				}
				e.console.WriteString(shown.Output)
			}
		case m.Seq != seq:
			e.t.Errorf("an answer to %d, not to %d: %s", m.Seq, seq, data)
		case !m.Success:
			return m.Message
		default:
			if body != nil {
				if err := json.Unmarshal(m.Body, body); err != nil {
					e.t.Fatal(err)
				}
			}
			return ""
		}
	}
}

// launch opens a dump as an editor does.
func (e *editor) launch(dump string, symbols ...string) string {
	e.t.Helper()
	var can dap.Capabilities
	e.ask("initialize", map[string]any{"adapterID": "crashglass"}, &can)
	if !can.SupportsReadMemoryRequest || can.SupportsStepBack || can.SupportsSetVariable || can.SupportsWriteMemoryRequest {
		e.t.Errorf("capabilities: %+v", can)
	}
	configuration := map[string]any{"dump": dump, "symbols": symbols, "local": false, "sourceMap": map[string]string{"/home/build/vars/": "/here/"}}
	if failure := e.ask("launch", configuration, nil); failure != "" {
		return failure
	}
	e.ask("setBreakpoints", map[string]any{"source": map[string]any{"path": "a.c"}, "breakpoints": []any{map[string]any{"line": 1}}}, nil)
	e.ask("configurationDone", nil, nil)
	return ""
}

// end disconnects.
func (e *editor) end() {
	e.t.Helper()
	e.ask("disconnect", nil, nil)
	io.Copy(io.Discard, e.from)
	if status := <-e.ended; status != exitOK {
		e.t.Errorf("dap ends with %d", status)
	}
}

// An editor sees of each dump what its report says: threads, rows, what happened, registers, memory, code, modules.
func TestDAPShowsEachDump(t *testing.T) {
	dumps, err := filepath.Glob("../../core/dump/*/testdata/classes/*")
	if err != nil || len(dumps) == 0 {
		t.Fatal("no dumps", err)
	}
	for _, path := range dumps {
		var out, errs strings.Builder
		if status := run([]string{"walk", "--format", "json", path}, &out, &errs); status != exitOK {
			t.Fatal(path, errs.String())
		}
		var r struct {
			Threads []struct {
				Frames []struct {
					Offset  string
					Inlines []any
				}
			}
			Modules []any
			Crash   struct {
				Thread *int `json:"crashing_thread"`
			} `json:"crash_info"`
			Verdict struct{ What string }
		}
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
			t.Fatal(err)
		}
		e := startDAP(t)
		if failure := e.launch(path); failure != "" {
			t.Errorf("%s: %s", path, failure)
			continue
		}
		var threads dap.ThreadsResponseBody
		e.ask("threads", nil, &threads)
		if len(threads.Threads) < len(r.Threads) || r.Crash.Thread != nil && threads.Threads[0].Id != *r.Crash.Thread+1 {
			t.Errorf("%s: threads %+v", path, threads)
		}
		for _, th := range threads.Threads[:len(r.Threads)] {
			var stack dap.StackTraceResponseBody
			e.ask("stackTrace", dap.StackTraceArguments{ThreadId: th.Id, Levels: 1}, &stack)
			want := 0
			for _, f := range r.Threads[th.Id-1].Frames {
				want += 1 + len(f.Inlines)
			}
			if stack.TotalFrames != want || len(stack.StackFrames) != min(want, 1) {
				t.Errorf("%s: %d rows, want %d", path, stack.TotalFrames, want)
			}
			e.ask("stackTrace", dap.StackTraceArguments{ThreadId: th.Id}, &stack)
			for _, f := range stack.StackFrames {
				e.checkFrame(path, f)
			}
		}
		if len(threads.Threads) > 0 {
			var info dap.ExceptionInfoResponseBody
			e.ask("exceptionInfo", dap.ExceptionInfoArguments{ThreadId: threads.Threads[0].Id}, &info)
			if !strings.Contains(info.Description, r.Verdict.What) || info.Details == nil {
				t.Errorf("%s: %+v", path, info)
			}
		}
		var modules dap.ModulesResponseBody
		e.ask("modules", nil, &modules)
		if len(modules.Modules) != len(r.Modules) {
			t.Errorf("%s: %d modules, want %d", path, len(modules.Modules), len(r.Modules))
		}
		if got := strings.Join(e.events, " "); got != "initialized stopped" {
			t.Errorf("%s: events %s", path, got)
		}
		e.end()
	}
}

// checkFrame requests what hangs on a frame.
func (e *editor) checkFrame(path string, f dap.StackFrame) {
	e.t.Helper()
	var scopes dap.ScopesResponseBody
	e.ask("scopes", dap.ScopesArguments{FrameId: f.Id}, &scopes)
	if n := len(scopes.Scopes); n != 3 || scopes.Scopes[2].Name != "Registers" {
		e.t.Fatalf("%s: %+v", path, scopes)
	}
	var registers dap.VariablesResponseBody
	e.ask("variables", dap.VariablesArguments{VariablesReference: scopes.Scopes[2].VariablesReference}, &registers)
	for _, r := range registers.Variables[:min(2, len(registers.Variables))] {
		var v dap.EvaluateResponseBody
		failure := e.ask("evaluate", dap.EvaluateArguments{Expression: r.EvaluateName + " == " + r.Value, FrameId: f.Id}, &v)
		if v.Result != "1" && v.Result != "true" && !strings.Contains(failure, "scanning") && !strings.Contains(failure, "optimized out") {
			e.t.Errorf("%s: %s is %+v, %s", path, r.EvaluateName, v, failure)
		}
	}
	if f.InstructionPointerReference == "" {
		return
	}
	var code dap.DisassembleResponseBody
	if e.ask("disassemble", dap.DisassembleArguments{MemoryReference: f.InstructionPointerReference, InstructionOffset: -2, InstructionCount: 5}, &code); len(code.Instructions) != 5 {
		e.t.Errorf("%s: %+v", path, code)
	}
	var memory dap.ReadMemoryResponseBody
	e.ask("readMemory", dap.ReadMemoryArguments{MemoryReference: f.InstructionPointerReference, Count: 8}, &memory)
	if data, err := base64.StdEncoding.DecodeString(memory.Data); err != nil || len(data)+memory.UnreadableBytes != 8 {
		e.t.Errorf("%s: %+v", path, memory)
	}
}

// A dump cannot run and cannot be changed, and requests may be wrong.
func TestDAPRefuses(t *testing.T) {
	dumps, _ := filepath.Glob("../../core/dump/minidump/testdata/classes/*")
	e := startDAP(t)
	if got := e.ask("threads", nil, nil); !strings.Contains(got, "launch comes first") {
		t.Error(got)
	}
	if got := e.launch("none.dmp"); !strings.Contains(got, "none.dmp") {
		t.Error(got)
	}
	if got := e.launch("-"); !strings.Contains(got, "standard input") {
		t.Error(got)
	}
	if got := e.launch(""); !strings.Contains(got, `needs "dump"`) {
		t.Error(got)
	}
	if got := e.launch(dumps[0]); got != "" {
		t.Fatal(got)
	}
	for command, want := range map[string]string{
		"continue": "can run or step", "next": "can run or step", "stepIn": "can run or step", "pause": "can run or step", "setVariable": "can be changed", "writeMemory": "can be changed",
		"goof": "no request", "launch": "open already", "source": "no source text", "gotoTargets": "can run or step",
	} {
		if got := e.ask(command, map[string]any{"dump": "x"}, nil); !strings.Contains(got, want) {
			t.Errorf("%s: %q", command, got)
		}
	}
	for command, arguments := range map[string]any{
		"stackTrace": dap.StackTraceArguments{ThreadId: 99}, "scopes": dap.ScopesArguments{FrameId: 1 << 40}, "variables": dap.VariablesArguments{VariablesReference: 7},
		"readMemory": dap.ReadMemoryArguments{MemoryReference: "x"}, "disassemble": dap.DisassembleArguments{MemoryReference: "0", InstructionCount: 1 << 30},
		"evaluate": dap.EvaluateArguments{Expression: "nope"}, "exceptionInfo": dap.ExceptionInfoArguments{ThreadId: -1}, "modules": []int{1},
		"completions": dap.CompletionsArguments{FrameId: -7},
	} {
		if got := e.ask(command, arguments, nil); got == "" {
			t.Errorf("%s %+v has an answer", command, arguments)
		}
	}
	for text, want := range map[string]string{"threads": "Thread 0", "waits": "", "why 0": "Found by", "find ELF": "", "memory 0x10": "<", "why 99999": "<", "memory x": "<"} {
		var v dap.EvaluateResponseBody
		failure := e.ask("evaluate", dap.EvaluateArguments{Expression: text, Context: "repl"}, &v)
		if want == "<" && failure == "" || want != "<" && (failure != "" || v.Result == "" || !strings.Contains(v.Result, want)) {
			t.Errorf("%s: %q, %s", text, v.Result, failure)
		}
	}
	e.end()
}

// Variables, pages of elements and expressions are those that LLDB has of the process.
func TestDAPVariables(t *testing.T) {
	const root = "../../../shared/corpus/vars/"
	if _, err := os.Stat(root); err != nil {
		t.Skip(root + " is not there")
	}
	e := startDAP(t)
	if failure := e.launch(root+"dumps/shop_o0.full.dmp", root+"native/shop_o0"); failure != "" {
		t.Fatal(failure)
	}
	var stack dap.StackTraceResponseBody
	e.ask("stackTrace", dap.StackTraceArguments{ThreadId: 1, StartFrame: 1, Levels: 2}, &stack)
	if f := stack.StackFrames[0]; f.Source == nil || f.Source.Name != "shop.cpp" || f.Line != 22 || !strings.HasPrefix(f.Name, "shop::total(") {
		t.Errorf("%+v", f)
	}
	var scopes dap.ScopesResponseBody
	e.ask("scopes", dap.ScopesArguments{FrameId: 1}, &scopes)
	var list dap.VariablesResponseBody
	var names []string
	for _, scope := range scopes.Scopes {
		names = append(names, scope.Name)
		e.ask("variables", dap.VariablesArguments{VariablesReference: scope.VariablesReference}, &list)
		for _, v := range list.Variables {
			var same dap.EvaluateResponseBody
			if failure := e.ask("evaluate", dap.EvaluateArguments{Expression: v.EvaluateName, FrameId: 1}, &same); scope.Name == "Globals" && (failure != "" || same.Result != v.Value) {
				t.Errorf("%s is %s, and as an expression %s (%s)", v.Name, v.Value, same.Result, failure)
			}
		}
	}
	if got := strings.Join(names, ", "); got != "Arguments, Locals, Globals, Registers" {
		t.Error(got)
	}
	e.ask("variables", dap.VariablesArguments{VariablesReference: scopes.Scopes[0].VariablesReference}, &list)
	if v := list.Variables[0]; v.Name != "o" || v.VariablesReference == 0 || v.MemoryReference == "" {
		t.Fatalf("%+v", v)
	}
	e.ask("variables", dap.VariablesArguments{VariablesReference: list.Variables[0].VariablesReference}, &list)
	for _, v := range list.Variables {
		var same dap.EvaluateResponseBody
		if failure := e.ask("evaluate", dap.EvaluateArguments{Expression: v.EvaluateName, FrameId: 1, Context: "watch"}, &same); failure != "" || same.Result != v.Value {
			t.Errorf("%s is %s, and as an expression %s (%s)", v.Name, v.Value, same.Result, failure)
		}
	}
	var v dap.EvaluateResponseBody
	e.ask("evaluate", dap.EvaluateArguments{Expression: "(char (&)[0])o", FrameId: 1}, nil) // no type
	e.ask("evaluate", dap.EvaluateArguments{Expression: "*(unsigned char *)&d@40", FrameId: 1}, &v)
	if v.IndexedVariables != 40 {
		t.Fatalf("%+v", v)
	}
	e.ask("variables", dap.VariablesArguments{VariablesReference: v.VariablesReference, Filter: "indexed", Start: 30, Count: 10}, &list)
	if len(list.Variables) != 10 || list.Variables[9].Name != "[39]" {
		t.Errorf("%+v", list)
	}
	for text, want := range map[string]string{"o": "o", "1 + o.": "lines", "o.cus": "customer", "$rb": "$rbp", "(o": "o", "nope.": ""} {
		var names dap.CompletionsResponseBody
		if failure := e.ask("completions", dap.CompletionsArguments{FrameId: 1, Text: text, Column: len(text) + 1}, &names); failure != "" {
			t.Errorf("%s: %s", text, failure)
		}
		if found := slices.ContainsFunc(names.Targets, func(c dap.CompletionItem) bool { return c.Label == want }); found != (want != "") {
			t.Errorf("%s: %+v, want %s", text, names.Targets, want)
		}
	}
	e.end()
}

// A goroutine that no thread runs has its variables where it waits, and expressions of them: main sleeps for an hour.
func TestDAPGoroutineVariables(t *testing.T) {
	const root = "../../../shared/corpus/go/"
	if _, err := os.Stat(root); err != nil {
		t.Skip(root + " is not there")
	}
	e := startDAP(t)
	if failure := e.launch(root+"cores/crowd.core.zst", root+"native/crowd.zst"); failure != "" {
		t.Fatal(failure)
	}
	var threads dap.ThreadsResponseBody
	e.ask("threads", nil, &threads)
	main := slices.IndexFunc(threads.Threads, func(th dap.Thread) bool { return th.Name == "goroutine 1: sleep" })
	if main < 0 {
		t.Fatal("main has no thread")
	}
	var stack dap.StackTraceResponseBody
	e.ask("stackTrace", dap.StackTraceArguments{ThreadId: threads.Threads[main].Id}, &stack)
	sleep := slices.IndexFunc(stack.StackFrames, func(f dap.StackFrame) bool { return f.Name == "time.Sleep" })
	if sleep < 0 {
		t.Fatalf("%+v", stack)
	}
	id := stack.StackFrames[sleep].Id
	var scopes dap.ScopesResponseBody
	var list dap.VariablesResponseBody
	var v dap.EvaluateResponseBody
	e.ask("scopes", dap.ScopesArguments{FrameId: id}, &scopes)
	e.ask("variables", dap.VariablesArguments{VariablesReference: scopes.Scopes[0].VariablesReference}, &list)
	failure := e.ask("evaluate", dap.EvaluateArguments{FrameId: id, Expression: "ns / 3600"}, &v)
	if len(list.Variables) != 1 || list.Variables[0].Name != "ns" || list.Variables[0].Value != "3600000000000" || failure != "" || v.Result != "1000000000" {
		t.Errorf("%+v, %+v %s", list, v, failure)
	}
	e.end()
}

// An editor gets the first dump of an archive that can be read, and the console names those that cannot.
func TestEditorBrokenDump(t *testing.T) {
	e := startDAP(t)
	if failure := e.launch(file(t, t.TempDir(), "dumps.zip", zipInOrder(t, 2, 2))); failure != "" {
		t.Error(failure)
	}
	for _, want := range []string{"dumps.zip/0.dmp: ", "2 of the 5 files in this were not read: "} {
		if !strings.Contains(e.console.String(), want) {
			t.Errorf("the console has no %q: %s", want, e.console.String())
		}
	}
	e.end()
}

// Editors that connect to the socket have sessions of their own. No other user can open the socket, and it is removed at the end.
func TestDAPSocket(t *testing.T) {
	dir, err := os.MkdirTemp("", "dap") // paths of sockets are short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")
	dump := file(t, dir, "small.dmp", smallDump(t))
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan int, 1)
	var errs bytes.Buffer
	go func() { ended <- (&cli{out: io.Discard, err: &errs, name: "dap"}).dapAt(ctx, path) }()
	var editors []*editor
	for range 2 {
		client, err := net.Dial("unix", path)
		for tries := 0; err != nil && tries < 100; tries++ {
			time.Sleep(10 * time.Millisecond)
			client, err = net.Dial("unix", path)
		}
		if err != nil {
			t.Fatal(err)
		}
		editors = append(editors, &editor{t: t, to: client, from: bufio.NewReader(client)})
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 && runtime.GOOS != "windows" {
		t.Errorf("%v, %v", info, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".dap*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
	if message := editors[0].ask("launch", map[string]any{"dump": dump, "local": false}, nil); message != "" {
		t.Error(message)
	}
	var threads dap.ThreadsResponseBody
	if message := editors[1].ask("threads", nil, &threads); !strings.Contains(message, "no dump is open") {
		t.Errorf("the second session has the dump of the first: %s, %+v", message, threads)
	}
	if message := editors[0].ask("threads", nil, &threads); message != "" || len(threads.Threads) == 0 {
		t.Errorf("%s, %+v", message, threads)
	}
	second := &cli{out: io.Discard, err: &errs, name: "dap"}
	if status := second.dapAt(ctx, path); status != exitInput || !strings.Contains(errs.String(), "this exists already") {
		t.Errorf("a second server: %d, %s", status, errs.String())
	}
	stop()
	if status := <-ended; status != exitOK {
		t.Errorf("status %d", status)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the socket is left: %v", err)
	}
}
