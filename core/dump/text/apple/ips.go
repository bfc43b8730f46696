package apple

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// maxIPS bounds the bytes of one report. Reports have up to some megabytes.
const maxIPS = 32 << 20

// crashType is the bug_type of crashes. Others are hangs (298), reports of memory (298), kernel panics (210) and more.
const crashType = "309"

// An ipsHead is the first line of a report.
type ipsHead struct {
	BugType string `json:"bug_type"`
	System  string `json:"os_version"`
}

// An ipsReport has the fields that are read of a report's body.
type ipsReport struct {
	PID       uint32                        `json:"pid"`
	Name      string                        `json:"procName"`
	Path      string                        `json:"procPath"`
	Time      string                        `json:"captureTime"`
	CPU       string                        `json:"cpuType"`
	System    struct{ Train, Build string } `json:"osVersion"`
	Exception struct {
		Type, Signal, Codes, Subtype string
		Message                      string
	} `json:"exception"`
	Termination struct {
		Namespace, Indicator string
		Reasons, Details     []string
	} `json:"termination"`
	Region   string              `json:"vmRegionInfo"`
	Said     map[string][]string `json:"asi"`
	Faulting *int                `json:"faultingThread"`
	Last     []ipsFrame          `json:"lastExceptionBacktrace"`
	Threads  []ipsThread         `json:"threads"`
	Images   []ipsImage          `json:"usedImages"`
	Panic    string              `json:"panicString"`
	Older    string              `json:"string"`           // of older systems
	Mac      string              `json:"macOSPanicString"` // of the Mac, beside that of its bridge
	Largest  string              `json:"largestProcess"`   // of a report of memory
}

type ipsThread struct {
	Triggered bool                       `json:"triggered"`
	ID        uint64                     `json:"id"`
	Name      string                     `json:"name"`
	Queue     string                     `json:"queue"`
	State     map[string]json.RawMessage `json:"threadState"`
	Frames    []ipsFrame                 `json:"frames"`
}

type ipsFrame struct {
	Image    int    `json:"imageIndex"`
	Offset   uint64 `json:"imageOffset"`
	Symbol   string `json:"symbol"`
	Location uint64 `json:"symbolLocation"`
	File     string `json:"sourceFile"`
	Line     uint32 `json:"sourceLine"`
	Inline   bool   `json:"inline"`
}

type ipsImage struct {
	Base uint64 `json:"base"`
	Size uint64 `json:"size"`
	UUID string `json:"uuid"`
	Path string `json:"path"`
	Name string `json:"name"`
}

// readIPS reads a report of two JSON values, the first of which is one line.
func readIPS(l *text.Lines) []*process.Process {
	column := strings.IndexByte(l.First(), '{')
	if column < 0 {
		return nil
	}
	var in io.Reader
	start, size, isPrefixed := 0, int64(0), strings.Trim(l.First()[:column], " \t\ufeff") != ""
	if isPrefixed {
		l.Begin(column)
		in = io.LimitReader(&lineReader{l: l}, maxIPS)
	} else {
		l.Next()
		data, _ := l.Rest(maxIPS)
		start, size = max(bytes.IndexByte(data, '{'), 0), int64(len(data))
		in = bytes.NewReader(data[start:])
	}
	decoder := json.NewDecoder(in)
	var head ipsHead
	var body ipsReport
	if decoder.Decode(&head) != nil {
		return nil
	}
	err := text.Decode(decoder, &body)
	if body.Panic = cmp.Or(body.Panic, body.Mac, body.Older); len(body.Threads) == 0 && body.Panic == "" && body.Largest == "" {
		return nil
	}
	if end := int64(start) + decoder.InputOffset(); !isPrefixed && err == nil {
		l.SkipRest(end)
	} else if !isPrefixed {
		l.SkipRest(size)
	}
	d := text.NewDraft(kind)
	if err != nil {
		d.Note(l, "the body cannot be read up to its end: %v", err)
	}
	if len(body.Threads) == 0 {
		return []*process.Process{body.system(d, &head)}
	}
	return []*process.Process{body.process(d, &head)}
}

// A lineReader reads the lines of a log without their prefixes, each when it is needed: no line behind a value that is decoded.
type lineReader struct {
	l    *text.Lines
	rest string // of the last line
}

func (r *lineReader) Read(p []byte) (n int, err error) {
	if r.rest == "" {
		line, ok := r.l.Next()
		if !ok {
			return 0, io.EOF
		}
		r.rest = line + "\n"
	}
	n = copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (b *ipsReport) process(d *text.Draft, head *ipsHead) *process.Process {
	setSystem(d, head.System, b.CPU)
	p := &d.Process
	p.PID = &b.PID
	for _, fact := range [][2]string{{"Process", b.Name}, {"Path", b.Path}, {"Date/Time", b.Time}, {"Termination Reason", b.Termination.Indicator},
		{"VM Region Info", b.Region}, {"Exception Message", b.Exception.Message}} {
		d.Annotate(fact[0], fact[1])
	}
	for _, img := range b.Images {
		if img.Size > 0 && img.Size < 1<<40 {
			d.Image(imageOf(img.path(), img.UUID, img.Base, img.Size))
		}
	}
	d.Program(cmp.Or(b.Path, b.Name))
	b.event(d, head)
	for i := range b.Threads {
		b.thread(d, &b.Threads[i])
	}
	if b.Faulting != nil && *b.Faulting >= 0 && *b.Faulting < len(b.Threads) {
		p.Subject = *b.Faulting
	} else {
		p.Subject = slices.IndexFunc(b.Threads, func(t ipsThread) bool { return t.Triggered })
	}
	if len(b.Last) > 0 {
		d.Thread(process.Thread{Name: "last exception", Role: process.Exception})
		b.frames(d, b.Last, true)
	}
	return d.Finish()
}

func (i *ipsImage) path() string {
	if i.Path == "" {
		return i.Name
	}
	return i.Path
}

// event sets the exception and what the program said.
func (b *ipsReport) event(d *text.Draft, head *ipsHead) {
	p := &d.Process
	p.Event = eventOf(b.Exception.Type, b.Exception.Signal)
	setCode(p.Event, b.Exception.Codes)
	setCode(p.Event, b.Exception.Subtype)
	var lines []string
	for _, image := range slices.Sorted(maps.Keys(b.Said)) {
		lines = append(lines, b.Said[image]...)
	}
	said(d, append(lines, b.Termination.Details...))
	if p.Event == nil && head.BugType != crashType {
		p.Problem = &process.Problem{Kind: process.Hang, Text: strings.Join(append(b.Termination.Reasons, b.Termination.Indicator), " ")}
	}
}

func (b *ipsReport) thread(d *text.Draft, t *ipsThread) {
	out := process.Thread{ID: uint32(t.ID), Name: t.Name}
	if out.Name == "" {
		out.Name = t.Queue
	}
	if arch := d.Process.Arch; arch != nil && t.State != nil {
		if regs := registers(arch, t.State); regs.Known() != 0 {
			out.Registers = &process.Registers{Arch: arch, Regs: regs}
		}
	}
	d.Thread(out)
	b.frames(d, t.Frames, false)
}

// registers reads a thread's state: objects with a value under the names of registers, and a list of them under "x".
func registers(arch *cpu.Arch, state map[string]json.RawMessage) (regs cpu.Regs) {
	type value struct{ Value uint64 }
	set := func(name string, v uint64) {
		if reg, ok := arch.Reg(name); ok {
			regs.Set(reg, v&arch.Mask())
		}
	}
	for name, raw := range state {
		var list []value
		var one value
		switch {
		case json.Unmarshal(raw, &one) == nil:
			set(name, one.Value)
		case json.Unmarshal(raw, &list) == nil:
			for i, v := range list[:min(len(list), 32)] {
				set(name+strconv.Itoa(i), v.Value)
			}
		}
	}
	return regs
}

// frames adds the frames of a thread. returns says that the innermost address is a return address, as the others are.
func (b *ipsReport) frames(d *text.Draft, list []ipsFrame, returns bool) {
	for i := range list {
		in := &list[i]
		f := text.Frame{Return: returns, Inlined: in.Inline}
		returns = returns || !in.Inline
		f.Names = process.Names{Function: in.Symbol, Offset: in.Location, File: in.File, Line: in.Line}
		if in.Image >= 0 && in.Image < len(b.Images) {
			img := &b.Images[in.Image]
			f.Names.Module = img.Name
			f.Address = strip(img.Base + in.Offset)
			if img.Size > 0 && img.Size < 1<<40 {
				f.Image, f.Offset, f.HasOffset = img.path(), in.Offset, true
			}
		}
		d.Frame(f)
	}
}
