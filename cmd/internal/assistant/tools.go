package assistant

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/report"
	"crashglass/core/report/render"
	"crashglass/core/sanitize"
	"crashglass/core/values/variables"
)

// The queries. Their fields are the arguments of the tools.
type (
	nameQuery struct {
		Name string `json:"name,omitempty" jsonschema:"the file, as the list of dumps has it; without it the answer is that list"`
		page
	}
	dumpQuery struct {
		Dump int `json:"dump" jsonschema:"the number of an open dump"`
		page
	}
	threadQuery struct {
		Dump   int `json:"dump" jsonschema:"the number of an open dump"`
		Thread int `json:"thread" jsonschema:"the number of the thread in the report"`
		page
	}
	rowQuery struct {
		Dump   int `json:"dump" jsonschema:"the number of an open dump"`
		Thread int `json:"thread" jsonschema:"the number of the thread in the report"`
		Row    int `json:"row" jsonschema:"the row of the thread's stack"`
		page
	}
	memoryQuery struct {
		Dump    int    `json:"dump" jsonschema:"the number of an open dump"`
		Address string `json:"address" jsonschema:"in hex: 0x7ffe0000"`
		Words   int    `json:"words,omitempty" jsonschema:"at most 128, 16 by default"`
		page
	}
	searchQuery struct {
		Dump  int    `json:"dump" jsonschema:"the number of an open dump"`
		Text  string `json:"text,omitempty" jsonschema:"a part of a name in the report: a function, a module, a thread"`
		Value string `json:"value,omitempty" jsonschema:"an address in hex that words of memory hold"`
		page
	}
	pairQuery struct {
		Dump  int `json:"dump" jsonschema:"the number of an open dump"`
		Other int `json:"other" jsonschema:"the number of another one"`
		page
	}
)

func addTools(s *server) {
	add(s, "open", "Lists the files with dumps or, with a name, opens one: its number and the brief report.", (*server).openFile)
	add(s, "triage", "Groups all dumps by the signature of their crash.", func(s *server, _ page, w io.Writer) error { return s.dumps.Triage(w, s.shown) })
	add(s, "report", "What happened, the crashing stack, what other threads do, and what is missing.", (*server).brief)
	add(s, "thread", "One thread's whole stack.", (*server).thread)
	add(s, "frame", "One row of a stack: how the frame was found, with the evidence, its registers and its variables.", (*server).frame)
	add(s, "variables", "The arguments and local variables of one row of a stack.", (*server).variables)
	add(s, "memory", "Words of captured memory, with the names of addresses.", (*server).memory)
	add(s, "symbols", "The symbol files that would name more frames.", func(s *server, q dumpQuery, w io.Writer) error {
		d, err := s.dump(q.Dump)
		if err != nil {
			return err
		}
		return render.Wanted(w, d.report)
	})
	add(s, "search", "Lines of the whole report with a text, or addresses of memory with a value.", (*server).search)
	add(s, "compare", "The lines in which two reports differ: their crash, stacks and modules.", (*server).compare)
}

// openFile opens the dumps of a file, and writes their brief reports.
func (s *server) openFile(q nameQuery, w io.Writer) error {
	if q.Name == "" {
		names, left := s.dumps.List()
		for _, name := range names {
			fmt.Fprintln(w, name)
		}
		s.say(w, left...)
		return nil
	}
	for i, d := range s.open {
		if d.name == q.Name {
			return s.brief(dumpQuery{Dump: i + 1}, w)
		}
	}
	if len(s.open) >= maxOpen {
		return fmt.Errorf("%d dumps are open: that is the limit", len(s.open))
	}
	sessions, left, err := s.dumps.Open(q.Name)
	if err != nil {
		return err
	}
	if more := len(sessions) - (maxOpen - len(s.open)); more > 0 {
		sessions = sessions[:len(sessions)-more]
		left = append(left, fmt.Sprintf("%s: its last %d dumps are not open: %d dumps are the limit", q.Name, more, maxOpen))
	}
	s.say(w, left...) // first, because the reports may take the rest of the answer
	before := len(s.open)
	for _, session := range sessions {
		r, failed := session.Report(s.dumps.Symbols(), analyze.Options{})
		if failed != nil {
			err = fmt.Errorf("%s: %w", q.Name, failed)
			s.say(w, err.Error())
			continue
		}
		s.open = append(s.open, &dump{name: q.Name, session: session, people: sanitize.People(session), report: s.shown(session, r)})
		s.addResource(len(s.open))
		if err := s.brief(dumpQuery{Dump: len(s.open)}, w); err != nil {
			return err
		}
	}
	if len(s.open) == before {
		return err
	}
	return nil
}

func (s *server) say(w io.Writer, lines ...string) {
	for _, line := range lines {
		fmt.Fprintln(w, s.masked((*sanitize.Masker).Text, line))
	}
}

func (s *server) brief(q dumpQuery, w io.Writer) error {
	d, err := s.dump(q.Dump)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "dump %d: %s\n", q.Dump, d.name)
	return render.Text(w, d.report, render.Options{Brief: true})
}

func (s *server) thread(q threadQuery, w io.Writer) error {
	d, err := s.threadOf(q.Dump, q.Thread)
	if err != nil {
		return err
	}
	return render.Thread(w, d.report, q.Thread, render.Options{Brief: true})
}

func (s *server) threadOf(dump, thread int) (*dump, error) {
	d, err := s.dump(dump)
	if err == nil && (thread < 0 || thread >= len(d.report.Threads)) {
		err = fmt.Errorf("there is no thread %d: the dump has %d, numbered from 0", thread, len(d.report.Threads))
	}
	return d, err
}

func (s *server) frame(q rowQuery, w io.Writer) error {
	return s.row(q, w, render.Options{Evidence: true})
}
func (s *server) variables(q rowQuery, w io.Writer) error {
	return s.row(q, w, render.Options{Brief: true})
}

// row writes one row of a stack, which is walked again with its evidence and its variables.
func (s *server) row(q rowQuery, w io.Writer, opt render.Options) error {
	d, err := s.threadOf(q.Dump, q.Thread)
	if err != nil {
		return err
	}
	r, err := d.session.Report(s.dumps.Symbols(), analyze.Options{Threads: analyze.One(q.Thread), Explain: opt.Evidence, Variables: variables.Read})
	if err != nil {
		return err
	}
	var text bytes.Buffer
	err = render.Row(&text, s.shown(d.session, r), q.Thread, q.Row, opt)
	if err == nil && text.Len() == 0 {
		err = fmt.Errorf("thread %d has no row %d", q.Thread, q.Row)
	}
	w.Write(text.Bytes())
	return err
}

// search writes the lines of the whole report that contain a text, each below the heading that it belongs to, and the places of a
// value in memory.
func (s *server) search(q searchQuery, w io.Writer) error {
	d, err := s.dump(q.Dump)
	if err != nil {
		return err
	}
	if q.Value != "" {
		return s.find(d, q.Value, w)
	}
	if q.Text == "" {
		return fmt.Errorf("search needs a text or a value")
	}
	heading := ""
	for _, line := range lines(d.report, render.Options{}) {
		if strings.HasPrefix(line, "Thread ") {
			heading = line + "\n"
		}
		if strings.Contains(strings.ToLower(line), strings.ToLower(q.Text)) {
			if heading != line+"\n" {
				fmt.Fprint(w, heading)
			}
			heading = ""
			fmt.Fprintln(w, line)
		}
	}
	return nil
}

func lines(r *report.Report, opt render.Options) []string {
	var text bytes.Buffer
	if err := render.Text(&text, r, opt); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(strings.TrimSpace(text.String()), "\n")
}

// compare writes the lines that only one of two reports has, marked as in a diff.
func (s *server) compare(q pairQuery, w io.Writer) error {
	a, err := s.dump(q.Dump)
	if err != nil {
		return err
	}
	b, err := s.dump(q.Other)
	if err != nil {
		return err
	}
	one, two := compared(a.report), compared(b.report)
	only := func(mark string, lines, others []string) (same int) {
		known := map[string]bool{}
		for _, line := range others {
			known[line] = true
		}
		for _, line := range lines {
			if known[line] {
				same++
			} else {
				fmt.Fprintln(w, mark, line)
			}
		}
		return same
	}
	same := only("-", one, two)
	only("+", two, one)
	fmt.Fprintf(w, "%d lines are the same. Those with - are of dump %d, those with + of dump %d.\n", same, q.Dump, q.Other)
	return nil
}

// compared are the lines of a report that are compared: the brief report, and the builds of modules.
func compared(r *report.Report) []string {
	out := lines(r, render.Options{Brief: true})
	for i := range r.Modules {
		out = append(out, fmt.Sprintf("module %s %s", r.Modules[i].CodeFile, r.Modules[i].DebugID))
	}
	return out
}
