package adapter

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/google/go-dap"

	"crashglass/core/analyze"
	"crashglass/core/report"
	"crashglass/core/report/render"
)

// command runs a command of the console. It returns "" for anything else, which is an expression.
func (s *session) command(args dap.EvaluateArguments) (string, error) {
	if args.Context != "repl" {
		return "", nil
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(args.Expression), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case word == "threads" && rest == "":
		return s.listThreads()
	case word == "waits" && rest == "":
		return s.listWaits(), nil
	case word == "why" && isDigits(rest):
		return s.why(args.FrameId, rest)
	case word == "find" && rest != "":
		return s.find(rest), nil
	case word == "memory" && rest != "":
		return s.dumped(rest)
	}
	return "", nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

func (s *session) listThreads() (string, error) {
	list, err := s.threads(struct{}{})
	var text strings.Builder
	for _, t := range list.Threads {
		fmt.Fprintln(&text, t.Name)
	}
	return text.String(), err
}

func (s *session) listWaits() string {
	var text strings.Builder
	for i := range s.report.Threads {
		if w := s.report.Threads[i].Waits; w != nil {
			fmt.Fprintf(&text, "%s: waits for %s\n", s.threadName(i), w.Text)
		}
	}
	if text.Len() == 0 {
		return "No wait of a thread is proved."
	}
	return text.String()
}

// why writes how the frame in a row of the thread's stack was found, with the evidence.
func (s *session) why(frame int, number string) (string, error) {
	thread, _, err := s.row(frame)
	if err == nil && thread >= len(s.report.Threads) {
		err = errors.New("a task has no registers, which a walk needs")
	}
	if err != nil {
		return "", err
	}
	opt := s.options()
	opt.Threads, opt.Explain = analyze.One(thread), true
	r, err := s.dump.Session.Report(s.dump.Symbols, opt)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	n, err := strconv.Atoi(number)
	if err == nil {
		err = render.Row(&text, r, thread, n, render.Options{Evidence: true})
	}
	if err == nil && text.Len() == 0 {
		err = fmt.Errorf("thread %d has no row %d", thread, n)
	}
	return text.String(), err
}

// find lists where captured memory has a text, in UTF-8 or in UTF-16.
func (s *session) find(text string) string {
	var wide []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(unit), byte(unit>>8))
	}
	var out strings.Builder
	for i, pattern := range [][]byte{[]byte(text), wide} {
		found := s.dump.Session.Find(pattern, 0)
		for _, at := range found.Addresses {
			fmt.Fprintf(&out, "%s %s\n", at, [...]string{"UTF-8", "UTF-16"}[i])
		}
		if found.Next != nil {
			fmt.Fprintf(&out, "memory from %s was not searched\n", *found.Next)
		}
	}
	if out.Len() == 0 {
		return "Captured memory does not have it."
	}
	return out.String()
}

// dumped writes the memory at an address, 16 bytes a line.
func (s *session) dumped(reference string) (string, error) {
	at, err := address(reference, 0)
	if err != nil {
		return "", err
	}
	data := s.dump.Session.ReadMemory(at, 256)
	if len(data) == 0 {
		return "", fmt.Errorf("memory at %#x is not in the dump", at)
	}
	var out strings.Builder
	for ; len(data) > 0; at += 16 {
		line := data[:min(16, len(data))]
		data = data[len(line):]
		fmt.Fprintf(&out, "%#x  % -47x  %s\n", at, line, printable(line))
	}
	return out.String(), nil
}

// printable are bytes as characters, and a dot for each that is none.
func printable(data []byte) string {
	return string(bytes.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '.'
		}
		return r
	}, bytes.ToValidUTF8(data, []byte("."))))
}

// maxCompletions bounds the names that are proposed.
const maxCompletions = 256

// completions proposes names of variables and registers, or, behind a dot or an arrow, of members.
func (s *session) completions(args dap.CompletionsArguments) (dap.CompletionsResponseBody, error) {
	out := dap.CompletionsResponseBody{Targets: []dap.CompletionItem{}}
	typed := utf16.Encode([]rune(args.Text))
	column := args.Column
	if first := s.client.ColumnsStartAt1; first == nil || *first {
		column--
	}
	text := string(utf16.Decode(typed[:min(max(column, 0), len(typed))]))
	start := len(strings.TrimRightFunc(text, isOfName))
	prefix, names := text[start:], []string{}
	if left, ok := cutMember(text[:start]); ok {
		v, err := s.evaluated(args.FrameId, left, 0)
		if err != nil {
			return out, nil // the expression is not complete
		}
		for _, c := range v.Children {
			names = append(names, c.Name)
		}
	} else {
		thread, at, err := s.row(args.FrameId)
		if err != nil {
			return out, err
		}
		for _, r := range at.registers() {
			names = append(names, "$"+r.Name)
		}
		list, err := s.scope(thread, at)
		if err != nil {
			return out, err
		}
		for _, v := range list {
			names = append(names, v.Name)
		}
	}
	seen := map[string]bool{}
	for _, name := range names {
		if strings.HasPrefix(name, prefix) && strings.TrimFunc(name, isOfName) == "" && !seen[name] && len(seen) < maxCompletions {
			seen[name] = true
			out.Targets = append(out.Targets, dap.CompletionItem{Label: name, Type: "variable"})
		}
	}
	return out, nil
}

// registers are those of a row's frame. A call of an interpreter has none.
func (r row) registers() report.Registers {
	if r.call >= 0 {
		return nil
	}
	return r.frame.Registers
}

// isOfName reports whether a name of a variable or of a register may have a character.
func isOfName(r rune) bool {
	return r == '_' || r == '$' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' || r > 0x7f
}

// cutMember returns the expression before a dot or an arrow at the end of a text.
func cutMember(text string) (left string, ok bool) {
	if left, ok = strings.CutSuffix(text, "->"); !ok {
		left, ok = strings.CutSuffix(text, ".")
	}
	start := len(strings.TrimRightFunc(left, func(r rune) bool { return isOfName(r) || strings.ContainsRune(".->[]:", r) }))
	return strings.TrimLeft(left[start:], ".->[]:"), ok && start < len(left)
}
