package adapter

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"crashglass/core/analyze"
	"crashglass/core/base/bin"
)

// linuxDump opens a dump of Linux.
func linuxDump(tb testing.TB) Opened {
	tb.Helper()
	data, err := os.ReadFile("../../../core/dump/minidump/testdata/classes/linux-amd64.dmp")
	if err != nil {
		tb.Fatal(err)
	}
	sessions, err := analyze.OpenAll(bin.NewSource(bytes.NewReader(data), int64(len(data))))
	if err != nil {
		tb.Fatal(err)
	}
	return Opened{Session: sessions[0]}
}

// message is a message with its header.
func message(seq int, command, arguments string) string {
	text := fmt.Sprintf(`{"seq":%d,"type":"request","command":%q,"arguments":%s}`, seq, command, arguments)
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text)
}

// answers are the messages of a server, each as its kind with what it is about.
func answers(t *testing.T, from io.Reader) (out []string) {
	for r := bufio.NewReader(from); ; {
		data, err := dap.ReadBaseMessage(r)
		if errors.Is(err, io.EOF) {
			return out
		}
		var m struct {
			Event, Command, Message string
			Success                 bool
		}
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		switch {
		case err != nil:
			t.Fatal(err)
		case m.Event != "":
			out = append(out, m.Event)
		case m.Success:
			out = append(out, m.Command+": ok")
		default:
			out = append(out, m.Command+": "+m.Message)
		}
	}
}

// Requests that wait and the one that runs can be cancelled, those that were answered or never sent cannot.
func TestCancel(t *testing.T) {
	in, client := io.Pipe()
	var out bytes.Buffer
	opening, ready, ended := make(chan bool), make(chan bool), make(chan error, 1)
	dump := linuxDump(t)
	go func() {
		ended <- Serve(in, &out, func(Launch, io.Writer) (Opened, error) {
			opening <- true
			<-ready
			return dump, nil
		})
	}()
	send := func(text string) { // each is read when the next one was written
		if _, err := io.WriteString(client, text); err != nil {
			t.Error(err)
		}
	}
	for i := range 200 { // no number is kept
		send(message(1000+i, "cancel", `{"requestId":999}`))
	}
	for i, wrong := range []bool{true, false} {
		seq := 10 * (i + 1)
		send(message(seq, "launch", `{"dump":"x"}`))
		<-opening
		send(message(seq+1, "threads", `null`))
		send(message(seq+2, "modules", `{}`))
		if wrong {
			send(message(seq+3, "cancel", fmt.Sprintf(`{"requestId":%d}`, seq)))
		}
		send(message(seq+4, "cancel", fmt.Sprintf(`{"requestId":%d}`, seq+2)))
		send(message(seq+5, "cancel", `[]`))
		ready <- true
	}
	client.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	got := answers(t, &out)[200:]
	want := []string{
		"launch: cancelled", "threads: no dump is open: launch comes first", "modules: cancelled", "cancel: ok", "cancel: ok", "cancel: ok",
		"launch: ok", "initialized", "threads: ok", "modules: cancelled", "cancel: ok", "cancel: ok",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%q, want %q", got, want)
	}
}

// A stream that is no protocol ends the session with an error. A message that is no request has no answer.
func TestMessages(t *testing.T) {
	response := `{"seq":1,"type":"response","command":"runInTerminal"}`
	for in, want := range map[string]string{
		"":                                      "",
		"POST / HTTP/1.1\r\n\r\n":               "header format",
		"Content-Length: 99999999\r\n\r\n{}":    "content length over",
		"Content-Length: 5\r\n\r\n{}":           "unexpected EOF",
		"Content-Length: 2\r\n\r\n[]":           "cannot unmarshal",
		"Content-Length: 2\r\n\r\n{}":           "",
		message(1, "disconnect", "{}") + "rest": "",
		fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(response), response): "",
	} {
		var out bytes.Buffer
		err := Serve(strings.NewReader(in), &out, nil)
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("%q: %v", in, err)
		}
		if got := answers(t, &out); len(got) > 0 != strings.Contains(in, "disconnect") {
			t.Errorf("%q: %q", in, got)
		}
	}
}

// A client that shows progress gets it, and lines for the console are events without control characters.
func TestProgress(t *testing.T) {
	var out bytes.Buffer
	in := message(1, "initialize", `{"supportsProgressReporting":true}`) + message(2, "launch", `{"dump":"a/b.dmp"}`) + message(3, "configurationDone", `null`)
	err := Serve(strings.NewReader(in), &out, func(_ Launch, console io.Writer) (Opened, error) {
		fmt.Fprintln(console, "a \x1b[31mline")
		return linuxDump(t), nil
	})
	if err != nil || !strings.Contains(out.String(), `a \\x1b[31mline`) || !strings.Contains(out.String(), "reading b.dmp") {
		t.Errorf("%v, %q", err, out.String())
	}
	got := strings.Join(answers(t, &out), ", ")
	if !strings.HasPrefix(got, "initialize: ok, progressStart, output, ") || !strings.HasSuffix(got, "progressEnd, launch: ok, initialized, configurationDone: ok, stopped") {
		t.Error(got)
	}
}

// The editor opens paths of symbols by itself: only plain ones of a disk, unless the user maps them.
func TestSource(t *testing.T) {
	s := &session{launch: Launch{SourceMap: map[string]string{"/b/": "/here/", "/b/sub/": `\\server\share\`, "../../": "/src/", "strip:": ""}}}
	for file, want := range map[string]string{
		"/home/a.c": "/home/a.c", `C:\w\a.c`: `C:\w\a.c`, "d:/w/a.c": "d:/w/a.c",
		"/b/a.c": "/here/a.c", "/b/sub/a.c": `\\server\share\a.c`, "../../base/a.cc": "/src/base/a.cc",
		`\\evil\share\a.c`: "", "//evil/share/a.c": "", `/\evil\share\a.c`: "", "/??/UNC/evil/a.c": "", `\??\UNC\evil\a.c`: "", "http://evil/a.c": "", "vscode://x/a.c": "",
		"a.c": "", "../a.c": "", `C:a.c`: "", `C:\\evil\a.c`: "", "/": "/", "C:": "", "1:/a": "", "strip://evil/a.c": "", "strip:": "",
	} {
		if got := s.source(&file); got.Path != want || got.Origin != file {
			t.Errorf("%s: %+v, want %q", file, got, want)
		}
	}
	if s.source(nil) != nil {
		t.Error("a source of no file")
	}
}

// Listings continue where one of the dump ends.
func TestLongListings(t *testing.T) {
	s := &session{dump: linuxDump(t), pending: map[int]bool{}}
	for _, r := range s.dump.Session.Captured() {
		at, _ := address(string(r.Base), 0)
		body, err := s.disassemble(dap.DisassembleArguments{MemoryReference: hex(at + 64), InstructionOffset: -300, InstructionCount: 900})
		if err != nil || len(body.Instructions) != 900 {
			t.Fatalf("%d instructions, %v", len(body.Instructions), err)
		}
		last := uint64(0)
		for _, l := range body.Instructions {
			n, err := address(l.Address, 0)
			if err != nil || l.InstructionBytes != "" && n <= last {
				t.Errorf("%+v behind %#x, %v", l, last, err)
			}
			if l.InstructionBytes != "" {
				last = n
			}
		}
	}
}

// No request panics, and an answer is bounded.
func FuzzRequest(f *testing.F) {
	f.Add("stackTrace", `{"threadId":1,"startFrame":-1,"levels":9223372036854775807}`)
	f.Add("scopes", `{"frameId":-9223372036854775808}`)
	f.Add("scopes", `{"frameId":9223372036854775807}`)
	f.Add("variables", `{"variablesReference":1,"start":9223372036854775807,"count":9223372036854775807,"filter":"indexed"}`)
	f.Add("variables", `{"variablesReference":3,"start":-5,"count":-5}`)
	f.Add("readMemory", `{"memoryReference":"0xffffffffffffffff","offset":-1,"count":1099511627776}`)
	f.Add("disassemble", `{"memoryReference":"0xffffffffffffffff","instructionOffset":-400,"instructionCount":800}`)
	f.Add("evaluate", `{"expression":"find x","context":"repl"}`)
	f.Add("evaluate", `{"expression":"((((((&$rip@9","frameId":1}`)
	f.Add("completions", `{"text":"a.b->c[1].","column":-9223372036854775808,"frameId":1}`)
	f.Add("completions", `{"text":"\u00e9\ud83d\ude00->","column":3,"frameId":0}`)
	f.Add("modules", `{"startModule":9223372036854775807,"moduleCount":1}`)
	f.Add("exceptionInfo", `{"threadId":0}`)
	f.Add("loadedSources", `null`)
	f.Add("threads", `[1]`)
	f.Add("setBreakpoints", `{"breakpoints":[{"line":-1}]}`)
	dump := linuxDump(f)
	f.Fuzz(func(t *testing.T, command, arguments string) {
		if !json.Valid([]byte(arguments)) || len(arguments) > 1<<16 {
			return
		}
		data, err := json.Marshal(command)
		if err != nil {
			return
		}
		text := fmt.Sprintf(`{"seq":9,"type":"request","command":%s,"arguments":%s}`, data, arguments)
		in := message(1, "launch", `{"dump":"x"}`) + message(2, "scopes", `{"frameId":1}`) + fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(text), text)
		var out bytes.Buffer
		if err := Serve(strings.NewReader(in), &out, func(Launch, io.Writer) (Opened, error) { return dump, nil }); err != nil {
			t.Fatal(err)
		}
		if got := answers(t, &out); len(got) < 4 || strings.Contains(strings.Join(got, " "), "bug in Crashglass") {
			t.Errorf("%s %s: %q", command, arguments, got)
		}
		if out.Cap() > 8<<20 {
			t.Errorf("%s %s: %d bytes", command, arguments, out.Cap())
		}
	})
}
