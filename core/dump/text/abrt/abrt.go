// Package abrt reads core_backtrace, the JSON in which ABRT describes a crash: the threads with addresses, modules with build IDs and offsets, and
// names if there are symbols. A µReport, which ABRT sends to its server, has it as its problem.
//
// The innermost address of a thread is exact, and the others are return addresses.
//
// Source: satyr, lib/core_stacktrace.c, core_thread.c and core_frame.c (from_json, to_json), and core_unwind.c (resolve_frame).
package abrt

import (
	"bytes"
	"encoding/json"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const (
	kind    = "ABRT backtrace"
	maxSize = 16 << 20 // bytes of a backtrace
)

// Family reads backtraces.
var Family = text.Family{Kinds: []string{kind}, Marks: []string{`"signal":`, `"ureport_version":`}, Read: read}

type backtrace struct {
	Problem    *backtrace
	Signal     uint32 `json:"signal"`
	Executable string `json:"executable"`
	Threads    []struct {
		Crashed bool `json:"crash_thread"`
		Frames  []struct {
			Address  uint64 `json:"address"`
			BuildID  string `json:"build_id"`
			Offset   uint64 `json:"build_id_offset"`
			Function string `json:"function_name"`
			File     string `json:"file_name"`
		} `json:"frames"`
	} `json:"stacktrace"`
}

func read(l *text.Lines) []*process.Process {
	start := bytes.IndexByte([]byte(l.First()), '{')
	if start < 0 || start > l.Mark() {
		return nil
	}
	l.Begin(start)
	l.Next()
	data, err := l.Rest(maxSize)
	if err != nil || start >= len(data) {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(data[start:]))
	var b backtrace
	err = text.Decode(decoder, &b)
	if b.Problem != nil {
		b = *b.Problem
	}
	if len(b.Threads) == 0 || len(b.Threads[0].Frames) == 0 { // those of Python have frames only
		return nil
	}
	d := text.NewDraft(kind)
	if l.SkipRest(int64(start) + decoder.InputOffset()); err != nil {
		l.SkipRest(int64(len(data)))
		d.Note(l, "the backtrace cannot be read up to its end: %v", err)
	}
	d.System(process.Linux, nil)
	d.Annotate("Executable", b.Executable)
	if b.Signal > 0 && b.Signal < 128 {
		d.Process.Event = &process.Event{Code: b.Signal, NoAddress: true}
	}
	for i := range b.Threads {
		if b.Threads[i].Crashed {
			d.Process.Subject = i
		}
		d.Thread(process.Thread{})
		for n, f := range b.Threads[i].Frames {
			out := text.Frame{Address: f.Address, Image: f.File, Offset: f.Offset, HasOffset: f.File != "", Return: n > 0, Interrupts: n == 0}
			out.Names.Function = f.Function
			if f.BuildID != "" && f.File != "" {
				d.Image(text.Image{Path: f.File, BuildID: f.BuildID})
			}
			d.Frame(out)
		}
	}
	return []*process.Process{d.Finish()}
}
