package render

import (
	"fmt"
	"strings"
	"unicode"

	"crashglass/core/report"
)

// mdProse writes a sentence of the analysis in Markdown. Text between backticks is code, and so is
// every word that Markdown or a tracker could interpret.
//
// A sentence may quote the dump. A tracker makes links and notifications of
// "@name", "#12" and addresses even where they are escaped, but not of code.
func mdProse(s string) string {
	var out []string
	for {
		before, rest, one := strings.Cut(s, "`")
		code, after, two := strings.Cut(rest, "`")
		if !one || !two {
			return strings.Join(append(out, mdWords(s, len(out) == 0)), "")
		}
		out = append(out, mdWords(before, len(out) == 0), codeSpan(code))
		s = after
	}
}

// mdWords writes text without paired backticks. first is set at the beginning of a line, where
// digits and dashes make lists and headings.
func mdWords(s string, first bool) string {
	var out, code []string
	words := strings.Split(Escape(s), " ")
	for i, w := range words {
		// "1." and "-" at the beginning of a line begin a list
		plain := w == "" || isWord(w) && (!first || i > 0 || unicode.IsLetter([]rune(w)[0]))
		if !plain {
			code = append(code, w)
		}
		if len(code) > 0 && (plain || i == len(words)-1) {
			out = append(out, mdCode(strings.Join(code, " ")))
			code = nil
		}
		if plain {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

// mdCode writes words as code, without the punctuation of their sentence.
func mdCode(w string) string {
	core := strings.TrimRight(strings.TrimLeft(w, `("'`), `.,;:)"'?!`)
	at := strings.Index(w, core)
	if core == "" { // punctuation alone: "..."
		return codeSpan(w)
	}
	return w[:at] + codeSpan(core) + w[at+len(core):]
}

// isWord reports whether a word is plain text in every Markdown: no markup, no mention, no
// reference, no address, no emoji.
func isWord(w string) bool {
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(`.,;:'"()/+-=%?!…`, r) {
			return false
		}
	}
	lower := strings.ToLower(w)
	core := strings.Trim(lower, `.,;:()'"!?`)
	if isCommit(core) || strings.HasPrefix(core, "gh-") {
		return false
	}
	return strings.Count(w, ":") < 2 && !strings.Contains(w, "://") && !strings.Contains(lower, "www.")
}

// isCommit reports whether a word in lower case may be the hash of a commit: "a1b2c3d", but not
// "acceded" or "1234567".
func isCommit(w string) bool {
	return len(w) >= shortestCommit && strings.Trim(w, "0123456789abcdef") == "" && strings.ContainsAny(w, "0123456789") && strings.ContainsAny(w, "abcdef")
}

// shortestCommit is the number of hex digits from which GitHub links a commit.
const shortestCommit = 7

// codeSpan puts text into backticks: more of them than the text contains in a row. If the text
// begins or ends with one, or has spaces on both sides, a space separates it from the backticks
// (CommonMark 0.31.2, section 6.1).
func codeSpan(s string) string {
	s = Escape(s)
	if s == "" {
		return ""
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return ticks + s + ticks
}

// longestRun returns the length of the longest run of a character.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// mismatched marks a frame that is named by mismatched symbols, which the user forced.
func mismatched(f *report.Frame) string {
	if f.UsedAnyway {
		return "names from mismatched symbols"
	}
	return ""
}

// doubts returns the reasons why a frame's name may be wrong. They apply to the physical frame, not
// to inlined calls.
func doubts(f *report.Frame) string {
	var all []string
	if f.UsedAnyway {
		all = append(all, mismatched(f))
	}
	if f.Certainty == report.NameNearest {
		all = append(all, "nearest symbol, may be another function")
	}
	if f.After != nil {
		all = append(all, fmt.Sprintf("no name: behind the end of %s + %#x", f.After.Name, number(f.After.Offset)))
	}
	if f.Folded {
		all = append(all, "identical code folding, may be another function")
	}
	if f.Clone != "" && (f.Function == nil || !strings.Contains(*f.Function, f.Clone)) { // Rust's names lack it
		all = append(all, "clone "+f.Clone)
	}
	return strings.Join(all, "; ")
}
