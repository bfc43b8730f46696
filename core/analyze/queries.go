package analyze

import (
	"fmt"

	"crashglass/core/dump/minidump"
	"crashglass/core/process"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// Explain walks one thread again and records how each frame was found.
func (s *Session) Explain(syms Symbols, thread int, opt Options) (report.Thread, error) {
	if thread < 0 || thread >= len(s.p.Threads) {
		return report.Thread{}, fmt.Errorf("analyze: no thread %d: the dump has %d", thread, len(s.p.Threads))
	}
	opt.Threads, opt.Explain = One(thread), true
	return s.analysis(syms, opt).thread(thread), nil
}

// MaxRead bounds the bytes that one call of ReadMemory returns.
const MaxRead = 1 << 20

// ReadMemory returns up to size captured bytes at addr. It returns fewer if the captured range ends
// before, and none if nothing was captured there.
func (s *Session) ReadMemory(addr uint64, size int) []byte {
	base, run, ok := s.p.Memory.Range(addr)
	if !ok || size <= 0 {
		return nil
	}
	data := make([]byte, min(uint64(size), run-(addr-base), MaxRead))
	return data[:s.p.Memory.Read(addr, data)]
}

// Resolve names an address, as a frame without registers. In contrast to a stack, it looks up the
// address itself: for a return address that is the instruction after the call.
func (s *Session) Resolve(syms Symbols, addr uint64) report.Frame {
	a := s.analysis(syms, Options{})
	f := unwind.Frame{Frame: process.Frame{Instruction: addr, ReturnAddress: addr, Module: s.moduleAt(addr)}}
	out := a.frame(s.p.Arch, 0, &f)
	out.Trust, out.FoundBy, out.Registers = "", "", nil
	return out
}

// moduleAt returns the loaded module at an address, or an unloaded one, or nil.
func (s *Session) moduleAt(addr uint64) *module.Module {
	if found := s.modules.At(addr); found != nil {
		return found
	}
	return s.unloadedModule(addr)
}

// unloadedModule returns the unloaded module at an address, or nil. Of several it returns the one
// with the lowest base.
func (s *Session) unloadedModule(addr uint64) (found *module.Module) {
	s.unloadedMap.at(addr, func(m *module.Module) bool {
		found = m
		return false
	})
	return found
}

// Streams returns the streams of the dump. Another file than a minidump is laid out as one.
func (s *Session) Streams() (*minidump.File, error) { return s.dump.Streams() }

// Process returns the process of the dump.
func (s *Session) Process() *process.Process { return s.p }

// Modules returns the modules of the dump, in the order of the reports' indexes.
func (s *Session) Modules() []module.Module { return s.modules.Modules() }
