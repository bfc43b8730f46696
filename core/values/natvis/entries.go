package natvis

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/values/expr"
)

// errNotRead is the reason for an element that kinds lacks.
var errNotRead = errors.New("this kind is not read")

// kinds are the elements of an Expand, those of natvis.xsd.
var kinds = map[string]EntryKind{
	"Item": Item, "ExpandedItem": ExpandedItem, "ArrayItems": ArrayItems, "IndexListItems": IndexListItems, "LinkedListItems": LinkedListItems,
	"TreeItems": TreeItems, "Synthetic": Synthetic, "CustomListItems": CustomListItems,
}

// maxDeep bounds Synthetic elements in each other.
const maxDeep = 8

// body reads what a Type or a Synthetic shows.
func (s *Set) body(of string, b *body, deep int) (texts []Text, items []Entry) {
	for i := range b.Texts {
		if text, ok := s.text(of, &b.Texts[i]); ok && len(texts) < maxEntries {
			texts = append(texts, text)
		}
	}
	for i := range b.Expand.Entries {
		if entry, ok := s.entry(of, &b.Expand.Entries[i], deep); ok && len(items) < maxEntries {
			items = append(items, entry)
		}
	}
	return texts, items
}

// intrinsics reads the Intrinsic elements of a type, or of a file.
func (s *Set) intrinsics(of string, list []element) (out []Intrinsic) {
	for i := range list[:min(len(list), maxEntries)] {
		e := &list[i]
		value, err := s.parse(e.Expression)
		if err != nil {
			s.leftOut(of, "the intrinsic "+e.Name, err)
			continue
		}
		call := Intrinsic{Name: e.Name, Value: value}
		for _, p := range e.Params {
			call.Params = append(call.Params, p.Name)
		}
		out = append(out, call)
	}
	return out
}

func (s *Set) text(of string, e *element) (out Text, ok bool) {
	var err error
	if e.View != "" {
		return out, false // only for {value,view(name)}, and not for the view that is shown
	}
	if out.Condition, err = s.optional(e.Condition); err == nil {
		out.Parts, err = s.parts(strings.TrimSpace(e.Text))
	}
	if err != nil {
		s.leftOut(of, "a text", err)
	}
	return out, err == nil
}

// parts splits a text. Expressions are in braces, and two braces are an escaped one.
func (s *Set) parts(text string) (out []TextPart, err error) {
	var literal strings.Builder
	flush := func() {
		if literal.Len() > 0 {
			out = append(out, TextPart{Literal: literal.String()})
			literal.Reset()
		}
	}
	for len(text) > 0 && len(out) < maxEntries {
		c := text[0]
		switch {
		case (c == '{' || c == '}') && len(text) > 1 && text[1] == c:
			literal.WriteByte(c)
			text = text[2:]
		case c == '{':
			inside, rest, closed := strings.Cut(text[1:], "}")
			if !closed {
				return nil, errors.New("a brace is not closed")
			}
			value, err := s.parse(strings.TrimSpace(inside))
			if err != nil {
				return nil, err
			}
			flush()
			out = append(out, TextPart{Value: value})
			text = rest
		default:
			literal.WriteByte(c)
			text = text[1:]
		}
	}
	flush()
	return out, nil
}

func (s *Set) entry(of string, e *element, deep int) (out Entry, ok bool) {
	kind, known := kinds[e.XMLName.Local]
	if e.View != "" {
		return out, false // as above
	}
	err := errNotRead
	if known {
		out = Entry{Kind: kind, Name: e.Name}
		err = out.read(s, e)
	}
	switch {
	case err != nil:
	case kind == Synthetic && deep < maxDeep:
		out.Texts, out.Items = s.body(of, &e.body, deep+1)
	case kind == CustomListItems && s.more == nil:
		err = errNotRead
	case kind == CustomListItems:
		out.Steps, err = s.more.steps(s, e.Steps)
	}
	if err != nil {
		s.leftOut(of, e.XMLName.Local, err)
	}
	return out, err == nil
}

func (out *Entry) read(s *Set, e *element) (err error) {
	text, next := e.Text, e.Next
	switch out.Kind {
	case ArrayItems:
		text = e.Pointer
	case IndexListItems, LinkedListItems:
		text = e.Value.Text
	case TreeItems:
		text, next = e.Value.Text, e.Right
	}
	if out.Condition, err = s.optional(e.Condition); err != nil || out.Kind == Synthetic {
		return err
	}
	switch {
	case s.more != nil:
		out.Size, err = s.more.size(s, e.Size)
	case len(e.Size) > 1 || len(e.Size) == 1 && e.Size[0].Condition != "":
		err = errors.New("a size with a condition is not read")
	case len(e.Size) == 1:
		out.Size, err = s.parse(e.Size[0].Text)
	}
	if err != nil || out.Kind == CustomListItems {
		return err
	}
	if out.Node, err = s.optional(e.Value.Condition); err != nil {
		return err
	}
	if out.Value, err = s.parse(text); err != nil {
		return err
	}
	if out.Kind != LinkedListItems && out.Kind != TreeItems {
		return errorOr(nil, out.Size == nil && (out.Kind == ArrayItems || out.Kind == IndexListItems))
	}
	if out.Head, err = s.parse(e.Head); err != nil {
		return err
	}
	if out.Kind == TreeItems {
		if out.Left, err = s.parse(e.Left); err != nil {
			return err
		}
	}
	out.Next, err = s.parse(next)
	return err
}

// errorOr returns err or, for a list without a size, the error for that.
func errorOr(err error, sizeless bool) error {
	if err == nil && sizeless {
		return errors.New("it has no size")
	}
	return err
}

// optional reads an expression that may be missing.
func (s *Set) optional(text string) (*expr.Expr, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	return s.parse(text)
}

// parse reads an expression, whose calls have to be of intrinsics or conversions: size_t(1).
func (s *Set) parse(text string) (*expr.Expr, error) {
	e, err := expr.Parse(text, nil)
	if err == nil {
		if name := s.notCalled(e); name != "" {
			return nil, fmt.Errorf("expression %q: %s is no intrinsic", text, name)
		}
	}
	return e, err
}

// functions are those of Visual Studio's debugger with one argument, which look like conversions.
const functions = " strlen wcslen __log2 DecodePointer DecodeHString WindowsGetStringLen WindowsGetStringRawBuffer DecodeWinRTRestrictedException "

// notCalled returns the name of a call that is of no intrinsic and no conversion, "" for none. It replaces strcmp(a, b) == 0 by a == b.
func (s *Set) notCalled(e *expr.Expr) string {
	if e.Op == expr.Equal || e.Op == expr.Unequal {
		if call, zero := e.Args[0], e.Args[1]; call.Op == expr.Call && call.Name == "strcmp" && len(call.Args) == 3 && zero.Op == expr.Number && zero.Number == 0 {
			e.Args = call.Args[1:]
		}
	}
	converts := len(e.Args) == 2 && e.Args[0].Op == expr.This && !strings.Contains(functions, " "+e.Name+" ")
	if e.Op == expr.Call && !converts && !slices.Contains(s.names, e.Name) {
		return e.Name
	}
	for _, a := range e.Args {
		if name := s.notCalled(a); name != "" {
			return name
		}
	}
	return ""
}
