package analyze

import (
	"fmt"

	"crashglass/core/module"
	"crashglass/core/report"
	"crashglass/core/snapshot"
	"crashglass/core/unwind"
)

// Explain walks one thread again and records how each frame was found.
func (s *Session) Explain(syms Symbols, thread int, opt Options) (report.Thread, error) {
	if thread < 0 || thread >= len(s.threads) {
		return report.Thread{}, fmt.Errorf("analyze: no thread %d: the dump has %d", thread, len(s.threads))
	}
	opt.Threads, opt.Explain = One(thread), true
	return s.analysis(syms, opt).thread(thread), nil
}

// MaxRead is the most that ReadMemory returns at once.
const MaxRead = 1 << 20

// ReadMemory returns the bytes at addr that were captured in one run: at most
// size, fewer where the run ends, and none where nothing was captured.
func (s *Session) ReadMemory(addr uint64, size int) []byte {
	base, run, ok := s.memory.Range(addr)
	if !ok || size <= 0 {
		return nil
	}
	data := make([]byte, min(uint64(size), run-(addr-base), MaxRead))
	return data[:s.memory.Read(addr, data)]
}

// Resolve says what lies at an address: a frame without registers. Its module
// and names are as in a stack, except that the address is taken as it is: of a
// return address it is the instruction after the call.
func (s *Session) Resolve(syms Symbols, addr uint64) report.Frame {
	a := s.analysis(syms, Options{})
	f := unwind.Frame{Instruction: addr, ReturnAddress: addr, Module: s.moduleAt(addr)}
	out := a.frame(s.arch, 0, &f)
	out.Trust, out.FoundBy, out.Registers = "", "", nil
	return out
}

// moduleAt is the loaded module at an address, or an unloaded one, or nil.
func (s *Session) moduleAt(addr uint64) *module.Module {
	if found := s.modules.At(addr); found != nil {
		return found
	}
	return s.unloadedModule(addr)
}

// unloadedModule is the unloaded module at an address, the one with the lowest
// base where there are several, or nil.
func (s *Session) unloadedModule(addr uint64) (found *module.Module) {
	s.unloadedMap.at(addr, func(m *module.Module) bool {
		found = m
		return false
	})
	return found
}

// File is the dump as it is.
func (s *Session) File() *snapshot.Snapshot { return s.file }

// Modules lists the modules of the dump, as the reports number them.
func (s *Session) Modules() []module.Module { return s.modules.Modules() }
