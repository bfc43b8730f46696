package unwind

import (
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/machine/postfix"
)

// Programs for FPO records, which have none of their own.
//
//	eip' = *(esp + callee's parameters + saved registers + locals)
//	esp' =   that + 4
//
// A function that uses ebp has saved its caller's at the top of the saved registers; another one
// leaves it unchanged. ebx is then taken from the callee: simple forwarding functions of ntdll
// preserve it, and programs further up need it.
const (
	fpoProgram    = "$eip .raSearchStart ^ = $esp .raSearchStart 4 + ="
	fpoEBPProgram = "$eip .raSearchStart ^ = $ebp $esp .cbCalleeParams + .cbSavedRegs + 8 - ^ = $esp .raSearchStart 4 + ="
)

// raSlack is the number of words above .raSearchStart that are searched for a return address: esp
// may have been aligned to a quadword.
const raSlack = 4

// A winStep is one application of a STACK WIN record. Names are those of its model, Breakpad's
// GetCallerByWindowsFrameInfo. One defect of the model is left out: only the parameter size of the
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
	skipped      uint64 // distance of a scan's result from .raSearchStart
	guessedEBP   bool   // ebp was found by a search
}

// byWin follows a STACK WIN record: a program string, or the sizes of an FPO record. Results are
// checked against the modules, because the sizes are wrong if the compiler wrote wrong ones (MSVC
// 14's /LTCG writes 0 saved registers) or if the stack was aligned.
func byWin(w *walk, f *Frame) (decision, outcome) {
	rec, ok := w.winFrameAt(f.Module, f.Instruction)
	if !ok {
		if rules, rel := w.rulesAt(f.Module, f.Instruction); rules != nil {
			w.say("no STACK WIN record covers %#x", rel)
		}
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

// calleeParams is the size of the parameters that the frame's callee pops. They are above the
// callee's return address, and so at this frame's esp and above. An interrupted frame has called
// nothing: the parameters of KiUserExceptionDispatcher@8 are not on its stack.
func (w *walk) calleeParams() uint64 {
	n := len(w.frames)
	if n < 2 || w.frames[n-1].Interrupted {
		return 0
	}
	callee := &w.frames[n-2]
	if rec, ok := w.winFrameAt(callee.Module, callee.Instruction); ok {
		return uint64(rec.ParamSize)
	}
	if fn, _, ok := w.functionAt(callee.Module, callee.Instruction); ok {
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
		// This function aligned the stack, so ebp locates the return address, and not esp.
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

// searchReturnAddress moves from the expected place of the return address up to the first word that
// looks like one.
//
// A system call stub without a frame may be interrupted right after its callee has returned, with
// that return address still on top of the stack. It equals the current instruction, and is skipped.
func (s *winStep) searchReturnAddress(start uint64) uint64 {
	at, ok := s.w.scan(s.f, start, raSlack)
	if !ok {
		return start
	}
	if ra, _ := s.w.word(at); s.f.Interrupted && !s.rec.FrameData && at == start && ra == s.f.Instruction {
		start += 4
		if next, ok := s.w.scan(s.f, start, raSlack); ok {
			return next
		}
		return start
	}
	return at
}

// program returns the record's program, or the one for its sizes.
func (s *winStep) program() string {
	switch {
	case s.rec.Program != "":
		return s.rec.Program
	case s.rec.AllocatesEBP:
		return fpoEBPProgram
	}
	return fpoProgram
}

// keepsEBP reports whether the function leaves ebp unchanged.
func (s *winStep) keepsEBP() bool { return s.rec.Program == "" && !s.rec.AllocatesEBP }

// evaluate runs the program and returns the variables that it assigned. If the program fails, or
// finds no eip or esp, a scan from esp replaces it.
func (s *winStep) evaluate() (map[string]bool, bool) {
	env := &winEnv{step: s, assigned: map[string]bool{}}
	machine := postfix.Machine{Env: env, Size: 4}
	if s.w.on {
		machine.Trace = func(st postfix.Step) { s.w.sayText("    %s", st.String()) }
		s.w.sayText("STACK WIN %s", s.program())
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

// improve corrects the program's result. If eip and ebp are both 0, the stack has ended and nothing
// is corrected.
func (s *winStep) improve() {
	if s.vars["$eip"] == 0 && s.vars["$ebp"] == 0 {
		return
	}
	s.improveReturnAddress()
	if !s.keepsEBP() {
		s.improveEBP()
	}
}

// improveReturnAddress searches further up if the return address is in no module.
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

// improveEBP searches for the saved ebp if the program's is impossible: it points to no memory or,
// if frames may have been skipped, not above the return address. Candidates are the saved registers
// from the top down, because the prologue pushed ebp first.
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

// decide makes a decision from the corrected results of the program. It has no rules.
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

// virtualFrame is the variable of STACK WIN programs that locations of variables are relative to:
// VFRAME of cvinfo.h.
const virtualFrame = "$T0"

// VirtualFrame returns the virtual frame of frame i of an x86 stack, which its unwind program
// computes. There is none if the program had to search for the return address, or if the walk took
// another caller.
func (in Input) VirtualFrame(stack []Frame, i int) (uint64, bool) {
	if in.Arch == nil || i >= len(stack) {
		return 0, false
	}
	in.Explain = false
	w := newWalk(in)
	if !slices.ContainsFunc(w.methods, func(m method) bool { return m.method == WinFrames }) {
		return 0, false
	}
	w.frames = stack[: i+1 : i+1]
	f := &stack[i]
	rec, ok := w.winFrameAt(f.Module, f.Instruction)
	if !ok || rec.Program == "" {
		return 0, false
	}
	s := &winStep{w: w, f: f, rec: rec, trust: CFI, calleeParams: w.calleeParams()}
	if !s.prepare() || s.searched() {
		return 0, false
	}
	if f.Searched.Has(cpu.EBP) {
		delete(s.vars, "$ebp") // a program that needs it fails
	}
	if _, ok := s.evaluate(); !ok || s.trust != CFI || !s.leadsTo(stack[i+1:]) {
		return 0, false
	}
	v, ok := s.vars[virtualFrame]
	return v, ok
}

// searched reports whether the program depends on a return address that a search found, or on an
// ebp that is not proved.
func (s *winStep) searched() bool {
	if strings.Contains(s.rec.Program, "@") && s.f.Searched.Has(cpu.EBP) {
		return true
	}
	exact := s.mask(s.regsStart + uint64(s.rec.Locals) + uint64(s.rec.SavedRegs))
	return strings.Contains(s.rec.Program, ".raSearch") && s.raStart != exact
}

// leadsTo reports whether the program finds the walk's caller. If the walk found none, a searched
// return address proves nothing.
func (s *winStep) leadsTo(callers []Frame) bool {
	if len(callers) == 0 {
		return !strings.Contains(s.rec.Program, ".raSearch")
	}
	c := &callers[0]
	return s.vars["$eip"] == c.ReturnAddress && s.vars["$esp"] == c.Regs.Value(cpu.ESP)
}
