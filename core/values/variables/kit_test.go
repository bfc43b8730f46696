package variables

import (
	"encoding/binary"
	"fmt"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/values/types"
)

// memory is captured bytes by their first address.
type memory map[uint64][]byte

func (m memory) Read(addr uint64, p []byte) int {
	for base, data := range m {
		if addr >= base && addr-base < uint64(len(data)) {
			return copy(p, data[addr-base:])
		}
	}
	return 0
}

// words are 8 bytes each.
func words(list ...uint64) (out []byte) {
	for _, w := range list {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

func to(t *types.Type) types.Ref { return func() *types.Type { return t } }

func base(k types.Kind, name string, size uint64) *types.Type {
	return &types.Type{Kind: k, Name: name, Size: size, Sized: true, Language: types.CPlusPlus}
}

var (
	integer = base(types.Signed, "int", 4)
	long    = base(types.Signed, "long", 8)
	size    = base(types.Unsigned, "unsigned long", 8)
	char    = base(types.Char, "char", 1)
	double  = base(types.Float, "double", 8)
)

func pointer(t *types.Type) *types.Type {
	return &types.Type{Kind: types.Pointer, Elem: to(t), Size: 8, Sized: true, Language: types.CPlusPlus}
}

func array(t *types.Type, n uint64) *types.Type {
	return &types.Type{Kind: types.Array, Elem: to(t), Counts: []types.Count{{N: n, Known: true}}}
}

func member(name string, off uint64, t *types.Type) types.Member {
	return types.Member{Name: name, Offset: off, Type: to(t)}
}

func structure(name string, size uint64, members ...types.Member) *types.Type {
	return &types.Type{Kind: types.Struct, Name: name, Size: size, Sized: true, Language: types.CPlusPlus, Members: members}
}

func of(t *types.Type, args ...*types.Type) *types.Type {
	for _, a := range args {
		t.Args = append(t.Args, types.Argument{Type: to(a)})
	}
	return t
}

// fixed is a rule that is a place, or an error.
type fixed struct {
	place Place
	err   error
}

func (f fixed) Place(*Eval) (Place, error) { return f.place, f.err }
func (fixed) String() string               { return "fixed" }

// scopes is a source with one scope.
type scopes []Variable

func (s scopes) symbols() Symbols { return Symbols{Scopes: s} }

func (s scopes) Scopes(uint64) []Scope { return []Scope{{Function: "f", Variables: s}} }

// frameOf is a frame with captured memory in which rbx is known.
func frameOf(m memory, vars ...Variable) *Context {
	f := &process.Frame{}
	f.Regs.Set(cpu.RBX, 0x1122_3344_5566_7788)
	return &Context{Frame: f, Arch: &cpu.AMD64, Memory: m, Symbols: scopes(vars).symbols()}
}

// at is a variable in memory.
func at(name string, addr uint64, t *types.Type) Variable {
	return Variable{Name: name, Type: to(t), Rule: fixed{place: inMemory(addr)}}
}

// shown writes values as a picture: "p = 1 {x = 2}".
func shown(values []*Value) string {
	var out []string
	for _, v := range values {
		text := v.Name
		if v.Said {
			text += " = " + v.Text
		}
		if v.State != Known {
			text += fmt.Sprintf(" <%s>", v.State)
		}
		if len(v.Children) > 0 {
			text += " {" + shown(v.Children) + "}"
		}
		if v.More > 0 {
			text += fmt.Sprintf(" +%d", v.More)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// read shows the variables of a frame.
func read(f *Context) string { return shown(Read(f, Limits{})[0].Values) }

// inMemory is the place of an address.
func inMemory(addr uint64) Place { return Place{[]Piece{{Kind: InMemory, Addr: addr}}} }

// inRegister is the place of a register.
func inRegister(reg string) Place { return Place{[]Piece{{Kind: InRegister, Reg: reg}}} }
