package variables

import (
	"crashglass/core/values/natvis"
	"crashglass/core/values/types"
)

// maxSteps bounds the steps of CustomListItems that one frame's values take.
const maxSteps = 1 << 16

// A customList runs the steps of CustomListItems. Its variables are the arguments of its evaluator.
type customList struct {
	evaluator
	found uint64 // items, also those that are not shown
	limit uint64 // of items that are shown
	sized bool   // the list says its size, and more items need not be counted
	state running
}

// A running is how steps go on.
type running uint8

const (
	onward running = iota
	broken         // a Break ends the innermost loop
	full           // more items are not wanted
	failed         // a part is unknown: the view is not used
)

// Lists adds the items of CustomListItems. Programs that do not set it do not link it.
type Lists func(o *object, e *natvis.Entry) bool

// CustomLists are the Lists of a [Context].
func CustomLists() Lists { return (*object).customEntry }

// customEntry adds the items that the steps append.
func (o *object) customEntry(e *natvis.Entry) bool {
	list := customList{evaluator: evaluator{at: o, args: map[string]*object{}}, limit: uint64(o.r.limits.Elements), sized: e.Size != nil}
	size := int64(0)
	if list.sized {
		var ok bool
		if size, ok = o.eval(e.Size, 0).integer(); !ok || size < 0 || size > maxStride {
			return false
		}
	}
	had := len(o.out.Children)
	if list.run(e.Steps); list.state != full || !list.sized { // the steps ran to their end
		size = int64(list.found)
	}
	o.out.More += uint64(max(size-int64(len(o.out.Children)-had), 0))
	return list.state != failed
}

// run runs steps until the state ends that.
func (c *customList) run(steps []natvis.Step) {
	chosen := false // a branch of the last If
	for i := range steps {
		s := &steps[i]
		if chosen && (s.Kind == natvis.Elseif || s.Kind == natvis.Else) {
			continue
		}
		chosen = c.holds(s)
		for again := chosen; again; again = s.Kind == natvis.Loop && c.holds(s) {
			c.step(s)
		}
		if s.Kind == natvis.Loop && c.state == broken {
			c.state = onward
		}
		if c.state != onward {
			return
		}
	}
}

// holds reports whether a step is to be run: its condition holds, and the state and the bound of steps allow it.
func (c *customList) holds(s *natvis.Step) bool {
	r := c.at.r
	switch r.steps++; {
	case c.state != onward:
		return false
	case r.steps > maxSteps && c.found > c.limit:
		c.state = full
		return false
	case r.steps > maxSteps:
		c.state = failed
		return false
	case s.Condition == nil:
		return true
	}
	yes, ok := c.isTrue(c.eval(s.Condition))
	if !ok {
		c.state = failed
	}
	return yes && ok
}

func (c *customList) step(s *natvis.Step) {
	switch s.Kind {
	case natvis.Break:
		c.state = broken
	case natvis.Variable, natvis.Assign:
		v := c.set(s)
		if v == nil {
			c.state = failed
			return
		}
		c.args[s.Variable] = v
	case natvis.Append:
		c.append(s)
	default:
		c.run(s.Steps)
	}
}

// set returns the new value of a variable, which keeps the type of its first one. An array becomes a pointer. An address that becomes a
// number is an error of the file.
func (c *customList) set(s *natvis.Step) *object {
	v, was := c.behind(c.eval(s.Value)), c.args[s.Variable]
	switch {
	case v == nil || v.t == nil || s.Kind == natvis.Assign && was == nil:
		return nil
	case v.t.Kind == types.Array:
		x, ok := c.operand(v)
		if !ok {
			return nil
		}
		v = c.number(x.t, x.n)
	}
	switch {
	case s.Kind == natvis.Variable || v.t == was.t:
		return v
	case v.t.Kind == types.Pointer && was.t.Kind != types.Pointer:
		return nil
	}
	return c.cast(v, was.declared())
}

// append adds an item, and beyond the limit only counts it.
func (c *customList) append(s *natvis.Step) {
	out := c.at.out
	switch c.found++; {
	case c.found <= c.limit && c.at.r.values > 0:
	case c.sized:
		c.state = full
		return
	default:
		return
	}
	v := c.eval(s.Value).value()
	name, ok := c.text(s.Name)
	if v == nil || !ok {
		c.state = failed
		return
	}
	if v.named(name); name == "" {
		v.named(index(c.found - 1))
	}
	out.Children = append(out.Children, v)
}
