package apple

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// system reads a report of the whole system: a panic of the kernel, whose text has a stack, or that memory ran out.
//
//	panic(cpu 0 caller 0xfffffff04bd34530): SEP monitor error
//	Kernel text base:  0xfffffff007004000
//	Panicked thread: 0xffffffe19a1d9b00, backtrace: 0xffffffea2d5c3a10, tid: 512
//			  lr: 0xfffffff0089a7b20  fp: 0xffffffea2d5c3a50
//
// Source: Apple, XNU, osfmk/kern/debug.c and osfmk/arm64/machine_routines (panic_print, print_one_backtrace).
func (b *ipsReport) system(d *text.Draft, head *ipsHead) *process.Process {
	setSystem(d, head.System, "")
	d.Process.Subject = 0
	d.Thread(process.Thread{})
	if b.Panic == "" {
		d.Process.Problem = &process.Problem{Kind: process.Killed, Text: b.Largest}
		return d.Finish()
	}
	said, _, _ := strings.Cut(b.Panic, "\n")
	if _, after, ok := strings.Cut(said, "): "); ok && strings.HasPrefix(said, "panic(") {
		said = after
	}
	d.Process.Problem = &process.Problem{Kind: process.Panic, Text: strings.Trim(said, `"`)}
	frames := 0
	for line := range strings.SplitSeq(b.Panic, "\n") {
		line = strings.TrimSpace(line)
		_, lr, ok := strings.Cut(line, "lr: ")
		addr, _, hex := text.Hex(lr)
		switch {
		case ok && hex && frames < maxPanicFrames:
			d.Frame(text.Frame{Address: addr, Return: true})
			frames++
		case strings.HasPrefix(line, "Kernel text base: "), strings.HasPrefix(line, "Kernel version: "), strings.HasPrefix(line, "iBoot version: "):
			name, value, _ := strings.Cut(line, ": ")
			d.Annotate(name, strings.TrimSpace(value))
		}
	}
	return d.Finish()
}

const maxPanicFrames = 1 << 12
