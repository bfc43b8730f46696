package variables

import (
	"strings"

	"crashglass/core/values/types"
)

// maxReached bounds the variables and members of one frame that may lead to a lock.
const maxReached = 1 << 10

// Lock names the lock whose word of 4 bytes is at an address, by the variables of a frame: a variable that has it, or a
// pointer to what has it, itself or by one pointer in between ("this->mutex_", "from->owner->lock"). Of a function that
// is only passed the lock, the name is weak ("*m").
func Lock(f *Context, addr uint64) (name string, weak bool) {
	source := f.Symbols.Scopes
	if source == nil || f.Arch == nil || f.Guess {
		return "", false
	}
	r, last := newReader(f, Limits{}), ""
	for _, s := range source.Scopes(f.Rel()) {
		hidden := hidden(s.Variables)
		for i := range s.Variables {
			v := &s.Variables[i]
			if hidden[i] || v.Name == "" || r.values < r.limits.Values-maxReached {
				continue
			}
			found, rule := v.holds(f, atAddress(addr), LockWord)
			if rule == "" {
				found = r.reached(v, addr)
			}
			switch name := found.Text; {
			case name == "" || isReserved(name):
			case !strings.HasPrefix(name, "*") && (rule != "" || name != v.Name):
				return name, false
			case last == "" && v.Name != "this" && v.Name != "self":
				last = name
			}
		}
	}
	return last, last != ""
}

// LockWord is the size of the word of a lock, as futexes have it.
const LockWord = 4

// reached names what a pointer leads to.
func (r *reader) reached(v *Variable, addr uint64) Part {
	t := types.Strip(v.Type.Get())
	if !refers(t) {
		return Part{}
	}
	r.values--
	r.eval = &Eval{Frame: r.frame, Evidence: &Evidence{}}
	place, err := r.place(v)
	if err != nil || len(place.Pieces) != 1 {
		return Part{}
	}
	at, err := r.address(r.view(place), t)
	if err != nil {
		return Part{}
	}
	p := Part{Text: v.Name, t: t}
	if found := p.Deref(int64(addr-at), LockWord, false); found.Text != "" {
		return found
	}
	elem := types.Strip(t.Elem.Get())
	if elem == nil || !members(elem) {
		return Part{}
	}
	for i := range elem.Members {
		m := &elem.Members[i]
		if r.values--; m.Static || m.Virtual || m.Bits != 0 || m.Offset > 1<<20 {
			continue
		}
		next := p.Deref(int64(m.Offset), r.frame.Arch.Word, false)
		if next.t == nil || !refers(next.t) {
			continue
		}
		to, err := r.address(view{memory: true, addr: at + m.Offset}, next.t)
		if err != nil {
			continue
		}
		if found := next.Deref(int64(addr-to), LockWord, false); found.Text != "" {
			return found
		}
	}
	return Part{}
}

func refers(t *types.Type) bool {
	return t != nil && (t.Kind == types.Pointer || t.Kind == types.Reference || t.Kind == types.RValueReference)
}

// isReserved reports whether a path has a name that C reserves for libraries.
func isReserved(path string) bool {
	for _, name := range strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune(".->*()[]", c) }) {
		if strings.HasPrefix(name, "__") || len(name) > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z' {
			return true
		}
	}
	return false
}

// isLock reports whether a type is a lock as a whole: its members are its library's. Sources: glibc and musl pthread.h (types
// whose first member has a reserved name), C++'s [thread.mutex] and [thread.condition], Rust's std::sync, winnt.h.
func isLock(t *types.Type) bool {
	if len(t.Members) > 0 && strings.HasPrefix(t.Members[0].Name, "__") && (t.Kind == types.Union || strings.HasPrefix(t.Name, "pthread_")) {
		return true
	}
	name, _, _ := strings.Cut(t.Name, "<")
	space, last := "", name
	if i := strings.LastIndex(name, "::"); i >= 0 {
		space, last = name[:i], name[i+2:]
	}
	return locks[last] && (strings.HasPrefix(space, "std") || strings.HasPrefix(space, "boost") || space == "" && strings.HasPrefix(last, "_RTL_"))
}

var locks = map[string]bool{
	"mutex": true, "timed_mutex": true, "recursive_mutex": true, "recursive_timed_mutex": true, "shared_mutex": true, "shared_timed_mutex": true,
	"condition_variable": true, "condition_variable_any": true, "Mutex": true, "RwLock": true, "Condvar": true, "Once": true,
	"_RTL_CRITICAL_SECTION": true, "_RTL_SRWLOCK": true, "_RTL_CONDITION_VARIABLE": true,
}
