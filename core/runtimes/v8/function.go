package v8

// A function is what a SharedFunctionInfo says.
type function struct {
	name       string
	script     *script // nil for a builtin
	scope      object
	start, end int64 // of its source, from the parameters on; 0 if they are not known
}

// anonymous is the name of a function without one, as in Error.stack.
const anonymous = "<anonymous>"

// callee returns the function of a JSFunction, nil if the object is none.
func (f *finder) callee(o object) *function {
	k, ok := f.kind(o)
	last := f.at[lastFunction]
	if !f.has[lastFunction] {
		last = f.at[typeFunction] + constructors
	}
	if !ok || k < f.at[typeFunction] || k > last {
		return nil
	}
	shared, _ := f.field(o, f.at[functionShared])
	fn := f.function(shared)
	if fn == nil {
		return nil
	}
	if own := f.ownName(o); own != "" {
		named := *fn
		named.name = own
		return &named
	}
	return fn
}

// ownName returns the name of a function that was computed where the function was made, as for a method whose name is a symbol; "" for others, which have
// an accessor instead.
func (f *finder) ownName(o object) string {
	v, ok := f.property(o, "name")
	if !ok {
		return ""
	}
	if !f.is(v, typeSymbol) {
		text, _ := f.text(v, mostName) // "" for an accessor
		return text
	}
	description, _ := f.field(v, f.at[symbolName])
	if text, ok := f.text(description, mostName); ok {
		return "[" + text + "]"
	}
	return ""
}

// mostPrototypes bounds a chain of prototypes.
const mostPrototypes = 16

// methodName returns the name of the function of a frame as a method of its receiver, with that one's class, "" if it is none. Source: V8,
// src/objects/call-site-info.cc, CallSiteInfo::GetMethodName.
func (f *finder) methodName(fp uint64) (name string) {
	this, _ := f.slot(fp, frameArguments)
	callee, ok := f.slot(fp, frameFunction)
	class := f.class(this)
	if !ok || class == "" || f.is(this, typeGlobal) {
		return ""
	}
	o := this
	for range mostPrototypes {
		f.properties(o, func(key, value object, computed bool) bool {
			if value != callee || computed {
				return true
			}
			text, ok := f.text(key, mostName)
			if ok && text != "" {
				name = class + "." + text
			}
			return name == ""
		})
		m, _ := f.field(o, f.at[objectMap])
		next, ok := f.field(m, f.at[mapPrototype])
		if name != "" || !ok || next == o {
			return name
		}
		o = next
	}
	return ""
}

// constructors is the number of types of functions that follow that of functions in releases that do not state the last one.
const constructors = 16

// function reads a SharedFunctionInfo, nil if the object is none.
func (f *finder) function(shared object) *function {
	if fn, known := f.functions[shared]; known {
		return fn
	}
	fn := &function{}
	named, ok := f.field(shared, f.at[sharedName])
	where, placed := f.field(shared, f.at[sharedScript])
	if !ok || !placed || !f.is(shared, typeShared) {
		fn = nil
	} else {
		fn.name = f.name(named, fn)
		if fn.script = f.script(where); fn.script == nil && !f.is(where, typeOddball) {
			fn = nil // neither a script nor undefined
		}
	}
	if len(f.functions) < mostKnown && f.left >= 0 {
		f.functions[shared] = fn
	}
	return fn
}

// name reads the name of a function: a string, the description of its scope, or 0 for none. It returns "" for a damaged one.
func (f *finder) name(o object, fn *function) string {
	if n, ok := f.smi(o); ok && n == 0 {
		return anonymous
	}
	if f.is(o, typeScope) {
		fn.scope = o
		return f.scopeName(o, fn)
	}
	return f.nonempty(o)
}

// nonempty returns a name, anonymous for an empty one, and "" for a damaged one.
func (f *finder) nonempty(o object) string {
	name, ok := f.text(o, mostName)
	if ok && name == "" {
		return anonymous
	}
	return name
}

// The flags of a scope, and what follows its locals. Source: V8, src/objects/scope-info.tq.
const (
	savedClass   = 1 << 10
	functionName = 3 << 12
	inferredName = 1 << 14
	mostInlined  = 75 // names of locals; more of them are in one table
	mostLocals   = 1 << 16
)

// scopeName returns the name in a ScopeInfo: that of the function, or the one that the parser inferred. The positions of the function in its
// source stand before the locals, or behind the names; if they are none, the names are none.
func (f *finder) scopeName(o object, fn *function) string {
	at := func(i uint64) (object, bool) { return f.field(o, word*(1+i)) }
	head, ok := at(0)
	flags := uint64(head) >> 32
	if _, small := f.smi(head); !small {
		flags = uint64(head) & (1<<32 - 1)
	}
	count, few := f.smiField(o, word*(1+f.at[scopeLocals]))
	if !ok || !few || count < 0 || count > mostLocals {
		return ""
	}
	i := f.at[scopeFirst]
	positions := f.at[scopeLocals] + 1
	inFront := positions != i
	if n := uint64(count); n >= mostInlined {
		i += 1 + n
	} else {
		if first, _ := at(i); n > 0 && !f.isText(first) {
			return ""
		}
		i += 2 * n
	}
	if flags&savedClass != 0 {
		i++
	}
	name, inferred := object(0), object(0)
	if flags&functionName != 0 {
		name, _ = at(i)
		if _, ok := f.smiField(o, word*(2+i)); !ok {
			return ""
		}
		i += 2
	}
	if flags&inferredName != 0 {
		inferred, _ = at(i)
		i++
	}
	if !inFront {
		positions = i
	}
	start, ok := f.smiField(o, word*(1+positions))
	end, ended := f.smiField(o, word*(2+positions))
	if !ok || !ended || start < 0 || end < start {
		return ""
	}
	fn.start, fn.end = start, end
	if f.isText(name) {
		if own := f.nonempty(name); own != anonymous {
			return own
		}
	}
	if f.isText(inferred) {
		return f.nonempty(inferred)
	}
	if n, small := f.smi(name); small && n == 0 || f.isText(name) {
		return anonymous
	}
	return ""
}

func (f *finder) isText(o object) bool {
	k, ok := f.kind(o)
	return ok && k < f.at[firstNonstring]
}
