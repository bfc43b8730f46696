package systemd

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// cpus are the CPUs by the names of elfutils' backends, backends/*_init.c.
const cpus text.Table = ";AMD x86-64=amd64;Intel 80386=x86;AARCH64=arm64;ARM=arm;RISC-V=riscv64;PowerPC 64-bit=ppc64;PowerPC=ppc"

// message reads a line of the message. It reports false for a line of something else.
func (r *report) message(s string) bool {
	switch {
	case s == "", strings.HasPrefix(s, "Process ") && strings.Contains(s, ") of user "), strings.HasPrefix(s, "Metadata for module "):
	case strings.HasPrefix(s, "Stack trace of thread "):
		id, _, _ := text.Decimal(strings.TrimPrefix(s, "Stack trace of thread "))
		r.d.Thread(process.Thread{ID: uint32(id)})
		r.stacks, r.frames, r.handler = true, 0, false
	case strings.HasPrefix(s, "#") && r.stacks:
		return r.frame(s)
	case strings.HasPrefix(s, "Module "), strings.HasPrefix(s, "Found module "):
		r.module(strings.TrimPrefix(strings.TrimPrefix(s, "Found "), "module "))
	case strings.HasPrefix(s, "ELF object binary architecture: "):
		if arch := cpus.CPU(strings.TrimPrefix(s, "ELF object binary architecture: ")); arch != nil {
			r.d.System(process.Linux, arch)
		}
	default:
		return false
	}
	return true
}

// module reads a module with its build ID:
//
//	Module /opt/orbit/orbit, build-id=eba9baa914f0b59ca0fc243051a2260d856036a7
//	Module /opt/orbit/orbit with build-id eba9baa914f0b59ca0fc243051a2260d856036a7
//	Found module /opt/orbit/orbit with build-id: eba9baa914f0b59ca0fc243051a2260d856036a7
//	Module libz.so.1 from rpm zlib-1.2.11-31.fc36.x86_64
func (r *report) module(s string) {
	s = strings.TrimPrefix(s, "Module ")
	for _, words := range []string{", build-id=", " with build-id: ", " with build-id "} {
		if name, id, ok := strings.Cut(s, words); ok {
			name, _, _ = strings.Cut(name, " from ")
			r.d.Image(text.Image{Path: r.path(name), BuildID: id})
			return
		}
	}
}

// signalReturns are functions to which a handler of a signal returns. Their caller was interrupted. glibc, sysdeps/unix/sysv/linux.
var signalReturns = map[string]bool{"__restore_rt": true, "__kernel_rt_sigreturn": true, "__kernel_sigreturn": true, "__sigreturn": true}

// frame reads a frame. The offset is missing before version 246, and unknown names are n/a.
//
//	#0  0x00005601c74bf13d pull (orbit + 0x113d)
//	#1  0x00007f52d3b1d7f7 n/a (libc.so.6)
func (r *report) frame(s string) bool {
	_, rest, number := text.Decimal(s[1:])
	addr, rest, hex := text.Hex(strings.TrimSpace(rest))
	name, where, ok := text.CutLast(strings.TrimSpace(rest), " (")
	where, closed := strings.CutSuffix(where, ")")
	if !number || !hex || !ok || !closed {
		return false
	}
	f := text.Frame{Address: addr, Interrupts: r.frames == 0 || r.handler}
	f.Return = !f.Interrupts
	if name != "n/a" {
		f.Names.Function = name
	}
	image, offset, has := text.CutLast(where, " + ")
	if image != "n/a" {
		image = r.path(image)
		f.Names.Module = image
		if at, isHex := text.IsHex(offset); has && isHex {
			f.Image, f.Offset, f.HasOffset = image, at, true
			f.Names.Module = ""
		}
	}
	r.frames, r.handler = r.frames+1, signalReturns[name]
	r.d.Frame(f)
	return true
}
