// Package natvis reads NatVis files, in which users of Visual Studio define how the debugger shows
// their types. It reads the subset with expressions of members.
//
// A file has [View]s, which are found by the name of a type. A view is data; package variables,
// which has the values, evaluates it. Unsupported parts (calls of the program's functions) are left
// out of the view and noted, so that a type degrades to its members. Parts for a view by name
// (IncludeView) are no part of the view that is shown. Sizes, counts and depths are bounded, and Add
// fails only for a file that is no NatVis file.
//
// Read natvis.go first, then entries.go.
//
// Source: "Create custom views of native objects", the documentation of Visual
// Studio's debugger, and its natvis.xsd.
package natvis

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"crashglass/core/values/expr"
)

// MaxFile bounds the bytes of a file.
const MaxFile = 4 << 20

// The bounds of its contents.
const (
	maxViews   = 1 << 13
	maxEntries = 256 // of a view
	maxNotes   = 32
)

// A Set is the views of several files. The zero Set has none.
type Set struct {
	views []View
	calls []Intrinsic // of all types
	names []string    // of all intrinsics
	notes []string
	more  *more
}

// more reads the parts of files for which the page has no room.
type more struct {
	steps  func(*Set, []element) ([]Step, error)
	size   func(*Set, []element) (*expr.Expr, error)
	covers func(v *View, module, number string) bool
}

// ReadsMore makes the set read CustomListItems and sizes with conditions of files that are added later, and heed versions of modules.
func (s *Set) ReadsMore() {
	s.more = &more{
		steps: func(s *Set, list []element) ([]Step, error) { return s.readSteps(list, 0) },
		size:  (*Set).size, covers: (*View).covers,
	}
}

// A View says how values of a type are shown.
type View struct {
	pattern  string    // of names, without spaces
	versions []version // of modules; nil for all

	Texts    []Text  // the first one whose condition holds is used
	Items    []Entry // in their order
	Calls    []Intrinsic
	Priority int
	Own      bool // not for types derived from this one
}

// An Intrinsic is an expression that others call by its name.
type Intrinsic struct {
	Name   string
	Params []string
	Value  *expr.Expr
}

// A Text is a DisplayString: parts of text, and expressions between them.
type Text struct {
	Condition *expr.Expr // nil always holds
	Parts     []TextPart
}

// A TextPart is a piece of a Text: literal text, or an expression.
type TextPart struct {
	Literal string
	Value   *expr.Expr
}

// An Entry makes children.
type Entry struct {
	Kind      EntryKind
	Name      string // of an Item
	Condition *expr.Expr
	Value     *expr.Expr // of Item and ExpandedItem; the pointer to the first of ArrayItems; the value of a node, of a list or tree
	Size      *expr.Expr // of ArrayItems, IndexListItems, LinkedListItems and TreeItems; may be nil for the last two
	Head      *expr.Expr // of LinkedListItems and TreeItems
	Next      *expr.Expr // the right child, of TreeItems
	Left      *expr.Expr // of TreeItems
	Node      *expr.Expr // a node for which it does not hold is none; may be nil

	Texts []Text // of Synthetic
	Items []Entry

	Steps []Step // of CustomListItems
}

// An EntryKind is the kind of an entry.
type EntryKind uint8

// The kinds of entries.
const (
	Item EntryKind = iota
	ExpandedItem
	ArrayItems
	IndexListItems
	LinkedListItems
	TreeItems
	Synthetic
	CustomListItems
)

type file struct {
	Types []typeView `xml:"Type"`
	Calls []element  `xml:"Intrinsic"`
}

type typeView struct {
	Name  string `xml:"Name,attr"`
	Other []struct {
		Name string `xml:"Name,attr"`
	} `xml:"AlternativeType"`
	Versions []version `xml:"Version"`
	Priority string    `xml:"Priority,attr"`
	Inherit  string    `xml:"Inheritable,attr"`
	Calls    []element `xml:"Intrinsic"`
	body
}

// A body is what a Type or a Synthetic shows.
type body struct {
	Texts  []element `xml:"DisplayString"`
	Expand struct {
		Entries []element `xml:",any"`
	} `xml:"Expand"`
}

type element struct {
	XMLName   xml.Name
	Name      string `xml:"Name,attr"`
	Condition string `xml:"Condition,attr"`
	View      string `xml:"IncludeView,attr"`
	Text      string `xml:",chardata"`

	Size    []element `xml:"Size"`
	Pointer string    `xml:"ValuePointer"`
	Value   struct {
		Condition string `xml:"Condition,attr"`
		Text      string `xml:",chardata"`
	} `xml:"ValueNode"`
	Head  string `xml:"HeadPointer"`
	Next  string `xml:"NextPointer"`
	Left  string `xml:"LeftPointer"`
	Right string `xml:"RightPointer"`
	body

	Expression string    `xml:"Expression,attr"` // of Intrinsic
	Params     []element `xml:"Parameter"`

	Initial string    `xml:"InitialValue,attr"` // of Variable
	Steps   []element `xml:",any"`              // of CustomListItems, and of its Loop, If, Elseif and Else
}

// Add reads a file and adds its views. It fails for a file that is no NatVis file.
func (s *Set) Add(name string, data []byte) error {
	if len(data) > MaxFile {
		return fmt.Errorf("natvis: %s has %d bytes, of at most %d", name, len(data), MaxFile)
	}
	var f file
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false // files that users wrote by hand have entities of HTML, and bare ampersands
	switch err := d.Decode(&f); {
	case errors.Is(err, io.EOF): // text without a tag
		return fmt.Errorf("natvis: %s is not a NatVis file: it has no AutoVisualizer", name)
	case err != nil:
		return fmt.Errorf("natvis: %s: %v", name, err)
	}
	for _, c := range f.Calls {
		s.names = append(s.names, c.Name)
	}
	for i := range f.Types {
		for _, c := range f.Types[i].Calls {
			s.names = append(s.names, c.Name)
		}
	}
	s.calls = append(s.calls, s.intrinsics(name, f.Calls)...)
	for i := range f.Types {
		if len(s.views) >= maxViews {
			return fmt.Errorf("natvis: %s: more than %d types", name, maxViews)
		}
		s.addType(&f.Types[i])
	}
	return nil
}

// addType adds the views of a Type element: one for its own name and one for each alternative.
func (s *Set) addType(t *typeView) {
	view := View{versions: t.Versions[:min(len(t.Versions), maxEntries)], Priority: priorities[t.Priority], Own: isFalse(t.Inherit)}
	view.Texts, view.Items = s.body(t.Name, &t.body, 0)
	view.Calls = s.intrinsics(t.Name, t.Calls)
	for _, name := range append([]string{t.Name}, alternatives(t)...) {
		view.pattern = compact(name)
		s.views = append(s.views, view)
	}
}

// isFalse reports whether an attribute of type xs:boolean says no.
func isFalse(text string) bool { return text == "false" || text == "0" }

// alternatives returns the other names of a Type element.
func alternatives(t *typeView) (names []string) {
	for _, o := range t.Other[:min(len(t.Other), maxEntries)] {
		names = append(names, o.Name)
	}
	return names
}

// priorities maps the names of priorities to their order. Of several views for one type the highest
// counts.
var priorities = map[string]int{"Low": -2, "MediumLow": -1, "": 0, "Medium": 0, "MediumHigh": 1, "High": 2}

// Notes lists the parts that were left out.
func (s *Set) Notes() []string { return s.notes }

func (s *Set) leftOut(of, what string, err error) {
	if len(s.notes) < maxNotes {
		s.notes = append(s.notes, fmt.Sprintf("natvis: %s of %s is left out: %v", what, of, err))
	}
}

// Of returns the view of a type of a module by its name, or nil, and the arguments of the template in place of
// the pattern's wildcards: $T1 and so on.
func (s *Set) Of(name, module, number string) (best *View, args []string) {
	if s == nil || len(s.views) == 0 {
		return nil, nil
	}
	short := compact(name)
	var places [][2]int
	for i := range s.views {
		v := &s.views[i]
		if best != nil && v.Priority <= best.Priority {
			continue
		}
		if found, ok := matches(short, v.pattern); ok && (s.more == nil || s.more.covers(v, module, number)) {
			best, places = v, found
		}
	}
	for _, p := range places {
		args = append(args, original(name, p[0], p[1]))
	}
	return best, args
}

// Intrinsic finds an intrinsic by its name and the number of its parameters, first among those of a view; nil for none.
func (s *Set) Intrinsic(of *View, name string, params int) *Intrinsic {
	for _, list := range [][]Intrinsic{of.Calls, s.calls} {
		for i := range list {
			if c := &list[i]; c.Name == name && len(c.Params) == params {
				return c
			}
		}
	}
	return nil
}

// compact returns a name without spaces, because compilers differ in them.
func compact(name string) string { return strings.ReplaceAll(name, " ", "") }

// original returns the part of a name between two offsets in its compact form.
func original(name string, from, to int) string {
	at, start := 0, 0
	for i := range len(name) {
		if name[i] == ' ' {
			continue
		}
		if at == from {
			start = i
		}
		if at == to {
			return strings.TrimSpace(name[start:i])
		}
		at++
	}
	return ""
}

// matches compares a name with a pattern: "*" is a template argument or, as the last one, all
// remaining arguments. It returns where the arguments begin and end; the last wildcard has one for each argument.
func matches(name, pattern string) (args [][2]int, ok bool) {
	all := len(name)
	for {
		first, rest, wild := strings.Cut(pattern, "*")
		if !wild {
			return args, name == pattern
		}
		after, ok := strings.CutPrefix(name, first)
		if !ok {
			return nil, false
		}
		size := argument(after, strings.HasPrefix(rest, ","))
		if size < 0 {
			return nil, false
		}
		for from := 0; from <= size && len(args) < maxEntries; {
			n := argument(after[from:size], true)
			if n < 0 {
				break
			}
			at := all - len(after) + from
			args = append(args, [2]int{at, at + n})
			from += n + 1
		}
		name, pattern = after[size:], rest
	}
}

// argument returns the length of a template argument, or of all arguments up to the end of the
// list. Brackets may contain commas and brackets. It returns -1 where brackets do not pair.
// Between parentheses, < and > without a partner are operators.
func argument(text string, one bool) int {
	var open []byte
	for i, c := range []byte(text) {
		switch c {
		case '<', '(', '[':
			open = append(open, c)
			continue
		case ',':
			if one && len(open) == 0 {
				return i
			}
			continue
		case '>', ')', ']':
		default:
			continue
		}
		last := len(open) - 1
		if c == ')' || c == ']' {
			for ; last >= 0 && open[last] == '<'; last-- { // it was an operator
			}
		}
		switch {
		case last < 0: // its partner is in the pattern
			return i
		case last >= 0 && open[last] == partner[c]:
			open = open[:last]
		case c != '>':
			return -1
		}
	}
	if len(open) > 0 {
		return -1
	}
	return len(text)
}

// partner opens what a bracket closes.
var partner = map[byte]byte{'>': '<', ')': '(', ']': '['}
