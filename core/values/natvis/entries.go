package natvis

import (
	"errors"
	"strings"

	"crashglass/core/values/expr"
)

// errNotRead is the reason for an element that kinds lacks.
var errNotRead = errors.New("this kind is not read")

// kinds are the elements of an Expand that are read. natvis.xsd has others: trees, Synthetic,
// CustomListItems.
var kinds = map[string]EntryKind{
	"Item": Item, "ExpandedItem": ExpandedItem, "ArrayItems": ArrayItems, "IndexListItems": IndexListItems, "LinkedListItems": LinkedListItems,
}

func (s *Set) text(of string, e *element) (out Text, ok bool) {
	var err error
	if e.View != "" {
		return out, false // only for {value,view(name)}, and not for the view that is shown
	}
	if out.Condition, err = optional(e.Condition); err == nil {
		out.Parts, err = parts(strings.TrimSpace(e.Text))
	}
	if err != nil {
		s.leftOut(of, "a text", err)
	}
	return out, err == nil
}

// parts splits a text. Expressions are in braces, and two braces are an escaped one.
func parts(text string) (out []TextPart, err error) {
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
			value, err := expr.Parse(strings.TrimSpace(inside), nil)
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

func (s *Set) entry(of string, e *element) (out Entry, ok bool) {
	kind, known := kinds[e.XMLName.Local]
	if e.View != "" {
		return out, false // as above
	}
	err := errNotRead
	if known {
		out = Entry{Kind: kind, Name: e.Name}
		err = out.read(e)
	}
	if err != nil {
		s.leftOut(of, e.XMLName.Local, err)
	}
	return out, err == nil
}

func (out *Entry) read(e *element) (err error) {
	text := e.Text
	switch out.Kind {
	case ArrayItems:
		text = e.Pointer
	case IndexListItems, LinkedListItems:
		text = e.Value
	}
	if out.Condition, err = optional(e.Condition); err != nil {
		return err
	}
	if out.Value, err = expr.Parse(text, nil); err != nil {
		return err
	}
	if len(e.Size) > 1 || len(e.Size) == 1 && e.Size[0].Condition != "" {
		return errors.New("a size with a condition is not read")
	}
	if len(e.Size) == 1 {
		out.Size, err = expr.Parse(e.Size[0].Text, nil)
	}
	if err != nil || out.Kind != LinkedListItems {
		return errorOr(err, out.Size == nil && (out.Kind == ArrayItems || out.Kind == IndexListItems))
	}
	if out.Head, err = expr.Parse(e.Head, nil); err != nil {
		return err
	}
	out.Next, err = expr.Parse(e.Next, nil)
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
func optional(text string) (*expr.Expr, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	return expr.Parse(text, nil)
}
