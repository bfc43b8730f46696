package adapter

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"crashglass/core/analyze"
	"crashglass/core/process/module"
	"crashglass/core/report"
	"crashglass/core/report/render"
)

type handler func(*session, json.RawMessage) (any, error)

// with is a handler of arguments.
func with[A, B any](handle func(*session, A) (B, error)) handler {
	return func(s *session, data json.RawMessage) (any, error) {
		var args A
		if len(data) > 0 {
			if err := json.Unmarshal(data, &args); err != nil {
				return nil, fmt.Errorf("the arguments: %w", err)
			}
		}
		return handle(s, args)
	}
}

// nothing is an answer without a body.
func nothing(*session, json.RawMessage) (any, error) { return nil, nil }

// early are the requests before a launch.
var early = map[string]bool{"initialize": true, "launch": true, "attach": true, "configurationDone": true, "disconnect": true, "terminate": true, "cancel": true,
	"setBreakpoints": true, "setExceptionBreakpoints": true}

func requests() map[string]handler {
	return map[string]handler{
		"initialize": with((*session).initialize),
		"launch":     with((*session).start), "attach": with((*session).start),
		"configurationDone": nothing, "setExceptionBreakpoints": nothing, "cancel": nothing, "disconnect": nothing, "terminate": nothing,
		"setBreakpoints": with((*session).breakpoints),
		"threads":        with((*session).threads), "stackTrace": with((*session).stackTrace), "exceptionInfo": with((*session).exceptionInfo),
		"scopes": with((*session).scopes), "variables": with((*session).variables), "evaluate": with((*session).evaluate),
		"readMemory": with((*session).readMemory), "disassemble": with((*session).disassemble),
		"modules": with((*session).modules), "loadedSources": with((*session).loadedSources), "completions": with((*session).completions),
	}
}

// The sentences for what a dump cannot do.
const (
	noRun    = "This is a dump: nothing in it can run or step."
	noChange = "This is a dump: nothing in it can be changed."
	noSource = "A dump has no source text. \"sourceMap\" of the configuration maps the paths of the build to this machine."
)

// refused are the requests for that.
var refused = map[string]string{
	"continue": noRun, "next": noRun, "stepIn": noRun, "stepOut": noRun, "stepBack": noRun, "reverseContinue": noRun, "pause": noRun, "goto": noRun, "gotoTargets": noRun,
	"restart": noRun, "restartFrame": noRun, "terminateThreads": noRun,
	"setVariable": noChange, "setExpression": noChange, "writeMemory": noChange,
	"source": noSource,
}

func (s *session) initialize(c client) (dap.Capabilities, error) {
	s.client = c
	return dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsEvaluateForHovers: true, SupportsExceptionInfoRequest: true, SupportsDelayedStackTraceLoading: true,
		SupportsLoadedSourcesRequest: true, SupportsModulesRequest: true, SupportsReadMemoryRequest: true, SupportsDisassembleRequest: true, SupportsCancelRequest: true,
		SupportsCompletionsRequest: true,
	}, nil
}

// start opens the dump and makes its report.
func (s *session) start(launch Launch) (any, error) {
	if launch.Dump == "" {
		return nil, errors.New(`the configuration needs "dump", the path of a dump`)
	}
	if s.report != nil {
		return nil, errors.New("a dump is open already")
	}
	at := s.progress("reading "+filepath.Base(launch.Dump), "progressStart", 0)
	defer s.progress("", "progressEnd", 0)
	opened, err := s.open(launch, s)
	if err != nil {
		return nil, err
	}
	opt := opened.Options
	opt.Cancelled = s.isCancelled
	opt.Progress = func(done, total int) {
		if percent := done * 100 / max(total, 1); percent >= at+5 {
			at = s.progress(fmt.Sprintf("%d of %d stacks", done, total), "progressUpdate", percent)
		}
	}
	r, err := opened.Session.Report(opened.Symbols, opt)
	if err == nil {
		s.launch, s.dump, s.report = launch, opened, r
		s.headline = headline(r)
	}
	return nil, err
}

// progress tells a client how far the launch is, if it wants to know, and returns the percentage.
func (s *session) progress(message, event string, percent int) int {
	const id = "launch"
	switch {
	case !s.client.SupportsProgressReporting:
	case event == "progressStart":
		s.event(event, dap.ProgressStartEventBody{ProgressId: id, Title: message, RequestId: s.running, Cancellable: true})
	default:
		s.event(event, dap.ProgressUpdateEventBody{ProgressId: id, Message: message, Percentage: percent})
	}
	return percent
}

// breakpoints says that breakpoints of the editor are never reached.
func (s *session) breakpoints(args dap.SetBreakpointsArguments) (dap.SetBreakpointsResponseBody, error) {
	out := dap.SetBreakpointsResponseBody{Breakpoints: []dap.Breakpoint{}}
	for range args.Breakpoints {
		out.Breakpoints = append(out.Breakpoints, dap.Breakpoint{Message: noRun})
	}
	return out, nil
}

// exceptionInfo is the verdict, with its evidence and the next steps.
func (s *session) exceptionInfo(args dap.ExceptionInfoArguments) (dap.ExceptionInfoResponseBody, error) {
	var verdict, stack bytes.Buffer
	i, err := s.thread(args.ThreadId)
	if err == nil {
		err = render.Verdict(&verdict, s.report)
	}
	if err == nil && i < len(s.report.Threads) {
		err = render.Thread(&stack, s.report, i, render.Options{Brief: true})
	}
	id := s.report.Verdict.What
	if t := s.report.CrashInfo.Type; t != nil {
		id = *t
	}
	return dap.ExceptionInfoResponseBody{
		ExceptionId: id, Description: strings.TrimSpace(verdict.String()), BreakMode: "always",
		Details: &dap.ExceptionDetails{Message: s.headline, TypeName: id, StackTrace: strings.TrimSpace(stack.String())},
	}, err
}

func headline(r *report.Report) string {
	var text bytes.Buffer
	if err := render.Verdict(&text, r); err != nil {
		return r.Verdict.What
	}
	first, _, _ := strings.Cut(text.String(), "\n")
	_, what, _ := strings.Cut(first, ": ")
	return what
}

func address(reference string, offset int) (uint64, error) {
	n, err := strconv.ParseUint(reference, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no address", reference)
	}
	return n + uint64(int64(offset)), nil
}

func hex(n uint64) string { return fmt.Sprintf("%#x", n) }

func (s *session) readMemory(args dap.ReadMemoryArguments) (dap.ReadMemoryResponseBody, error) {
	at, err := address(args.MemoryReference, args.Offset)
	if err != nil || args.Count < 0 {
		return dap.ReadMemoryResponseBody{}, cmp.Or(err, fmt.Errorf("%d bytes", args.Count))
	}
	data := s.dump.Session.ReadMemory(at, args.Count)
	return dap.ReadMemoryResponseBody{Address: hex(at), Data: base64.StdEncoding.EncodeToString(data), UnreadableBytes: args.Count - len(data)}, nil
}

// maxInstructions bounds those of one request, on each side of the address.
const maxInstructions = 1 << 12

// disassemble lists captured code. A client gets as many instructions as it requested: those that are not known are said to be.
func (s *session) disassemble(args dap.DisassembleArguments) (dap.DisassembleResponseBody, error) {
	out := dap.DisassembleResponseBody{Instructions: []dap.DisassembledInstruction{}}
	at, err := address(args.MemoryReference, args.Offset)
	if err != nil {
		return out, err
	}
	first, count := args.InstructionOffset, args.InstructionCount
	if count < 0 || count > maxInstructions || first < -maxInstructions || first > maxInstructions {
		return out, fmt.Errorf("%d instructions from %d on: at most %d are listed", count, first, maxInstructions)
	}
	lines, own := s.listing(at, -first, first+count)
	for i := first; i < first+count; i++ {
		n := own + i
		if n < 0 || n >= len(lines) {
			out.Instructions = append(out.Instructions, dap.DisassembledInstruction{Address: hex(at + uint64(int64(i))), Instruction: "(unknown)"})
			continue
		}
		l := lines[n]
		line := dap.DisassembledInstruction{Address: string(l.Address), InstructionBytes: l.Bytes, Instruction: cmp.Or(l.Text, "(unknown)"), Symbol: text(l.Function)}
		if line.Location = s.source(l.File); l.Line != nil {
			line.Line = s.line(*l.Line)
		}
		out.Instructions = append(out.Instructions, line)
	}
	return out, nil
}

// listing lists the code around an address, and the index of the address in it. One listing of a dump has up to
// [analyze.MostCode] instructions on either side, so there may be several.
func (s *session) listing(at uint64, before, after int) (lines []analyze.CodeLine, own int) {
	list := func(l analyze.CodeLine, before, after int) []analyze.CodeLine {
		addr, _ := address(string(l.Address), 0)
		return s.dump.Session.Disassemble(s.dump.Symbols, addr, before, after).Lines
	}
	here := analyze.CodeLine{Address: report.Address(hex(at))}
	lines = list(here, before, after)
	own = slices.IndexFunc(lines, func(l analyze.CodeLine) bool { n, _ := address(string(l.Address), 0); return n >= at })
	for own >= 0 && own < before && !s.isCancelled() {
		more := list(lines[0], before-own, 0)
		if len(more) < 2 {
			break
		}
		lines, own = append(more[:len(more)-1], lines...), own+len(more)-1
	}
	for own >= 0 && len(lines)-own < after && !s.isCancelled() {
		more := list(lines[len(lines)-1], 0, after)
		if len(more) < 2 {
			break
		}
		lines = append(lines, more[1:]...)
	}
	return lines, own
}

// text is a text that may be missing.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// page is the part of a list that a client requests; a count of 0 is the rest.
func page[T any](list []T, start, count int) []T {
	start = min(max(start, 0), len(list))
	if count <= 0 {
		count = len(list)
	}
	return list[start:min(start+min(count, len(list)), len(list))]
}

func (s *session) modules(args dap.ModulesArguments) (dap.ModulesResponseBody, error) {
	out := dap.ModulesResponseBody{Modules: []dap.Module{}, TotalModules: len(s.report.Modules)}
	start := min(max(args.StartModule, 0), len(s.report.Modules))
	for i := range page(s.report.Modules, start, args.ModuleCount) {
		m := &s.report.Modules[start+i]
		one := dap.Module{Id: start + i, Name: m.CodeFile, Path: m.Path, IsUserCode: !m.System, Version: text(m.Version), AddressRange: fmt.Sprintf("%s-%s", m.Base, m.End)}
		if m.Symbols != nil {
			one.SymbolStatus, one.SymbolFilePath = m.Symbols.State, text(m.Symbols.File)
		}
		out.Modules = append(out.Modules, one)
	}
	return out, nil
}

// loadedSources lists the source files on the stacks.
func (s *session) loadedSources(dap.LoadedSourcesArguments) (dap.LoadedSourcesResponseBody, error) {
	out := dap.LoadedSourcesResponseBody{Sources: []dap.Source{}}
	seen := map[string]bool{}
	for i := range s.report.Threads {
		for _, r := range rows(s.report.Threads[i].Frames) {
			if from := s.source(r.file); from != nil && !seen[from.Origin] {
				seen[from.Origin] = true
				out.Sources = append(out.Sources, *from)
			}
		}
	}
	return out, nil
}

// source is a source file on this machine, by the longest beginning of its path in the configuration. A path of the symbols that is
// no plain path of this machine stays out: the editor would open a share of the network, or another scheme than files, by itself.
func (s *session) source(file *string) *dap.Source {
	if text(file) == "" {
		return nil
	}
	path, own, longest := *file, false, -1
	for from, to := range s.launch.SourceMap {
		if rest, ok := strings.CutPrefix(*file, from); ok && len(from) > longest {
			path, own, longest = to+rest, to != "", len(from)
		}
	}
	out := &dap.Source{Name: module.Basename(*file), Path: path, Origin: *file}
	if !own && !isPlain(path) {
		out.Path, out.PresentationHint = "", "deemphasize"
	}
	return out
}

// isPlain reports whether a path is an absolute one on a disk: /a/b, or C:\a\b.
func isPlain(path string) bool {
	if len(path) > 2 && path[1] == ':' && (path[0]|0x20) >= 'a' && (path[0]|0x20) <= 'z' {
		path = path[2:]
	} else if !strings.HasPrefix(path, "/") {
		return false
	}
	isSlash := func(i int) bool { return i < len(path) && (path[i] == '/' || path[i] == '\\') }
	return isSlash(0) && !isSlash(1) && !strings.Contains(path, "?")
}

// line is the number of a line as the client counts.
func (s *session) line(n int) int {
	if first := s.client.LinesStartAt1; first != nil && !*first {
		n--
	}
	return max(n, 0)
}

// crashing is the index of the thread that the report is about.
func (s *session) crashing() int { return max(s.report.Subject(), 0) }

// thread returns the index of a thread, or, behind the threads, of a task.
func (s *session) thread(id int) (int, error) {
	if n := len(s.report.Threads) + len(s.report.Tasks); id < 1 || id > n {
		return 0, fmt.Errorf("there is no thread %d: the dump has %d threads and tasks", id, n)
	}
	return id - 1, nil
}

func (s *session) frames(i int) []report.Frame {
	if n := len(s.report.Threads); i >= n {
		return s.report.Tasks[i-n].Frames
	}
	return s.report.Threads[i].Frames
}
