package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"crashglass/wasm/internal/bridge"
)

func TestFieldsOfStreams(t *testing.T) {
	v := openExample(t)
	file, err := v.dumps[0].session.Streams()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range file.Streams() {
		request := fmt.Sprintf(`{"op":"fields","dump":0,"type":%d,"offset":%d}`, uint32(s.Type), s.RVA)
		var got FieldsResult
		if err := json.Unmarshal(answerTo(t, v, request).JSON, &got); err != nil {
			t.Fatal(err)
		}
		if s.Type.Name() == "ThreadList" && (len(got.Fields) < 10 || got.Fields[1].Name != "ThreadId" || got.Fields[1].Record != "thread 0") {
			t.Errorf("the threads have %+v", got.Fields)
		}
	}
}

func TestFileBytes(t *testing.T) {
	v := openExample(t)
	if got := answerTo(t, v, `{"op":"file","dump":0,"offset":0,"size":4}`).Bytes; string(got) != "MDMP" {
		t.Errorf("the file begins with %q", got)
	}
	file, err := v.dumps[0].session.Streams()
	if err != nil {
		t.Fatal(err)
	}
	end := file.Size()
	request := fmt.Sprintf(`{"op":"file","dump":0,"offset":%d,"size":1000000}`, end-3)
	if got := answerTo(t, v, request).Bytes; len(got) != 3 {
		t.Errorf("%d bytes before the end, want 3", len(got))
	}
}

func TestStreamsRefused(t *testing.T) {
	v := openExample(t)
	for request, want := range map[string]string{
		`{"op":"fields","dump":0,"type":3,"offset":1}`:              "viewer: no stream of type 0x3 at 0x1",
		`{"op":"fields","dump":7,"type":3,"offset":1}`:              "viewer: dump 7 is not open",
		`{"op":"file","dump":7,"offset":0,"size":1}`:                "viewer: dump 7 is not open",
		`{"op":"file","dump":0,"offset":99999999999999,"size":100}`: "minidump: bytes of the file at 0x5af3107a3fff",
	} {
		if _, err := v.handle(bridge.Request{JSON: []byte(request)}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", request, err, want)
		}
	}
}

// A report that is text has its own lines in place of its file, and Android's protocol buffers none.
func TestFileOfReport(t *testing.T) {
	const panicked = "panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:7 +0x18\nexit status 2\n"
	v := newViewer()
	add(t, v, OpenRequest{}, file("log.txt", []byte("12:00 another line\n"+panicked)))
	for request, want := range map[string]string{
		`{"op":"file","dump":0,"offset":0,"size":11}`:         "panic: boom",
		`{"op":"file","dump":0,"offset":7,"size":4}`:          "boom",
		`{"op":"file","dump":0,"offset":-1,"size":5}`:         "panic",
		`{"op":"file","dump":0,"offset":9999999999,"size":5}`: "",
		`{"op":"file","dump":0,"offset":0,"size":-5}`:         "",
	} {
		if got := string(answerTo(t, v, request).Bytes); got != want {
			t.Errorf("%s: %q, want %q", request, got, want)
		}
	}
	data, err := text(func() ([]byte, error) { return []byte("\x08\x01\x00\x12"), nil }, &FileRequest{Size: 4})
	if len(data) > 0 || err != nil {
		t.Errorf("a protocol buffer has %q, %v", data, err)
	}
}
