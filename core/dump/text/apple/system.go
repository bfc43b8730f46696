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
		d.Process.Problem = &process.Problem{Kind: process.Killed, Text: "memory ran out; the largest process was " + b.Largest}
		return d.Finish()
	}
	panicked(d, b.Panic)
	frames := 0
	for line := range strings.SplitSeq(b.Panic, "\n") {
		line = strings.TrimSpace(line)
		f, ok := panicFrame(line)
		switch {
		case ok && frames < maxPanicFrames:
			d.Frame(f)
			frames++
		case strings.HasPrefix(line, "Kernel text base: "), strings.HasPrefix(line, "Kernel version: "), strings.HasPrefix(line, "iBoot version: "):
			name, value, _ := strings.Cut(line, ": ")
			d.Annotate(name, strings.TrimSpace(value))
		}
	}
	return d.Finish()
}

const maxPanicFrames = 1 << 12

// panicked sets what a panic says: that of Mac OS may have the place in the source behind it.
func panicked(d *text.Draft, s string) {
	said, _, _ := strings.Cut(s, "\n")
	if _, after, ok := strings.Cut(said, "): "); ok && strings.HasPrefix(said, "panic(") {
		said = after
	}
	if quoted, _, ok := text.Between(said, `"`, `"`); ok && strings.HasPrefix(said, `"`) {
		said = quoted
	}
	d.Process.Problem = &process.Problem{Kind: process.Panic, Text: strings.Trim(said, `"`)}
}

// panicFrame reads a frame: that of arm64 has the return address in lr, and that of Intel behind the frame pointer.
//
//	lr: 0xfffffff0089a7b20  fp: 0xffffffea2d5c3a50
//	0xffffffa0f1a8b960 : 0xffffff8015cbab4d mach_kernel : _handle_debugger_trap + 0x3dd
func panicFrame(line string) (f text.Frame, ok bool) {
	_, returns, ok := strings.Cut(line, "lr: ")
	if fp, after, isIntel := strings.Cut(line, " : "); !ok && isIntel {
		_, isHex := text.IsHex(fp)
		returns, ok = after, isHex && strings.HasPrefix(fp, "0x")
	}
	addr, rest, hex := text.Hex(returns)
	f = text.Frame{Address: addr, Return: true}
	if module, name, named := strings.Cut(strings.TrimSpace(rest), " : "); named {
		call, offset, _ := text.CutLast(name, " + ")
		if n, isHex := text.IsHex(offset); isHex {
			f.Names = process.Names{Module: module, Function: call, Offset: n}
		}
	}
	return f, ok && hex
}

// panicMark begins a panic that a Mac wrote as text.
const panicMark = "panic(cpu "

// readPanic reads one. Its frames are followed by the extensions that they are in:
//
//	panic(cpu 0 caller 0xffffff800e489754): "preemption level 1"@/xnu-4570.51.1/osfmk/kern/sched_prim.c:2231
//	Backtrace (CPU 0), Frame : Return Address
//	0xffffff91ff2f3610 : 0xffffff800e46e166
//	      Kernel Extensions in backtrace:
//	         com.apple.iokit.IONVMeFamily(2.1)[0F2B4321-0000-1111-2222-333344445555]@0xffffff7f83c00000->0xffffff7f83c2afff
func readPanic(l *text.Lines) []*process.Process {
	l.Begin(l.Mark())
	first, _ := l.Next()
	d := text.NewDraft(kind)
	d.System(process.Mac, nil)
	panicked(d, first)
	d.Process.Subject = 0
	d.Thread(process.Thread{})
	frames := 0
	for n := 0; n < maxPanicHead+frames && frames < maxPanicFrames; n++ {
		line, ok := l.Next()
		if !ok {
			break
		}
		line = strings.TrimSpace(line)
		if f, ok := panicFrame(line); ok {
			d.Frame(f)
			frames++
		} else if line == "" && frames > 0 {
			break
		} else if name, place, ok := strings.Cut(line, "]@0x"); ok {
			name, uuid, _ := strings.Cut(name, "[")
			name, _, _ = strings.Cut(name, "(")
			base, rest, known := text.Hex(place)
			end, _, also := text.Hex(strings.TrimPrefix(rest, "->"))
			if known && also && end > base && end-base < 1<<40 {
				d.Image(imageOf(name, uuid, base, end-base+1))
			}
		}
	}
	if frames == 0 {
		return nil
	}
	return []*process.Process{d.Finish()}
}

const maxPanicHead = 128 // lines that are no frames
