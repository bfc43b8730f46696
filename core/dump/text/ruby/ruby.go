// Package ruby reads what Ruby prints of an exception that nothing caught.
//
// Frames are names with source lines, and have no addresses. The exception that ended the program is the first thread, and those that caused it are
// further stacks.
//
// Source: Ruby, error.c and eval_error.c (rb_error_write, show_trace, show_cause).
package ruby

import (
	"slices"
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

const kind = "Ruby exception"

// marks are before the name of a function. Since 3.4, both of its quotes are the same.
var marks = []string{":in `", ":in '"}

// Family reads exceptions.
var Family = text.Family{Kinds: []string{kind}, Marks: marks, Read: read}

const (
	maxMessage = 32 // lines
	maxStacks  = 64
)

// read reads an exception, and those that caused it:
//
//	dock.rb:1:in `slot': slot 3 is full (IndexError)
//		from dock.rb:2:in `moor'
//		from dock.rb:3:in `<main>'
//
// Ruby 2.5 to 2.7 turn the order on a terminal, and the numbers of frames are before the line: "	2: from dock.rb:3:in `<main>'".
func read(l *text.Lines) []*process.Process {
	l.Begin(strings.LastIndexAny(l.First()[:l.Mark()], " \t") + 1)
	d, last := text.NewDraft(kind), ""
	var outer []text.Frame
	for n := 0; n < maxStacks; n++ {
		first, ok := l.Next()
		f, message, isFrame := frameOf(first)
		if !ok || !isFrame || message == "" || n > 0 && (first == last || !causes(l, f, outer)) {
			l.Back()
			break
		}
		last = first
		what, ok := said(l, message)
		if !ok {
			break
		}
		frames := append([]text.Frame{f}, below(l)...)
		if n == 0 && len(frames) == 1 {
			frames = append(frames, above(l)...)
		}
		t := process.Thread{Name: what, Role: process.Exception}
		if n == 0 {
			t = process.Thread{}
			d.Process.Problem = &process.Problem{Kind: process.Uncaught, Text: what}
		}
		d.Thread(t)
		for _, f := range frames {
			d.Frame(f)
		}
		outer = frames
	}
	if len(d.Process.Threads) == 0 {
		return nil
	}
	d.Process.Subject = 0
	return []*process.Process{d.Finish()}
}

// maxCause bounds the lines that are read ahead of an exception's stack.
const maxCause = 256

// causes reports whether the exception whose first line was read, which has a frame, caused the one with the outer stack. Ruby has no words for that: it
// prints the cause behind the exception, as a log has the exceptions of two programs. But a cause was raised below what rescues it: the outer stack
// has that method in its rescue, with a name of its own up to Ruby 3.3, and twice in a row since then; and both stacks are the same from there on.
func causes(l *text.Lines, first text.Frame, outer []text.Frame) bool {
	inner := []text.Frame{first}
	l.Ahead(maxCause, func(line string) bool {
		line = strings.TrimSpace(line)
		call, isFrom := strings.CutPrefix(line, "from ")
		f, _, isFrame := frameOf(call)
		if isFrom && isFrame {
			inner = append(inner, f)
		}
		return len(inner) > 1 && !isFrom && !strings.HasPrefix(line, "... ")
	})
	for i := 1; i < len(outer); i++ {
		name, method := outer[i-1].Names.Function, &outer[i].Names
		isRescue := strings.Contains(name, "rescue in ") || strings.Contains(name, "ensure in ") || isSameMethod(&outer[i-1].Names, method)
		rest := outer[i+1:]
		at := len(inner) - len(rest) - 1
		if !isRescue || at < 0 || !isSameMethod(&inner[at].Names, method) {
			continue
		}
		if slices.EqualFunc(inner[at+1:], rest, func(a, b text.Frame) bool {
			return isSameMethod(&a.Names, &b.Names) && a.Names.Line == b.Names.Line
		}) {
			return true
		}
	}
	return false
}

func isSameMethod(a, b *process.Names) bool { return a.Function == b.Function && a.File == b.File }

// said reads the rest of a message, which ends with the exception's class in parentheses. The first line alone may have it, and others follow.
func said(l *text.Lines, message string) (string, bool) {
	for n := 0; n < maxMessage; n++ {
		if _, class, ok := text.CutGroup(message); ok && class != "" && class[0] >= 'A' && class[0] <= 'Z' && !strings.ContainsAny(class, " ,/") {
			return message, true
		}
		line, ok := l.Next()
		if _, _, isFrame := frameOf(strings.TrimPrefix(strings.TrimSpace(line), "from ")); !ok || isFrame {
			break
		}
		message += " " + strings.TrimSpace(line)
	}
	return "", false
}

// below reads the frames behind the message.
func below(l *text.Lines) (frames []text.Frame) {
	for {
		line, ok := l.Next()
		if !ok {
			return frames
		}
		line = strings.TrimSpace(line)
		call, isFrom := strings.CutPrefix(line, "from ")
		f, _, isFrame := frameOf(call)
		switch {
		case isFrom && isFrame:
			frames = append(frames, f)
		case strings.HasPrefix(line, "... ") && strings.HasSuffix(line, " levels..."):
		default:
			l.Back()
			return frames
		}
	}
}

// above reads the frames before the message, the innermost last.
func above(l *text.Lines) (frames []text.Frame) {
	for i, line := range l.Before(maxMessage) {
		_, call, isFrom := strings.Cut(line, ": from ")
		f, _, isFrame := frameOf(call)
		if !isFrom || !isFrame {
			break
		}
		l.Keep(i)
		frames = append(frames, f)
	}
	return frames
}

// frameOf reads "dock.rb:1:in `slot'" with the message behind it.
func frameOf(s string) (f text.Frame, message string, ok bool) {
	for _, mark := range marks {
		place, rest, in := strings.Cut(s, mark)
		name, after, closed := strings.Cut(rest, "'")
		if !in || !closed {
			continue
		}
		f.Names.Function = name
		f.Names.File, f.Names.Line = text.Source(place)
		return f, strings.TrimPrefix(after, ": "), f.Names.Line > 0 && (after == "" || strings.HasPrefix(after, ": "))
	}
	return text.Frame{}, "", false
}
