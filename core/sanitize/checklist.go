package sanitize

import (
	"fmt"
	"strings"

	"crashglass/core/analyze"
	"crashglass/core/dump/kernel"
	"crashglass/core/dump/minidump"
	"crashglass/core/process"
)

// A Checklist lists the private data in a dump, or in a report of it.
type Checklist struct {
	Text    bool     `json:"text"`    // it is a report that is text, which stays text
	People  []string `json:"people"`  // names of users, in paths and in the environment
	Secrets []Secret `json:"secrets"` // probable keys, tokens and passwords, by kind and location, without their text
	Items   []Item   `json:"items"`
}

// An Item is one kind of private data in a dump.
type Item struct {
	What     string `json:"what"`      // "the environment"
	Count    int    `json:"count"`     // of variables, arguments, annotations, bytes
	Unit     string `json:"unit"`      // the unit of the count: "variables"
	InReport bool   `json:"in_report"` // an unmasked report has it, too
}

// Inspect searches a whole dump for data that its owner may want to keep private.
func Inspect(s *analyze.Session) *Checklist {
	list := &Checklist{People: []string{}, Secrets: []Secret{}, Items: []Item{}}
	if s.Process().Origin.Excerpt != nil {
		found := inspectText(s)
		list.Text, list.People, list.Secrets = true, append(list.People, found.People...), append(list.Secrets, found.Secrets...)
		for _, r := range found.Removed {
			list.Items = append(list.Items, Item{What: r.What, Count: r.Count, Unit: "lines", InReport: false})
		}
		return list
	}
	f, err := s.Streams()
	if err != nil {
		return list
	}
	if !s.Process().Lacks.Has(process.Copy) {
		c := cleaner{f: f, out: &Result{}}
		c.inspect()
		list.People, list.Secrets = append(list.People, c.out.People...), append(list.Secrets, c.out.Secrets...)
	}
	list.items(f)
	list.kernel(s.Process())
	return list
}

// kernel adds what a dump of the Windows kernel has beside the streams that are made of it.
func (l *Checklist) kernel(p *process.Process) {
	d, ok := p.Origin.Detail.(*kernel.Detail)
	if !ok {
		return
	}
	tagged, _ := d.Tagged()
	for _, i := range []Item{
		{What: "data of drivers and of the firmware, with serial numbers", Count: tagged, Unit: "parts", InReport: true},
		{What: "comments", Count: min(len(d.Header.Comment), 1), Unit: "comments", InReport: true},
	} {
		if i.Count > 0 {
			l.Items = append(l.Items, i)
		}
	}
	if p.Memory.ByPageTables() {
		l.Items = append(l.Items, Item{What: "memory of the system and of programs", Count: int(min(p.Memory.Total(), 1<<31-1)), Unit: "bytes", InReport: false})
	}
}

// People returns the names of users in paths and in the environment of a dump, the longest first,
// for Mask.
func People(s *analyze.Session) []string {
	if s.Process().Origin.Excerpt != nil {
		return inspectText(s).People
	}
	f, err := s.Streams()
	if err != nil || s.Process().Lacks.Has(process.Copy) {
		return nil
	}
	c := cleaner{f: f, out: &Result{}}
	c.findPeople()
	return c.out.People
}

func (l *Checklist) items(f *minidump.File) {
	add := func(what string, count int, unit string, inReport bool) {
		if count > 0 {
			l.Items = append(l.Items, Item{what, count, unit, inReport})
		}
	}
	env, _ := f.Environment() // an unreadable part reveals nothing
	add("the environment", len(env), "variables", true)
	args, _ := f.CommandLine()
	add("the command line", len(args), "arguments", true)
	handles, _ := f.Handles()
	add("handles with the names of files, keys and pipes", len(handles), "handles", true)
	comments, _ := f.Comments()
	add("comments", len(comments), "comments", true)
	add("annotations of the program", annotations(f), "annotations", true)
	add("messages of macOS and boot arguments", present(f, minidump.MacCrashInfoStream, minidump.MacBootArgsStream), "streams", true)
	add("the list of open files", present(f, minidump.LinuxProcFDStream), "lists", true)
	if misc, _ := f.MiscInfo(); misc != nil && misc.TimeZone != nil {
		add("the time zone", 1, "zones", false)
	}
	mem, _ := f.Memory()
	add("memory of the process", int(min(mem.Total(), 1<<31-1)), "bytes", false)
}

// annotations counts the annotations of the process and of its modules, and the logs that some
// crash reporters add.
func annotations(f *minidump.File) int {
	n := 0
	if c, _ := f.Crashpad(); c != nil {
		n = len(c.Annotations)
		for i := range c.Modules {
			m := &c.Modules[i]
			n += len(m.List) + len(m.Simple) + len(m.Objects)
		}
	}
	for _, s := range f.Streams() {
		if strings.HasPrefix(s.Type.Name(), "Facebook") {
			n++
		}
	}
	return n
}

func present(f *minidump.File, streams ...minidump.StreamType) (n int) {
	for _, t := range streams {
		if f.Has(t) {
			n++
		}
	}
	return n
}

// String returns the item as text.
func (i Item) String() string { return fmt.Sprintf("%s: %d %s", i.What, i.Count, i.Unit) }
