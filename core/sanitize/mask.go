package sanitize

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"crashglass/core/report"
)

// leftOut replaces a text that is removed from a masked report, and leftOutDetail an explanation that quotes one.
const (
	leftOut       = "left out of this report"
	leftOutDetail = "The explanation quotes a text of the process, and is left out of this report."
)

// Mask returns a copy of a report without private data: names of people, probable secrets, the
// environment and the command line, annotations and comments, names of mapped documents, texts in
// registers and in variables. All forms that leave the user's machine are written from such a copy,
// so they agree in what they reveal. The report itself stays unchanged.
func Mask(r *report.Report, people []string) *report.Report {
	m := masks{people: people}
	m.findCode(r)
	out := m.copy(reflect.ValueOf(*r), (*masks).text).Interface().(report.Report)
	out.SoftErrors = nil
	maskAnnotations(&out)
	m.maskFiles(r, &out)
	maskHandles(&out)
	maskMac(&out)
	for i := range out.MemoryRegions {
		out.MemoryRegions[i].Name = m.path(m.code.path(r.MemoryRegions[i].Name))
	}
	maskSystem(&out.SystemInfo)
	maskNumbers(&out)
	maskVariables(r, &out)
	return &out
}

// maskFiles keeps the parts of copied files that a sanitized dump keeps.
func (m *masks) maskFiles(r, out *report.Report) {
	for i := range out.LinuxFiles {
		f := &out.LinuxFiles[i]
		at := slices.IndexFunc(textFiles, func(t textFile) bool { return t.name == f.Name })
		if at < 0 || f.Sensitive {
			f.Text = leftOut
		} else {
			f.Text = textFiles[at].keep(m, r.LinuxFiles[i].Text)
		}
	}
}

func maskHandles(r *report.Report) {
	for i := range r.Handles {
		replace(&r.Handles[i].ObjectName)
	}
}

// maskMac keeps the message of a library, which describes the crash.
func maskMac(r *report.Report) {
	replace(&r.MacBootArgs)
	if r.MacCrashInfo == nil {
		return
	}
	for i := range r.MacCrashInfo.Records {
		record := &r.MacCrashInfo.Records[i]
		replace(&record.Backtrace)
		replace(&record.Signature)
		replace(&record.Message2)
	}
}

// maskSystem keeps the text of the system's version only if it is a version.
func maskSystem(s *report.SystemInfo) {
	for _, text := range []**string{&s.OSVersion, &s.OSRaw} {
		if *text == nil {
			continue
		}
		version, rest, more := strings.Cut(**text, " ")
		if more && !isSystem(rest) {
			*text = &version
		}
	}
}

// replace removes a text, if there is one.
func replace(text **string) {
	if *text != nil {
		out := leftOut
		*text = &out
	}
}

// fields are the fields of reports with rules of their own: names of functions, and paths whose
// last part identifies symbols.
var fields = map[string]func(*masks, string) string{
	"Function": (*masks).symbol, "Functions": (*masks).symbol, "Linkage": (*masks).symbol, "Readable": (*masks).symbol, "Signature": (*masks).symbol,
	"SocorroSignature": (*masks).symbol, "Creator": (*masks).symbol, "Where": (*masks).symbol,
	"Path": (*masks).path, "CodeFile": (*masks).path, "DebugFile": (*masks).path, "Process": (*masks).path,
}

// plainText is the type of texts. Codes have types of their own and are not masked: a person's name
// may be "scan".
var plainText = reflect.TypeFor[string]()

// copy copies a value deeply and masks every string in it.
func (m *masks) copy(v reflect.Value, mask func(*masks, string) string) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.String:
		text := v.String()
		if v.Type() == plainText {
			text = mask(m, text)
		}
		out.SetString(text)
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(m.copy(v.Elem(), mask).Addr())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				out.Field(i).Set(m.copy(v.Field(i), maskOf(f.Name)))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(m.copy(v.Index(i), mask))
			}
		}
	default:
		out.Set(v)
	}
	return out
}

func maskOf(field string) func(*masks, string) string {
	if mask, ok := fields[field]; ok {
		return mask
	}
	return (*masks).text
}

// maskNumbers removes texts from registers, variables and evidence, and addresses that are made of them.
func maskNumbers(r *report.Report) {
	n := newNumbers(r)
	hidden := n.hidden(r)
	maskVerdict(&r.Verdict, interprets(r))
	for i, p := range r.CrashInfo.Parameters {
		if n.isText(p) {
			r.CrashInfo.Parameters[i] = report.Addr(0, n.size)
			if i < len(r.CrashInfo.ParameterMeanings) {
				r.CrashInfo.ParameterMeanings[i] = leftOut
			}
		}
	}
	n.origin(r.CrashInfo.Origin)
	for i := range r.Threads {
		n.thread(&r.Threads[i])
	}
	if r.CrashingThread != nil {
		n.frames(r.CrashingThread.Frames)
	}
	for i := range r.Tasks {
		t := &r.Tasks[i]
		for k := range t.Labels {
			t.Labels[k].Value = leftOut
		}
		if t.Exception != nil && t.Exception.Message != "" {
			t.Exception.Message = leftOut
		}
	}
	for i := range r.Globals {
		n.variables(r.Globals[i].Variables)
	}
	if r.Evaluated != nil {
		n.variables(r.Evaluated.Values)
	}
	hidden.in(reflect.ValueOf(r).Elem())
}

// maskVerdict removes explanations that quote texts of the process.
func maskVerdict(v *report.Verdict, interprets bool) {
	quotes := func(kind report.FindingKind) bool {
		return kind == report.FindingText || kind == report.FindingException && interprets
	}
	if quotes(v.Finding) {
		v.Detail = leftOutDetail
	}
	for i := range v.Badges {
		if b := &v.Badges[i]; quotes(b.Finding) && len(b.Evidence) > 0 {
			b.Evidence = []string{leftOutDetail}
		}
	}
}

// interprets reports whether an exception of the process may be one of an interpreter, whose message is a value of the program. Reports of one thread have
// no tasks.
func interprets(r *report.Report) bool {
	if slices.ContainsFunc(r.Tasks, func(t report.Task) bool { return t.Exception != nil }) {
		return true
	}
	threads := r.Threads
	if r.CrashingThread != nil {
		threads = append(threads[:len(threads):len(threads)], r.CrashingThread.Thread)
	}
	return slices.ContainsFunc(threads, func(t report.Thread) bool {
		return slices.ContainsFunc(t.Frames, func(f report.Frame) bool {
			return slices.ContainsFunc(f.Inlines, func(c report.Inline) bool { return c.Interpreted() })
		})
	})
}

// A numbers finds texts among the numbers of a report.
type numbers struct{ wordReader }

func newNumbers(r *report.Report) *numbers {
	sys := &r.SystemInfo
	n := &numbers{wordReader{size: sys.PointerWidth, order: binary.LittleEndian, tagged: sys.Arch().IsARM64()}}
	if sys.BigEndian {
		n.order = binary.BigEndian
	}
	var known pieces
	for i := range r.MemoryRegions {
		if g := &r.MemoryRegions[i]; g.State != "free" {
			known = append(known, piece{number(g.Base), number(g.Base) + number(g.Size)})
		}
	}
	known = known.merged()
	n.isMapped = func(first, last uint64) bool {
		i := known.after(first)
		return len(known) == 0 || i < len(known) && known[i].base <= last
	}
	return n
}

func (n *numbers) isText(a report.Address) bool { return n.hasText(number(a), n.size) }

// hidden returns the numbers of the crash that are a text, or are near to a text in a register of the
// crash: a field or an element of what the text was taken for.
func (n *numbers) hidden(r *report.Report) hiddenNumbers {
	out := hiddenNumbers{}
	var texts []uint64
	var quoted []*report.Address // by sentences
	if at := r.CrashInfo.CrashingThread; at != nil && *at < len(r.Threads) && len(r.Threads[*at].Frames) > 0 {
		for _, reg := range r.Threads[*at].Frames[0].Registers {
			if n.isText(reg.Value) {
				texts = append(texts, number(reg.Value))
			}
		}
		for i := range r.Threads[*at].Frames {
			f := &r.Threads[*at].Frames[i]
			if f.Overwritten != nil {
				quoted = append(quoted, &f.Overwritten.Value)
			}
			for k := range f.Registers {
				quoted = append(quoted, &f.Registers[k].Value)
			}
		}
	}
	add := func(a *report.Address) {
		if a == nil {
			return
		}
		v := number(*a)
		isNear := slices.ContainsFunc(texts, func(text uint64) bool { return v-text < nearText || text-v < nearText })
		if (isNear || n.isText(*a)) && (n.size == 4 || v>>32 != 0 && !n.isAddress(v, n.size)) {
			out[v] = true
		}
	}
	c := &r.CrashInfo
	for i := range c.Parameters {
		quoted = append(quoted, &c.Parameters[i])
	}
	for i := range c.Origin {
		quoted = append(quoted, c.Origin[i].Value, c.Origin[i].Memory)
	}
	for _, a := range quoted {
		add(a)
	}
	add(c.Address)
	if c.AdjustedAddress != nil {
		add(c.AdjustedAddress.Address)
	}
	for i := range c.MemoryAccesses {
		add(&c.MemoryAccesses[i].Address)
	}
	if c.InstructionPointerUpdate != nil {
		add(&c.InstructionPointerUpdate.Address)
	}
	for i := range c.PossibleBitFlips {
		add(&c.PossibleBitFlips[i].Address)
	}
	return out
}

// origin removes values of a trail that are texts.
func (n *numbers) origin(trail report.Trail) {
	for i := range trail {
		for _, a := range []**report.Address{&trail[i].Value, &trail[i].Memory} {
			if *a != nil && n.isText(**a) {
				*a = nil
			}
		}
	}
}

func (n *numbers) thread(t *report.Thread) {
	n.frames(t.Frames)
	n.steps(t.End.Evidence)
	if t.Waits != nil {
		t.Waits.Evidence = slices.DeleteFunc(t.Waits.Evidence, func(e report.WaitEvidence) bool { return e.Value != nil && n.isText(*e.Value) })
	}
}

func (n *numbers) frames(frames []report.Frame) {
	for i := range frames {
		f := &frames[i]
		f.Registers = slices.DeleteFunc(f.Registers, func(r report.Register) bool { return n.isText(r.Value) })
		n.steps(f.Evidence)
		n.variables(f.Variables)
		for j := range f.Inlines {
			call := &f.Inlines[j]
			n.variables(call.Variables)
			if call.Interpreted() {
				maskObjects(call.Variables)
			}
		}
	}
}

// steps removes reads of text, with the lines that quote them.
func (n *numbers) steps(steps []report.Step) {
	for i := range steps {
		s := &steps[i]
		if slices.ContainsFunc(s.Reads, func(r report.Read) bool { return n.isText(r.Value) }) {
			s.Text = leftOut
			s.Reads = slices.DeleteFunc(s.Reads, func(r report.Read) bool { return n.isText(r.Value) })
		}
	}
}

// variables removes values that are texts or characters, which are in quotation marks, or numbers that may
// be characters, and the reads behind them.
func (n *numbers) variables(list []report.Variable) {
	n.spelled(list)
	for i := range list {
		v := &list[i]
		if v.Value != nil && (v.Content == report.ByteContent || strings.ContainsAny(*v.Value, "\"'`") || n.isTextValue(*v.Value)) {
			replace(&v.Value)
		}
		v.Evidence = nil
		if v.Object != nil && n.isText(v.Object.Address) { // the pointer is a text, and points to nothing
			v.Object = nil
		}
		if v.Address != nil && n.isText(*v.Address) {
			v.Address, v.Size = nil, 0
		}
		n.variables(v.Children)
	}
}

// maskObjects removes values of interpreted calls that quote texts without quotation marks: messages of exceptions, keys of objects, and descriptions of
// symbols. A key that is no name in the language is data, too.
func maskObjects(list []report.Variable) {
	for i := range list {
		v := &list[i]
		if v.Value != nil && (strings.Contains(*v.Value, ":") || strings.Contains(*v.Value, "Symbol(")) {
			replace(&v.Value)
		}
		for k := range v.Children {
			if name := &v.Children[k].Name; !isMember(*name) {
				*name = leftOut
			}
		}
		maskObjects(v.Children)
	}
}

// isMember reports whether a text is the name of a member, or the number of an element in brackets.
func isMember(s string) bool {
	if number, ok := strings.CutPrefix(s, "["); ok {
		return strings.Trim(number, "0123456789") == "]"
	}
	return !strings.ContainsFunc(s, func(c rune) bool {
		return c != '_' && c != '$' && c != '#' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
}

// isTextValue reports whether a number, of whole units or not, is a text: four characters or more.
func (n *numbers) isTextValue(s string) bool {
	if number, name, ok := strings.Cut(s, " "); ok && strings.HasPrefix(name, "(") { // of an enumeration, or of a function
		s = number
	}
	if v, ok := integer(s); ok {
		return v>>32 != 0 && n.hasText(v, 8) || v>>32 == 0 && v>>24 != 0 && n.hasText(v, 4) && !(n.size == 4 && n.isAddress(v, 4))
	}
	digits := strings.TrimLeft(s, "-")
	if len(digits) > 20 && strings.Trim(digits, "0123456789") == "" {
		return true // of 128 bits
	}
	f, err := strconv.ParseFloat(s, 64)
	return err == nil && (isTextNumber(math.Float64bits(f), 8, n.order) || isTextNumber(uint64(math.Float32bits(float32(f))), 4, n.order))
}

func integer(s string) (uint64, bool) {
	if v, err := strconv.ParseInt(s, 0, 64); err == nil {
		if v < 0 && v >= math.MinInt32 {
			return uint64(uint32(v)), true
		}
		return uint64(v), true
	}
	v, err := strconv.ParseUint(s, 0, 64)
	return v, err == nil
}

// leastSpelled is the number of characters that make the elements of an array a text.
const leastSpelled = 4

// spelled removes the elements of an array that are characters, or that each hold some.
func (n *numbers) spelled(list []report.Variable) {
	for from := 0; from < len(list); {
		to, chars, of := from, 0, noScript
		for to < len(list) {
			s, count := n.characters(&list[to])
			if count == 0 || to > from && s != of {
				break
			}
			of, chars, to = s, chars+count, to+1
		}
		if chars >= leastSpelled && to-from > 1 {
			for i := from; i < to; i++ {
				replace(&list[i].Value)
			}
		}
		from = max(to, from+1)
	}
}

// characters returns the number of characters that a number of an element is, and their script.
func (n *numbers) characters(v *report.Variable) (script, int) {
	if v.Value == nil || !strings.HasPrefix(v.Name, "[") {
		return noScript, 0
	}
	number, ok := integer(*v.Value)
	if s := scriptOf(rune(number & math.MaxInt32)); ok && number <= unicode.MaxRune && s != noScript && s != latin && s != ideographs && s != syllables {
		return s, 1
	}
	count := 0
	for ; ok && number != 0; number >>= 8 {
		if !printable(byte(number)) {
			return noScript, 0
		}
		count++
	}
	return ascii, count
}

// harmless are annotations that identify a build or a kind of crash, and say nothing about a
// person. Names are in lower case, without separators of words. Every other annotation belongs to
// the program, and may hold any of its data.
//
// Sources: Crashpad's handler, which adds prod, ver, plat and ptype; Chromium's
// components/crash/core/common/crash_keys; Mozilla's CrashAnnotations.yaml;
// Unreal's GenericPlatformCrashContext.
var harmless = []string{
	"reportid", "prod", "ver", "plat", "ptype", "channel", "osarch", "osversion", "lsbrelease", // Crashpad and Chromium
	"productname", "productid", "vendor", "version", "buildid", "releasechannel", "processtype", "platformversion", "gecko", // Mozilla
	"engineversion", "buildversion", "buildconfiguration", "platformname", "enginemode", // Unreal
}

// longestHarmless is above the length of all their values.
const longestHarmless = 64

// isHarmless reports whether an annotation says nothing about a person.
func isHarmless(a *report.Annotation) bool {
	name := strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(strings.ToLower(a.Name))
	return slices.Contains(harmless, name) && len(a.Value) <= longestHarmless
}

// maskAnnotations removes the values of all others. Comments of users and logs of programs are
// annotations, too.
func maskAnnotations(r *report.Report) {
	for i := range r.Annotations {
		if a := &r.Annotations[i]; a.Value != "" && !isHarmless(a) {
			a.Value = leftOut
		}
	}
}

// maskVariables completes the masking of values; out is the masked copy of in. A masked text may
// occur again, character by character, in its elements or in the members of a library's type, so
// these are removed, too.
func maskVariables(in, out *report.Report) {
	maskThreads(in.Threads, out.Threads)
	if in.CrashingThread != nil {
		maskThreads([]report.Thread{in.CrashingThread.Thread}, []report.Thread{out.CrashingThread.Thread})
	}
	for i := range in.Globals {
		maskValues(in.Globals[i].Variables, out.Globals[i].Variables)
	}
	if in.Evaluated != nil {
		maskValues(in.Evaluated.Values, out.Evaluated.Values)
	}
}

func maskThreads(in, out []report.Thread) {
	for i := range in {
		for j := range in[i].Frames {
			was, now := &in[i].Frames[j], &out[i].Frames[j]
			maskValues(was.Variables, now.Variables)
			for k := range was.Inlines {
				maskValues(was.Inlines[k].Variables, now.Inlines[k].Variables)
			}
		}
	}
}

func maskValues(in, out []report.Variable) {
	for i := range in {
		if !sameText(in[i].Value, out[i].Value) {
			out[i].Children, out[i].More = nil, 0
		} else {
			maskValues(in[i].Children, out[i].Children)
		}
	}
}

func sameText(a, b *string) bool { return a == b || a != nil && b != nil && *a == *b }

// AddVariables adds the values of variables to a checklist: the number of frames whose symbols
// describe some. The values are memory, and in a report only on request.
func (l *Checklist) AddVariables(r *report.Report) {
	n := 0
	for i := range r.Threads {
		for _, f := range r.Threads[i].Frames {
			if at := f.ModuleIndex; at != nil && *at < len(r.Modules) && r.Modules[*at].Symbols != nil && r.Modules[*at].Symbols.Variables {
				n++
			}
		}
	}
	if n > 0 {
		l.Items = append(l.Items, Item{What: "values of arguments and variables", Count: n, Unit: "frames"})
	}
}

// hiddenNumbers are numbers that a masked report must not have, neither as an address nor in a sentence.
type hiddenNumbers map[uint64]bool

// in replaces the numbers in all addresses and texts of a value.
func (h hiddenNumbers) in(v reflect.Value) {
	if len(h) == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(h.text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			h.in(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				h.in(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			h.in(v.Index(i))
		}
	}
}

// text replaces the digits of the numbers in a text by those of asterisks, as in a sanitized dump. Decimal
// numbers become a mark.
func (h hiddenNumbers) text(s string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) || i > 0 && isWordByte(s[i-1]) {
			continue
		}
		end := i
		for end < len(s) && isWordByte(s[end]) {
			end++
		}
		v, err := strconv.ParseUint(s[i:end], 0, 64)
		switch {
		case err != nil || !h[v]:
		case strings.HasPrefix(s[i:end], "0x"):
			out.WriteString(s[done:i] + "0x" + strings.Repeat("2a", (end-i-1)/2))
			done = end
		default:
			out.WriteString(s[done:i] + maskedSecret)
			done = end
		}
		i = end - 1
	}
	return out.String() + s[done:]
}
