package crash

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/process"
	"crashglass/core/process/bugcheck"
	"crashglass/core/process/module"
)

// A Stop is a bug check: the reason for which the kernel of Windows stopped the system, or wrote a live dump.
type Stop struct {
	Code   uint32
	Params []uint64
	Driver uint64 // the start of the driver that holds the blocked request, 0 when unknown

	Hardware []string // what an error record of the hardware names

	About func(base uint64) []string // what the dump has about the driver at an address; may be nil
}

func (s *Stop) param(i int) uint64 {
	if i < len(s.Params) {
		return s.Params[i]
	}
	return 0
}

// check is the row of the table, nil for an unknown code.
func (s *Stop) check() *bugcheck.Check {
	c, _ := bugcheck.Of(s.Code)
	return c
}

func (s *Stop) read() bugcheck.Reading { return s.check().Read(s.Params) }

func (s *Stop) kinds() [4]bugcheck.Kind { return s.read().Kinds }

// of returns the first parameter of a kind that is not 0.
func (s *Stop) of(kind bugcheck.Kind) (uint64, bool) {
	for i, k := range s.kinds() {
		if k == kind && s.param(i) != 0 {
			return s.param(i), true
		}
	}
	return 0, false
}

func (s *Stop) operation() bugcheck.Access {
	for i, k := range s.kinds() {
		if k == bugcheck.Operation {
			return s.check().AccessOf(s.param(i))
		}
	}
	switch s.Code { // bug checks without such a parameter
	case writeToReadOnly:
		return bugcheck.Write
	case executeOfData:
		return bugcheck.Execute
	}
	return bugcheck.Unknown
}

// ATTEMPTED_WRITE_TO_READONLY_MEMORY and ATTEMPTED_EXECUTE_OF_NOEXECUTE_MEMORY.
const (
	writeToReadOnly = 0xbe
	executeOfData   = 0xfc
)

// failFast is the bug check whose first parameter is a code of __fastfail.
const failFast = 0x139

// violations are the first parameters of an access violation.
var violations = [...]uint64{bugcheck.Read: 0, bugcheck.Write: 1, bugcheck.Execute: 8}

// CauseOf returns the exception behind a bug check, as far as its record or its parameters have it, or nil. So the rest of the
// package explains it as it does for a process.
func CauseOf(s *Stop, record *process.Event) *Exception {
	pc, _ := s.of(bugcheck.Instruction)
	addr, hasAddr := s.of(bugcheck.Address)
	code, raised := s.of(bugcheck.Exception)
	op := s.operation()
	switch {
	case record != nil && record.Code != 0:
		return &Exception{Code: record.Code, Flags: record.Flags, Address: record.Address, Params: record.Parameters}
	case s.Code == failFast:
		return &Exception{Code: stackBufferOverrun, Address: pc, Params: s.Params[:min(1, len(s.Params))]}
	case raised:
		e := &Exception{Code: uint32(code), Address: pc}
		for i, k := range s.kinds() {
			if k == bugcheck.Information {
				e.Params = append(e.Params, s.param(i))
			}
		}
		e.NoAddress = len(e.Params) < 2
		return e
	case op != bugcheck.Unknown && (hasAddr || pc != 0):
		return &Exception{Code: accessViolation, Address: pc, Params: []uint64{violations[op], addr}}
	}
	return nil
}

func (s *facts) stopped() {
	stop := s.in.Stop
	s.Reason, s.ReasonName = bugcheck.Name(stop.Code), bugcheck.Name(stop.Code)
	if _, ok := stop.of(bugcheck.Address); !ok && (s.in.Exception == nil || !s.fault.memory || s.in.Exception.NoAddress) {
		s.Address, s.HasAddress = stop.of(bugcheck.Instruction)
	}
	s.Parameters = nil
	read := stop.read()
	for i := range read.Kinds {
		s.Parameters = append(s.Parameters, Parameter{stop.param(i), stop.meaning(read, i)})
	}
	s.Note = join(sentenceOf(capital(read.Exact)), sentenceOf(capital(read.Text)))
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// irqls are the names of interrupt request levels that all CPUs share. Source: wdm.h.
var irqls = [...]string{"PASSIVE_LEVEL", "APC_LEVEL", "DISPATCH_LEVEL"}

var operations = [...]string{bugcheck.Unknown: "", bugcheck.Read: "read", bugcheck.Write: "write", bugcheck.Execute: "execution"}

// meaning says what a parameter is, and its value if that is no address.
func (s *Stop) meaning(read bugcheck.Reading, i int) string {
	word, v := read.Words[i], s.param(i)
	switch read.Kinds[i] {
	case bugcheck.IRQL:
		if v < uint64(len(irqls)) {
			word = join(word, irqls[v])
		}
	case bugcheck.Operation:
		word = operations[s.check().AccessOf(v)]
	case bugcheck.Status, bugcheck.Exception:
		word += ": " + ntStatus(uint32(v))
	case bugcheck.PoolTag:
		word += ": " + tag(v)
	case bugcheck.Subcode:
		if s.Code == failFast {
			word += ": " + fastFailName(uint32(v))
		}
	}
	return word
}

// tag is a pool tag, four characters, or another text of at most eight.
func tag(v uint64) string {
	text := binary.LittleEndian.AppendUint64(nil, v)
	if v>>32 == 0 {
		text = text[:4]
	}
	for i, c := range text {
		if c < ' ' || c > '~' {
			text[i] = '.'
		}
	}
	return string(text)
}

func (s *facts) findStop() []candidate {
	stop := s.in.Stop
	if stop == nil {
		return nil
	}
	c := stop.check()
	read := stop.read()
	head := map[bool]string{false: "Blue screen", true: "Live dump"}[c.Has(bugcheck.Live)]
	f := Finding{Kind: BugChecked, Text: head + ": " + bugcheck.Name(stop.Code), Confidence: 1}
	switch {
	case c.Has(bugcheck.Asked):
		f.Kind, f.Text = OnRequest, capital(read.Text)
	case stop.Code == failFast:
		f.Text = head + ": " + cmp.Or(fastFailNotes.of(uint32(stop.param(0))), read.Text)
	case read.Exact != "" || read.Text != "":
		f.Text = head + ": " + cmp.Or(read.Exact, read.Text)
	}
	f.Evidence = append(f.Evidence, s.stopSentence())
	if m := s.in.Modules.At(stop.Driver); m != nil {
		f.Evidence = append(f.Evidence, fmt.Sprintf("The blocked request (IRP) is with `%s`, which has not completed it.", m.Name()))
	}
	for _, part := range stop.Hardware {
		f.Evidence = append(f.Evidence, "The error record names "+part+".")
	}
	if c.Has(bugcheck.Live) {
		f.Evidence = append(f.Evidence, "Windows went on.")
	}
	return statement(f)
}

// violated is the operation by the first parameter of an access violation.
func violated(v uint64) bugcheck.Access {
	for op := bugcheck.Read; op <= bugcheck.Execute; op++ {
		if violations[op] == v {
			return op
		}
	}
	return bugcheck.Unknown
}

func accessOf(word string, addr uint64) string {
	return fmt.Sprintf("%s of address %s", cmp.Or(word, "use"), hex(addr))
}

// stopSentence names the bug check with the parameters that matter most.
func (s *facts) stopSentence() string {
	stop := s.in.Stop
	out := fmt.Sprintf("Bug check %#x", stop.Code)
	if c := stop.check(); c != nil {
		out += ", " + c.Name
	}
	var facts, where []string
	addr, ok := stop.of(bugcheck.Address)
	switch e := s.in.Exception; {
	case ok || operations[stop.operation()] != "":
		facts = append(facts, accessOf(operations[stop.operation()], addr))
	case e != nil && s.e != nil && s.protectionFault():
		facts = append(facts, ntStatus(e.Code), "a general protection fault, whose address the processor does not report,")
	case e != nil && e.Code == accessViolation && !e.NoAddress && len(e.Params) > 1:
		facts = append(facts, ntStatus(e.Code), accessOf(operations[violated(e.Params[0])], e.Params[1]))
	case e != nil && stop.Code != failFast:
		facts = append(facts, ntStatus(e.Code))
	}
	if text := stop.machineCheck(); text != "" {
		facts = append(facts, text)
	}
	read := stop.read()
	for i, k := range read.Kinds {
		v := stop.param(i)
		switch {
		case k == bugcheck.IRQL && !slices.Contains(slices.Delete(slices.Clone(read.Kinds[:]), i, i+1), k): // others are named only in the list of parameters
			where = append(where, fmt.Sprintf("at %s (%d)", stop.meaning(read, i), v))
		case k == bugcheck.Status && v != 0 && !slices.Contains(facts, ntStatus(uint32(v))):
			facts = append(facts, ntStatus(uint32(v)))
		case k == bugcheck.PoolTag && v != 0:
			facts = append(facts, read.Words[i]+" `"+tag(v)+"`")
		case k == bugcheck.Subcode && read.Exact != "" && read.Words[i] != k.Meaning(): // what happened says it in words
		case k == bugcheck.Subcode && stop.Code != failFast:
			facts = append(facts, fmt.Sprintf("%s %#x", read.Words[i], v))
		case k == bugcheck.Subcode:
			facts = append(facts, fastFailName(uint32(v)))
		}
	}
	if pc, ok := stop.of(bugcheck.Instruction); ok {
		where = append(where, "by the instruction at "+s.in.placeOf(pc))
	}
	if text := join(strings.Join(facts, ", "), strings.Join(where, " ")); text != "" {
		out += ": " + text
	}
	return out + "."
}

func (in *Input) placeOf(addr uint64) string {
	if m := in.Modules.At(addr); m != nil {
		return fmt.Sprintf("`%s + %#x`", m.Name(), addr-m.Base)
	}
	for i := range in.Unloaded {
		if m := &in.Unloaded[i]; m.Contains(addr) {
			return fmt.Sprintf("`%s + %#x` (unloaded)", m.Name(), addr-m.Base)
		}
	}
	return hex(addr)
}

// stopVerdict is the verdict on a dump of the kernel. A driver is named only if the stack or the parameters prove it.
func stopVerdict(in *Input, a *Analysis) Result {
	cause := causeOf(a)
	r := Result{Frame: -1, Badges: badges(a), Crashed: true, What: bugcheck.Name(in.Stop.Code)}
	var detail []string
	if cause != nil {
		r.What, detail = cause.Text, append(detail, cause.Evidence...)
	}
	c := in.Stop.check()
	if r.Crashed = !c.Has(bugcheck.Asked); !r.Crashed {
		r.Detail = strings.Join(append(detail, "The dump records no failure."), " ")
		return r
	}
	if c.Has(bugcheck.Hardware) { // the drivers on the stack only report it
		r.Detail = strings.Join(detail, " ")
		return r
	}
	guessed := ""
	for i := range in.Frames {
		if in.Stop.Driver != 0 { // the stack is that of a timer
			break
		}
		f := &in.Frames[i]
		if f.index() < 0 && f.unloaded() == "" || systemFrame(in, f) || isMachinery(f) {
			continue
		}
		if f.Guess {
			guessed = f.name()
			break
		}
		r.Frame, r.Where, r.At = i, f.name(), f.sourceLine()
		break
	}
	driver, place := in.byParameter()
	switch {
	case r.Frame >= 0:
		detail = append(detail, in.about(in.Modules.At(in.Frames[r.Frame].address()))...)
	case place != "":
		r.Where = place
		detail = append(detail, in.about(driver)...)
	case guessed != "":
		detail = append(detail, fmt.Sprintf("Which driver is to blame is not known. The first one that a scan of the stack finds is `%s`, which is a guess.", guessed))
	default:
		detail = append(detail, "Which driver is to blame is not known: only the kernel and Microsoft's frameworks are on the stack.")
	}
	r.Detail = strings.Join(detail, " ")
	return r
}

// about says what the dump has about a driver.
func (in *Input) about(m *module.Module) []string {
	if m == nil || in.Stop.About == nil {
		return nil
	}
	if words := in.Stop.About(m.Base); len(words) > 0 {
		return []string{"`" + m.Name() + "`: " + strings.Join(words, ", ") + "."}
	}
	return nil
}

// byParameter returns the driver of the instruction, routine or pointer into a driver that a parameter has, and the place in it, or nil.
func (in *Input) byParameter() (m *module.Module, place string) {
	if in.System == nil {
		return nil, ""
	}
	if m := in.Modules.At(in.Stop.Driver); m != nil && !in.System(m) {
		return m, m.Name()
	}
	for i, k := range in.Stop.kinds() {
		if k != bugcheck.Instruction && k != bugcheck.Routine && !(k == bugcheck.Pointer && in.Stop.check().Has(bugcheck.Graphics)) {
			continue
		}
		v := in.Stop.param(i)
		if m := in.Modules.At(v); m != nil && !in.System(m) {
			return m, fmt.Sprintf("%s + %#x", m.Name(), v-m.Base)
		}
	}
	return nil, ""
}

// Bug checks of machine checks: the parameters that have the upper and lower half of MCi_STATUS.
const wheaError = 0x124

// Bits of MCi_STATUS. Sources: Intel SDM, volume 3, "Machine-Check Error Codes"; AMD64 APM, volume 2, "Machine Check Architecture". The
// codes below are the same in both.
const (
	mcaValid       = 1 << 63
	mcaUncorrected = 1 << 61
	mcaDamaged     = 1 << 57 // the state of the processor
)

// mcaErrors are the classes of error codes, the lower 16 bits. Bit 12 says that corrections are filtered.
var mcaErrors = []struct {
	mask, code uint16
	what       string
}{
	{0xefff, 0x0005, "internal parity error"}, {0xefff, 0x0400, "internal timer error"}, {0xefff, 0x0e0b, "I/O error"},
	{0xeff0, 0x0010, "error in a translation buffer (TLB)"}, {0xef80, 0x0080, "error of the memory controller"}, {0xef00, 0x0100, "error in a cache"},
	{0xeffc, 0x000c, "error in a cache"}, {0xe800, 0x0800, "error on the bus or interconnect"},
}

// machineCheck says what a machine check reports, "" for other bug checks.
func (s *Stop) machineCheck() string {
	status := s.param(2)<<32 | s.param(3)&0xffff_ffff
	if s.Code != wheaError || s.param(0) != 0 || status&mcaValid == 0 {
		return ""
	}
	out := []string{fmt.Sprintf("machine check status %#x", status)}
	for _, e := range mcaErrors {
		if uint16(status)&e.mask == e.code {
			out = append(out, e.what)
			break
		}
	}
	if status&mcaUncorrected != 0 {
		out = append(out, "not corrected")
	}
	if status&mcaDamaged != 0 {
		out = append(out, "the state of the processor is lost")
	}
	return strings.Join(out, ", ")
}
