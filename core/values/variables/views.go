package variables

import (
	"fmt"
	"strings"

	"crashglass/core/values/expr"
	"crashglass/core/values/natvis"
	"crashglass/core/values/types"
)

// maxBases bounds the classes that are searched for a view, each the first base of the one before.
const maxBases = 64

// viewed reads a structure by a NatVis file: by its own view, or by that of its first base. It
// reports false if there is none, or if none of it can be evaluated.
func (r *reader) viewed(out *Value, v view, t *types.Type, depth int) bool {
	if r.frame.Views == nil || depth <= 0 {
		return false
	}
	o := &object{r: r, v: v, t: t, out: out, depth: depth}
	at := o
	for d := into(maxBases); at != nil && d.enters(at.t); at, d = at.firstBase(), d.deeper() {
		shown, args := at.ownView()
		if shown == nil || shown.Own && at != o { // Inheritable="false"
			continue
		}
		was := r.viewing
		r.viewing = viewing{shown, args, was.deep + 1}
		ok := was.deep < maxViews && at.viewedAs(shown.Texts, shown.Items)
		if r.viewing = was; !ok {
			*out = Value{Type: out.Type, at: out.at, t: out.t}
			return false
		}
		r.rawMembers(out, v, t, depth)
		return true
	}
	return false
}

// ownView is the view of the object's type, of its module; nil for none.
func (o *object) ownView() (*natvis.View, []string) {
	f := o.r.frame
	if f.Module == nil {
		return f.Views.Of(o.t.Name, "", "")
	}
	return f.Views.Of(o.t.Name, f.Module.Name(), f.Module.Version)
}

// A viewing is the view that is evaluated, with the arguments of its template.
type viewing struct {
	*natvis.View
	args []string
	deep int // views and intrinsics in each other
}

// maxViews bounds views and intrinsics in each other, and maxCalls the intrinsics that one frame's values call: each may call two others.
const (
	maxViews = 24
	maxCalls = 1 << 14
)

// viewedAs adds the text and the children of a view. A view whose entries fail is not used at all.
func (o *object) viewedAs(texts []natvis.Text, items []natvis.Entry) bool {
	text, ok := o.viewText(texts)
	if !ok {
		return false
	}
	for i := range items {
		e := &items[i]
		holds, known := o.holdsTrue(e.Condition)
		if !known || holds && !o.entryOf(e) {
			return false
		}
	}
	if text != "" {
		o.out.say(text)
	}
	return o.out.Said || len(o.out.Children) > 0
}

// holdsTrue evaluates a condition. A missing one holds.
func (o *object) holdsTrue(e *expr.Expr) (holds, known bool) {
	if e == nil {
		return true, true
	}
	n, ok := o.eval(e, 0).integer()
	return n != 0, ok
}

// maxViewText bounds a text of a view.
const maxViewText = 1 << 12

// viewText returns the first text whose condition holds.
func (o *object) viewText(texts []natvis.Text) (string, bool) {
	for i := range texts {
		holds, known := o.holdsTrue(texts[i].Condition)
		if !known {
			return "", false
		}
		if !holds {
			continue
		}
		return (&evaluator{at: o}).text(texts[i].Parts)
	}
	return "", true
}

// text writes a text with the values of its expressions.
func (ev *evaluator) text(parts []natvis.TextPart) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Literal)
		if part.Value == nil {
			continue
		}
		text, ok := formatted(ev.eval(part.Value), part.Value)
		if !ok || b.Len() > maxViewText {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), true
}

// formatted returns the value of an expression as text.
func formatted(at *object, e *expr.Expr) (string, bool) {
	if at == nil {
		return "", false
	}
	if n, ok := at.integer(); ok {
		switch e.Format {
		case "x": // {n,x}
			return hex(uint64(n), 1), true
		case "d": // {n,d}
			return signed(n), true
		}
	}
	v := at.value()
	if v == nil || v.State != Known {
		return "", false
	}
	if _, quoted, found := strings.Cut(v.Text, `"`); found && v.Said {
		switch format := strings.TrimSuffix(e.Format, "na"); {
		case format == "sb" || format == "s8b" || format == "sub":
			return strings.TrimSuffix(quoted, `"`), true
		case format != e.Format || strings.HasPrefix(format, "s"):
			return `"` + quoted, true // without the address
		}
	}
	if !v.Said {
		return "{...}", true
	}
	return v.Text, true
}

func (o *object) entryOf(e *natvis.Entry) bool {
	switch e.Kind {
	case natvis.Item:
		v := o.eval(e.Value, 0).value()
		if v == nil {
			return false
		}
		v.named(e.Name)
		o.out.Children = append(o.out.Children, v)
		return true
	case natvis.ExpandedItem:
		v := o.eval(e.Value, 0).value()
		if v == nil || !v.State.shown() {
			return false
		}
		o.out.State, o.out.Why = v.State, v.Why
		o.out.Children, o.out.More = append(o.out.Children, v.Children...), v.More
		return true
	case natvis.LinkedListItems:
		return o.listEntry(e)
	case natvis.TreeItems:
		return o.treeEntry(e)
	case natvis.CustomListItems:
		return o.r.frame.Lists != nil && o.r.frame.Lists(o, e)
	case natvis.Synthetic:
		part := *o
		part.out = &Value{Name: e.Name}
		ok := part.viewedAs(e.Texts, e.Items)
		o.out.Children = append(o.out.Children, part.out)
		return ok
	}
	return o.indexedEntry(e)
}

// indexedEntry adds elements by index: those of an array, or of an expression with $i.
func (o *object) indexedEntry(e *natvis.Entry) bool {
	n, ok := o.eval(e.Size, 0).integer()
	if !ok {
		return false
	}
	size := uint64(1) // at least, also of what an expression gives
	var first *object
	if e.Kind == natvis.ArrayItems {
		first = o.eval(e.Value, 0)
		size = max(sizeOf(first.element()), 1)
	}
	if n < 0 || uint64(n) > maxStride/size {
		return o.contradicts(nil, fmt.Sprintf("the size %d is not plausible: %s", n, tooMany))
	}
	for i := range uint64(n) {
		if i >= uint64(o.r.limits.Elements) || o.r.values <= 0 {
			break
		}
		var at *object
		if e.Kind == natvis.ArrayItems {
			at = (&evaluator{at: o}).element(first, int64(i))
		} else {
			at = o.eval(e.Value, i)
		}
		v := at.value()
		if v == nil {
			return false
		}
		v.named(index(i))
		o.out.Children = append(o.out.Children, v)
	}
	o.out.More += uint64(n) - min(uint64(n), uint64(o.r.limits.Elements))
	return true
}

// listEntry follows a list of nodes, up to its size or to a null pointer.
func (o *object) listEntry(e *natvis.Entry) bool {
	var size *uint64
	if e.Size != nil {
		n, ok := o.eval(e.Size, 0).integer()
		if !ok {
			return false
		}
		if n < 0 {
			return o.contradicts(nil, fmt.Sprintf("the size %d is not plausible: it is negative", n))
		}
		number := uint64(n)
		if size = &number; n == 0 {
			return true
		}
	}
	head := o.eval(e.Head, 0)
	t, i, failed, had := head.element(), uint64(0), false, len(o.out.Children)
	node := func(at uint64) *object { return o.in(at, t) }
	next := func(at uint64) (uint64, bool) {
		if i++; size != nil && i == *size { // a ring does not end otherwise
			return 0, true
		}
		to := node(at).eval(e.Next, i)
		n, ok := to.integer()
		if to.element() != nil {
			t = to.element()
		}
		return uint64(n), ok
	}
	push := func(at uint64) bool {
		if i >= uint64(o.r.limits.Elements) || o.r.values <= 0 {
			return false
		}
		holds, known := node(at).holdsTrue(e.Node)
		if known && !holds {
			return true
		}
		v := node(at).eval(e.Value, i).value()
		if failed = v == nil || !known; failed {
			return false
		}
		v.named(index(uint64(len(o.out.Children))))
		o.out.Children = append(o.out.Children, v)
		return true
	}
	first, ok := head.integer()
	if !ok || t == nil {
		return false
	}
	f := o.walk(links{first: uint64(first), size: size, next: next, push: push})
	count := f.count
	if size != nil {
		count = *size
	}
	switch shown := uint64(len(o.out.Children) - had); {
	case failed, f.lost:
		return false
	case f.fault != "":
		return o.contradicts(f.blamed(size), f.fault)
	default:
		o.out.More += count - min(count, shown)
	}
	return true
}

// treeEntry adds the nodes of a binary tree in order, up to its size. A node for which its condition does not hold is none.
func (o *object) treeEntry(e *natvis.Entry) bool {
	limit := int64(o.r.limits.Elements)
	if e.Size != nil {
		n, ok := o.eval(e.Size, 0).integer()
		if !ok || n < 0 || n > maxStride {
			return false
		}
		o.out.More += uint64(n - min(n, limit))
		limit = min(n, limit)
	}
	head := o.eval(e.Head, 0)
	at, ok := head.integer()
	t := head.element()
	var path []*object // whose left sides were taken
	for budget := 4 * (limit + 1); ok && t != nil && limit > 0; budget-- {
		node := o.in(uint64(at), t)
		holds, known := true, true
		if at != 0 {
			holds, known = node.holdsTrue(e.Node)
		}
		if !known || budget < 0 || len(path) > maxViews*4 {
			return false
		}
		if at != 0 && holds {
			path = append(path, node)
			at, ok = node.eval(e.Left, 0).integer()
			continue
		}
		if len(path) == 0 {
			return true
		}
		last := path[len(path)-1]
		path = path[:len(path)-1]
		v := last.eval(e.Value, 0).value()
		if v == nil {
			return false
		}
		v.named(index(uint64(len(o.out.Children))))
		o.out.Children = append(o.out.Children, v)
		limit--
		at, ok = last.eval(e.Next, 0).integer()
	}
	return ok && t != nil
}
