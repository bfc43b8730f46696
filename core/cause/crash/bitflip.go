package crash

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
)

// Confidences of single observations are rust-minidump's, so that numbers can
// be compared between reports. They are variables because arithmetic on Go's
// constants is exact, and on its 32-bit numbers rounds in every step.
var (
	likely   float32 = 0.90
	even     float32 = 0.50
	unlikely float32 = 0.25

	// nearbyFlip is the confidence by the number of registers near the address.
	nearbyFlip = [4]float32{even, plus(even, 0.05), plus(even, 0.1), plus(even, 0.15)}
)

func plus(a, b float32) float32 { return a + b }

const (
	nearby = 1 << 12    // registers this close to an address support it
	low    = 2 * nearby // addresses up to here are numbers more often than pointers
)

// bitFlips searches for valid addresses one bit away from a bad one. About one in twenty crashes of a
// browser in the field is caused by bad memory. On 32-bit CPUs nearly every address has such
// neighbours.
//
// The method and its numbers are rust-minidump's. rust-minidump leaves out arm64 and riscv64:
// without a decoder, a null pointer with an offset of a power of two looks like a flipped bit. This
// package has a decoder for both, and searches there if it decoded the instruction.
func (s *facts) bitFlips() {
	arch := s.in.Arch
	if arch.Word != 8 || s.in.Exception.Unknown || (arch.IsARM64() || arch.IsRISCV64()) && !s.decoded {
		return
	}
	r := flipRange{first: 0, end: 64}
	addr := s.Address
	switch {
	case s.Adjusted != nil && s.Adjusted.Null:
		return
	case s.Adjusted != nil:
		addr, r = s.Adjusted.Value, flipRange{first: 48, end: 64, nonCanonical: true}
	case arch.IsAMD64() || arch.IsARM64():
		r.end = 48
	}
	size, reported := 0, s.reported(s.Address)
	for _, a := range s.Accesses {
		if last := a.Address + min(uint64(a.Size), ^a.Address); a.Address <= reported && reported < last {
			// Bits of the computed address may have flipped. The address of the last byte only
			// follows from it.
			addr, size = a.Address, a.Size
			break
		}
	}
	s.BitFlips = s.flips(addr, cpu.None, r, size)
	for _, reg := range s.baseRegs {
		if v, ok := s.regs.Get(reg); ok {
			s.BitFlips = append(s.BitFlips, s.flips(v, reg, r, size)...)
		}
	}
}

type flipRange struct {
	first, end   uint
	nonCanonical bool
}

// flips tries the bits of one address. On arm64 the bits above the address are a tag or a
// signature, which differ between good pointers; findPointerAuth judges them.
func (s *facts) flips(addr uint64, reg cpu.Reg, r flipRange, size int) []BitFlip {
	if s.in.Arch.IsARM64() {
		addr &= arm64Address
	}
	op := s.windowsAccess()
	if g := s.regionAt(addr); g != nil && allows(g, op) {
		return nil
	}
	// Next to a mapping: the access went one element too far.
	d, ok := s.distance(addr, op)
	if ok && d < uint64(size) {
		return nil
	}
	elements := float32(farElements)
	if ok && size > 0 {
		elements = float32(d) / float32(size)
	}
	var found []BitFlip
	add := func(try uint64) {
		b := s.flip(try, addr, reg, r)
		b.Confidence = float32(b.Confidence * offByOne(elements))
		found = append(found, b)
	}
	for bit := r.first; bit < r.end; bit++ {
		try := addr ^ 1<<bit
		// Null was probably meant if a check for null is wrong.
		if try == 0 {
			add(try)
		}
		if g := s.regionAt(try); g != nil && allows(g, op) {
			add(try)
		}
	}
	return found
}

// farElements is the number of elements behind a mapping from which on an access is no overrun.
const farElements = 64

// offByOne weakens the confidence in a flipped bit near a mapping, where an access may be an overrun, by the distance in elements.
//
// Source: rust-minidump, minidump-processor/src/process_state.rs, off_by_one, since July 2026.
func offByOne(elements float32) float32 {
	if elements >= farElements {
		return 1
	}
	return float32(math.Sqrt(float64(max(elements-1, 0) / (farElements - 1))))
}

func (s *facts) flip(addr, original uint64, reg cpu.Reg, r flipRange) BitFlip {
	b := BitFlip{Address: addr, NonCanonical: r.nonCanonical, Null: addr == 0}
	if reg != cpu.None {
		b.Register = s.in.Arch.RegName(reg)
	}
	b.Low = b.Null && original <= low
	for reg, v := range s.regs.All() {
		if reg == s.in.Arch.Flags() {
			continue
		}
		// A low address is near many values.
		if addr > low && distance(addr, s.untagged(v)) <= nearby {
			b.NearbyRegisters++
			b.nearPC = b.nearPC || reg == s.in.Arch.PC
		}
		b.Poison = b.Poison || slices.Contains(poisonBytes[:], byte(v)) && v == v&0xff*0x0101_0101_0101_0101
	}
	b.Confidence = b.confidence()
	return b
}

// poisonBytes are the fill bytes that rust-minidump knows: those of
// SpiderMonkey (js/src/util/Poison.h), 0xa5 of jemalloc, 0xe5 of mozjemalloc.
var poisonBytes = [...]byte{
	0x2b, 0x2d, 0x2f, 0x49, 0x4b, 0x4d, 0x4f, 0x6b, 0x8b, 0x9b, 0x9f, 0xa5, 0xbb, 0xcc, 0xcd, 0xce, 0xdb, 0xe5,
}

// confidence is one minus the product of the doubts. The conversions prevent the compiler from
// fusing two operations into one with another rounding.
func (b *BitFlip) confidence() float32 {
	doubt := 1 - unlikely // to begin with
	if b.NonCanonical {
		doubt = float32(doubt * (1 - likely))
	}
	if b.Null {
		v := even
		if b.Low {
			v = float32(v * even)
		}
		doubt = float32(doubt * (1 - v))
	}
	if n := min(int(b.NearbyRegisters), len(nearbyFlip)); n > 0 {
		doubt = float32(doubt * (1 - nearbyFlip[n-1]))
	}
	c := 1 - doubt
	if b.Poison {
		c = float32(c * even)
	}
	return c
}

// regionAt returns the region that contains addr, or nil.
func (s *facts) regionAt(addr uint64) *process.Region {
	if i := s.regionIndex(addr); i >= 0 {
		return &s.in.Regions[i]
	}
	return nil
}

// regionIndex is the index of that region, or -1.
func (s *facts) regionIndex(addr uint64) int {
	list := s.in.Regions
	i := sort.Search(len(list), func(i int) bool { return list[i].Start > addr }) - 1
	if i < 0 || !list[i].Contains(addr) {
		return -1
	}
	return i
}

// distance returns how far addr is from the nearest region that allows op.
func (s *facts) distance(addr uint64, op cpu.Access) (best uint64, ok bool) {
	for i := range s.in.Regions {
		g := &s.in.Regions[i]
		if !allows(g, op) {
			continue
		}
		d := uint64(0)
		switch {
		case addr < g.Start:
			d = g.Start - addr
		case addr > g.Last:
			d = addr - g.Last
		}
		if !ok || d < best {
			best, ok = d, true
		}
	}
	return best, ok
}

// findBitFlip reports the most probable bit flip, if it is probable enough.
func (s *facts) findBitFlip() []candidate {
	best := -1
	for i := range s.BitFlips {
		if best < 0 || s.BitFlips[i].Confidence > s.BitFlips[best].Confidence {
			best = i
		}
	}
	if best < 0 || !s.fault.memory || !s.fault.known {
		return nil
	}
	b := &s.BitFlips[best]
	// The program counter is always near a module; alone it supports nothing.
	supported := b.NearbyRegisters > 1 || b.NearbyRegisters == 1 && !b.nearPC
	if b.Confidence < 0.5 || !supported && !b.NonCanonical {
		return nil
	}
	text := fmt.Sprintf("The address is one bit away from %s", hex(b.Address))
	if b.Register != "" {
		text = fmt.Sprintf("Register %s is one bit away from %s", b.Register, hex(b.Address))
	}
	text += map[bool]string{true: ", which is null.", false: ", in " + s.describe(b.Address) + "."}[b.Null]
	evidence := []string{text}
	if b.NearbyRegisters > 0 {
		evidence = append(evidence, fmt.Sprintf("Registers with values close to that: %d.", b.NearbyRegisters))
	}
	return observation(Finding{Kind: BitFlipped, Text: "Possible bit flip", Confidence: b.Confidence, Evidence: evidence})
}

// inconsistencies lists contradictions between the exception and the instruction, which hint at bad
// hardware or a wrong context. The rules are rust-minidump's, for the instructions that it judges.
// Two differences: mov counts as privileged only where it concerns a control register, and
// addresses relative to rip count from the next instruction.
func (s *facts) inconsistencies() {
	if !s.decoded || !s.in.Arch.IsAMD64() {
		return
	}
	e := s.in.Exception
	switch {
	case s.divisionByZero():
		if !s.Inst.Division {
			s.inconsistent("int_div_by_zero_not_possible")
		}
	case !s.in.OS.IsWindows():
	case e.Code == privInstruction:
		if !s.Inst.Privileged {
			s.inconsistent("priv_instruction_crash_without_priv_instruction")
		}
	case e.Code == stackOverflow || s.windowsAccess() != 0:
		s.inconsistentAccess()
	}
}

func (s *facts) inconsistent(name string) { s.Inconsistencies = append(s.Inconsistencies, name) }

func (s *facts) divisionByZero() bool {
	return systemOf(s.in.OS).divisionByZero(s.in.Exception, s.in.Arch)
}

// inconsistentAccess compares the reported access with those of the instruction and with the list
// of mappings.
func (s *facts) inconsistentAccess() {
	missing := s.accessMissing()
	if s.in.Stop != nil && s.protectionFault() {
		return // in the kernel, an access to a device's register causes one, too
	}
	if s.windowsAccess() == cpu.Read && s.protectionFault() && missing {
		if s.derivable() && s.Inst.Mnemonic != "movaps" && s.noNonCanonical() {
			s.inconsistent("non_canonical_address_falsely_reported")
		}
		return
	}
	if missing {
		s.inconsistent("crashing_access_not_found_in_memory_accesses")
	}
	if op := s.windowsAccess(); op != 0 {
		if g := s.regionAt(s.Address); g != nil && allows(g, op) {
			s.inconsistent("access_violation_when_access_allowed")
		}
	}
}

// derivableNames are the instructions whose accesses are certain.
var derivableNames = []string{
	"add", "call", "cmp", "dec", "inc", "ja", "jb", "jg", "jge", "jl", "jle", "jmp", "jmpf", "jna", "jnb", "jno",
	"jnp", "jns", "jnz", "jo", "jp", "js", "jz", "lea", "mov", "movaps", "movups", "pop", "push", "ret", "retf",
	"sub", "ucomiss",
}

// derivable reports whether all accesses of the instruction are known from its operands.
func (s *facts) derivable() bool {
	_, ok := slices.BinarySearch(derivableNames, s.Inst.Mnemonic)
	return ok
}

// accessMissing reports whether the instruction cannot have made the reported access.
func (s *facts) accessMissing() bool {
	if s.Accesses == nil {
		return false
	}
	switch op := s.windowsAccess(); op {
	case execute:
		pc, ok := s.regs.Get(s.in.Arch.PC)
		return ok && pc != s.Address
	case 0: // a stack overflow: any access fits
		return s.derivable() && len(s.Accesses) == 0
	default:
		return s.derivable() && !slices.ContainsFunc(s.Accesses, func(a Access) bool {
			return a.Kind&op != 0 && a.covers(s.Address)
		})
	}
}

// covers reports whether addr is among the bytes of an access, which may wrap.
func (a *Access) covers(addr uint64) bool { return addr-a.Address < uint64(a.Size) }

// noNonCanonical reports whether no address of the instruction is non-canonical.
func (s *facts) noNonCanonical() bool {
	if s.Accesses == nil {
		return false
	}
	switch s.Inst.Flow {
	case cpu.CondJump: // whether it jumps is not known
		return false
	case cpu.Jump, cpu.Call, cpu.Ret:
		if s.IPUpdate == nil || nonCanonical(s.IPUpdate.Address) {
			return false
		}
	}
	return !slices.ContainsFunc(s.Accesses, func(a Access) bool { return nonCanonical(a.Address) })
}

var inconsistencyTexts = map[string]string{
	"int_div_by_zero_not_possible":                    "The exception is a division by zero, and the instruction does not divide.",
	"priv_instruction_crash_without_priv_instruction": "The exception is about a privileged instruction, and this one is not.",
	"non_canonical_address_falsely_reported":          "The exception is about a non-canonical address, and the instruction uses none.",
	"access_violation_when_access_allowed":            "The memory at the address allows the access.",
	"crashing_access_not_found_in_memory_accesses":    "The instruction does not make the access that the exception is about.",
}

// findInconsistent reports contradictions, which hint at bad hardware or a bad dump.
func (s *facts) findInconsistent() (all []candidate) {
	for _, name := range s.Inconsistencies {
		all = append(all, observation(Finding{Kind: Inconsistent, Text: "Exception contradicts the code", Confidence: 0.5, Evidence: []string{
			inconsistencyTexts[name], "That happens with bad memory or an unstable CPU, with modified code, and with registers of another moment."}})...)
	}
	return all
}
