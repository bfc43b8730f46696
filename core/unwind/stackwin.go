package unwind

import (
	"strings"

	"crashglass/core/cpu"
	"crashglass/core/postfix"
)

// The programs that stand for FPO records, which have none of their own.
//
//	eip' = *(esp + callee's parameters + saved registers + locals)
//	esp' =   that + 4
//
// A function that uses ebp for itself has saved its caller's at the top of the
// saved registers; one that does not use ebp leaves it as it is. ebx is handed
// through then: simple forwarding functions of ntdll leave it alone, and
// programs further up need it.
const (
	fpoProgram    = "$eip .raSearchStart ^ = $esp .raSearchStart 4 + ="
	fpoEBPProgram = "$eip .raSearchStart ^ = $ebp $esp .cbCalleeParams + .cbSavedRegs + 8 - ^ = $esp .raSearchStart 4 + ="
)

// raSlack is how many words above .raSearchStart are looked at for a return
// address: esp may have been aligned to a quadword.
const raSlack = 4

// A winStep is one application of a STACK WIN record, with what the sources of
// its corrections call things. Breakpad's GetCallerByWindowsFrameInfo is the
// model, with one defect left out: of the parameter sizes, only that of the
// immediate callee counts.
type winStep struct {
	w     *walk
	f     *Frame
	rec   WinFrame
	vars  map[string]uint64
	trust Trust

	calleeParams uint64
	raStart      uint64 // .raSearchStart
	regsStart    uint64 // the lowest saved register
	skipped      uint64 // bytes that a scan went past .raSearchStart
	guessedEBP   bool   // ebp was searched for
}

// byWin follows a STACK WIN record: a program string, or the sizes of an FPO
// record. Their results are checked against the modules, because the sizes are
// wrong where the compiler was (MSVC 14's /LTCG writes 0 saved registers) or
// where the stack was aligned.
func byWin(w *walk, f *Frame) (decision, outcome) {
	rules, rel := w.rulesAt(f.Module, f.Instruction)
	if rules == nil {
		return decision{}, none
	}
	rec, ok := rules.WinFrame(rel)
	if !ok {
		w.say("no STACK WIN record covers %#x", rel)
		return decision{}, none
	}
	s := &winStep{w: w, f: f, rec: rec, trust: CFI, calleeParams: w.calleeParams()}
	if !s.prepare() {
		return decision{}, none
	}
	assigned, ok := s.evaluate()
	if !ok {
		return decision{}, none
	}
	s.improve()
	return s.decide(assigned), found
}

// calleeParams is how many bytes of parameters the frame's callee pops. They
// are still below its return address, and so above this frame's esp.
func (w *walk) calleeParams() uint64 {
	n := len(w.frames)
	if n < 2 {
		return 0
	}
	callee := &w.frames[n-2]
	rules, rel := w.rulesAt(callee.Module, callee.Instruction)
	if rules == nil {
		return 0
	}
	if rec, ok := rules.WinFrame(rel); ok {
		return uint64(rec.ParamSize)
	}
	if fn, ok := rules.Function(rel); ok {
		return uint64(fn.ParamSize)
	}
	return 0
}

// prepare finds .raSearchStart and fills the variables that programs use.
func (s *winStep) prepare() bool {
	esp, okSP := s.f.Regs.Get(cpu.ESP)
	ebp, okBP := s.f.Regs.Get(cpu.EBP)
	if !okSP || !okBP {
		s.w.say("esp or ebp is not known")
		return false
	}
	s.regsStart = s.mask(esp + s.calleeParams)
	s.raStart = s.searchReturnAddress(s.mask(s.regsStart + uint64(s.rec.Locals) + uint64(s.rec.SavedRegs)))
	if strings.Contains(s.program(), "@") {
		// The stack was aligned in this function, so that esp says nothing
		// about where the return address is; ebp does.
		s.raStart = s.mask(ebp + 4)
	}
	s.vars = map[string]uint64{
		"$esp": esp, "$ebp": ebp,
		".cbCalleeParams": s.calleeParams,
		".cbSavedRegs":    uint64(s.rec.SavedRegs),
		".cbLocals":       uint64(s.rec.Locals),
		".cbParams":       uint64(s.rec.ParamSize),
		".raSearchStart":  s.raStart,
		".raSearch":       s.raStart,
	}
	if ebx, ok := s.f.Regs.Get(cpu.EBX); ok {
		s.vars["$ebx"] = ebx
	}
	return true
}

// searchReturnAddress moves up from where the return address should be to the
// first word that looks like one.
//
// A system call stub without a frame may be interrupted right after its
// callee has returned, with that return address still on top of the stack: it
// is the current instruction, and one slot is skipped.
func (s *winStep) searchReturnAddress(start uint64) uint64 {
	at, ok := s.w.scan(s.f, start, raSlack)
	if !ok {
		return start
	}
	if ra, _ := s.w.word(at); s.f.interrupted && !s.rec.FrameData && at == start && ra == s.f.Instruction {
		start += 4
		if next, ok := s.w.scan(s.f, start, raSlack); ok {
			return next
		}
		return start
	}
	return at
}

// program is the record's own program, or the one that its sizes stand for.
func (s *winStep) program() string {
	switch {
	case s.rec.Program != "":
		return s.rec.Program
	case s.rec.AllocatesEBP:
		return fpoEBPProgram
	}
	return fpoProgram
}

// keepsEBP reports whether the function leaves ebp alone.
func (s *winStep) keepsEBP() bool { return s.rec.Program == "" && !s.rec.AllocatesEBP }

// evaluate runs the program. It returns the set of variables it assigned. A
// program that fails, or finds no eip or esp, is replaced by a scan from esp.
func (s *winStep) evaluate() (map[string]bool, bool) {
	env := &winEnv{step: s, assigned: map[string]bool{}}
	machine := postfix.Machine{Env: env, Size: 4}
	if s.w.on {
		machine.Trace = func(st postfix.Step) { s.w.tell("    %s", st.String()) }
		s.w.tell("STACK WIN %s", s.program())
		s.w.say(".raSearchStart = %#x", s.raStart)
	}
	err := machine.Run(s.program())
	if err == nil && env.assigned["$eip"] && env.assigned["$esp"] {
		if s.keepsEBP() {
			env.assigned["$ebx"] = s.f.Regs.Known().Has(cpu.EBX)
		}
		return env.assigned, true
	}
	if err != nil {
		s.w.missing(err)
	}
	if !s.w.mayScan() {
		return nil, false
	}
	esp := s.f.Regs.Value(cpu.ESP)
	at, ok := s.w.scan(s.f, esp, s.w.scanLimit(s.f))
	if !ok {
		return nil, false
	}
	eip, _ := s.w.word(at)
	s.vars["$eip"], s.vars["$esp"] = eip, at+4
	s.trust = Scan
	return env.assigned, true
}

// improve corrects what the program found. When both eip and ebp are 0, the
// end of the stack has been reached and nothing is searched for.
func (s *winStep) improve() {
	if s.vars["$eip"] == 0 && s.vars["$ebp"] == 0 {
		return
	}
	s.improveReturnAddress()
	if !s.keepsEBP() {
		s.improveEBP()
	}
}

// improveReturnAddress looks further up when the return address is in no module.
func (s *winStep) improveReturnAddress() {
	if s.w.in.Modules.At(s.vars["$eip"]) != nil || !s.w.mayScan() {
		return
	}
	start := s.vars[".raSearchStart"] + 4
	at, ok := s.w.scan(s.f, start, s.w.scanLimit(s.f))
	if !ok {
		return
	}
	eip, _ := s.w.word(at)
	s.w.say("%#x is in no module; the word at %#x is a return address", s.vars["$eip"], at)
	s.vars["$eip"], s.vars["$esp"] = eip, at+4
	s.skipped = at - start
	s.trust = CFIScan
}

// improveEBP looks for the saved ebp when the program's cannot be one: it
// points to no memory, or, where frames may have been skipped, not above the
// return address. Candidates are the saved registers, from the top down: the
// prologue pushed ebp first.
func (s *winStep) improveEBP() {
	ebp := s.vars["$ebp"]
	skippedFrames := s.trust != CFI && ebp <= s.raStart+s.skipped
	if _, ok := s.w.word(ebp); ok && !skippedFrames {
		return
	}
	top := s.mask(s.regsStart + uint64(s.rec.SavedRegs) + s.skipped)
	for at, tries := top, 0; at >= s.regsStart && at <= top && tries < longScanWords; at, tries = at-4, tries+1 {
		saved, ok := s.w.word(at)
		if !ok {
			return
		}
		if _, ok := s.w.word(saved); ok {
			s.vars["$ebp"], s.guessedEBP = saved, true
			return
		}
	}
}

// decide makes a decision of what the program has computed: there is no rule
// apart from the program, whose results were corrected.
func (s *winStep) decide(assigned map[string]bool) decision {
	var regs cpu.Regs
	regs.Set(cpu.EIP, s.vars["$eip"])
	regs.Set(cpu.ESP, s.vars["$esp"])
	regs.Set(cpu.EBP, s.vars["$ebp"])
	for _, reg := range []cpu.Reg{cpu.EBX, cpu.ESI, cpu.EDI} {
		if name := "$" + s.w.RegName(reg); assigned[name] {
			regs.Set(reg, s.vars[name])
		}
	}
	way := ByWin
	if s.trust != CFI {
		way = ByScan
	}
	d := decision{values: &regs, trust: s.trust, way: way}
	if s.guessedEBP || !assigned["$ebp"] && s.f.Searched.Has(cpu.EBP) {
		d.searched = cpu.SetOf(cpu.EBP)
	}
	return d
}

func (s *winStep) mask(v uint64) uint64 { return v & 0xffff_ffff }

// A winEnv lets a program see and set the variables of a step.
type winEnv struct {
	step     *winStep
	assigned map[string]bool
}

// Get implements postfix.Env.
func (e *winEnv) Get(name string) (uint64, bool) {
	v, ok := e.step.vars[name]
	return v, ok
}

// Set implements postfix.Env.
func (e *winEnv) Set(name string, v uint64) {
	e.step.vars[name] = v
	e.assigned[name] = true
}

// Word implements postfix.Env.
func (e *winEnv) Word(addr uint64) (uint64, bool) { return e.step.w.word(addr) }
