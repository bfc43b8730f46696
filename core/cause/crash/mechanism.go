package crash

import (
	"fmt"

	"crashglass/core/machine/cpu"
)

// verb names the access, as in "Null pointer read".
func (f *fault) verb() string {
	switch f.access {
	case cpu.Read:
		return "read"
	case cpu.Write:
		return "write"
	case execute:
		return "call"
	}
	return "access"
}

// pastTense names the access, as in "The program wrote to 0x45".
func (f *fault) pastTense() string {
	switch f.access {
	case cpu.Read:
		return "read from"
	case cpu.Write:
		return "wrote to"
	}
	return "accessed"
}

// mechanism returns the sentence with the proof: the instruction, its access, the address, and the
// register that the address came from.
func (s *facts) mechanism() string {
	f := &s.fault
	if f.access == execute {
		if s.pcAt(f.addr) {
			return fmt.Sprintf("Execution went to %s.", hex(f.addr))
		}
		switch {
		case s.goesTo(f.addr):
			return fmt.Sprintf("`%s` goes to %s.", s.Instruction, hex(f.addr))
		case s.Instruction != "":
			return fmt.Sprintf("The system reports that %s was to be executed.", hex(f.addr))
		}
	}
	if s.Instruction == "" || f.op < 0 {
		return join(s.accessed(), s.unknownPart())
	}
	a := &s.Accesses[f.op]
	text := fmt.Sprintf("`%s` %s %s at %s", s.Instruction, accessVerb(a.Kind), sizeText(a.Size), hex(a.Address))
	if reg, v, ok := s.pointer(); ok {
		text += fmt.Sprintf("; %s is %s%s", s.in.Arch.RegName(reg), hex(v), s.tagText(v, a.Address))
	}
	return text + "."
}

// accessed names the accessed address if only the exception record has it.
func (s *facts) accessed() string {
	f := &s.fault
	switch {
	case !f.known:
		return ""
	case s.Event.doubtful():
		return fmt.Sprintf("The record has %s and no si_code: either the program accessed this address, or it is the number of a process that sent the signal.", hex(f.addr))
	}
	return fmt.Sprintf("The program %s %s.", f.pastTense(), hex(f.addr))
}

func (s *facts) unknownPart() string {
	f := &s.fault
	switch {
	case !f.memory || f.known && f.access != 0:
		return ""
	case f.known:
		return "It is not known whether it read or wrote: " + s.noInstruction() + "."
	case s.pcInPlace():
		return "The address is not known: the writer of the dump put the program counter in its place, and " + s.noInstruction() + "."
	}
	return "The address is not known: " + s.noInstruction() + "."
}

// noInstruction says why the instruction gives no answer.
func (s *facts) noInstruction() string {
	pc, ok := s.pc()
	switch {
	case !ok && s.regs.Known() == 0: // a printed stack has addresses, and no register
		return "the registers are not in the dump"
	case !ok:
		return "the dump has no program counter"
	case s.Instruction != "":
		return fmt.Sprintf("the instruction at the program counter, `%s`, does not tell", s.Instruction)
	case !s.captured(pc):
		return "the code is not in the dump"
	}
	if s.decodable() {
		return "the bytes at the program counter are no instruction"
	}
	return "the code of this CPU is not decoded"
}

func accessVerb(kind cpu.Access) string {
	switch kind {
	case cpu.Read:
		return "reads"
	case cpu.Write:
		return "writes"
	}
	return "reads and writes"
}

func sizeText(size int) string {
	if size <= 0 {
		return "memory"
	}
	return plural(uint64(size), "byte")
}

// evidence joins the mechanism and further sentences, without empty ones.
func (s *facts) evidence(more ...string) []string {
	switch {
	case s.fault.known && s.pcInPlace():
		more = append(more, fmt.Sprintf("The dump has the program counter, %s, in place of the address.", hex(s.Address)))
	case s.fault.known && s.unreported():
		more = append(more, fmt.Sprintf("The system reports %s instead: the CPU does not tell it a non-canonical address.", hex(s.Address)))
	case s.fault.known && s.fault.by == ByInstruction && !near(s.fault.addr, s.at(), nullPage):
		more = append(more, fmt.Sprintf("The dump says %s instead, which the instruction does not access.", hex(s.Address)))
	}
	return compact(append([]string{s.mechanism()}, more...)...)
}
