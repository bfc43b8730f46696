// Package bugcheck has the bug checks of Windows: the reasons for which the kernel stops the system, with the meaning of the four
// parameters. The table is bugchecks.txt; its facts are those of Microsoft's "Bug Check Code Reference" and "Kernel Live Dump Code
// Reference" (MicrosoftDocs/windows-driver-docs), in words of our own.
package bugcheck

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// A Kind is the kind of a parameter: a letter of the table.
type Kind byte

// The kinds that code depends on. The table has more, see meanings.
const (
	None            Kind = '-' // reserved, or not documented
	Address         Kind = 'a' // of memory that was used
	IRQL            Kind = 'i'
	Operation       Kind = 'o' // on the memory
	Instruction     Kind = 'w' // that used it, or raised the exception
	Exception       Kind = 'x' // its code
	Status          Kind = 's' // NTSTATUS
	ExceptionRecord Kind = 'r'
	ContextRecord   Kind = 'c'
	TrapFrame       Kind = 'f'
	Routine         Kind = 'W'
	PoolTag         Kind = 'g'
	Subcode         Kind = 'k' // its value says what the others are
	Information     Kind = 'X' // the first words of ExceptionInformation
	Pointer         Kind = '*'
)

// meanings are the words for the kinds.
var meanings = map[Kind]string{
	Address: "memory address", IRQL: "IRQL", Operation: "operation", Instruction: "instruction", Exception: "exception code", Status: "NTSTATUS",
	ExceptionRecord: "exception record", ContextRecord: "context record", TrapFrame: "trap frame", Routine: "routine", PoolTag: "pool tag", Subcode: "kind",
	Information: "exception information", Pointer: "pointer",
	'q': "IRP", 'd': "device object", 'D': "driver object", 't': "thread", 'p': "process", 'l': "source file and line, as numbers", 'm': "memory descriptor list",
	'n': "page frame number", 'e': "page table entry", 'L': "lock", 'z': "size", 'u': "text", '#': "number", 'T': "time", 'h': "hardware error record",
}

// Meaning is the word for a kind, "" for none.
func (k Kind) Meaning() string { return meanings[k] }

// A Flag is a property of a bug check.
type Flag byte

// The flags.
const (
	Live     Flag = 'l' // Windows went on
	Asked    Flag = 'p' // a person requested it
	Memory   Flag = 'm' // faulty memory is a cause that the documentation names
	Disk     Flag = 'd' // a faulty disk is
	Graphics Flag = 'g' // it is about the display driver
	Hardware Flag = 'h' // the hardware reported an error, or does not respond
	Verifier Flag = 'v' // Driver Verifier found it
)

// A Check is one bug check.
type Check struct {
	Code  uint32
	Name  string
	kinds string
	flags string
	text  string
	sub   []subcode
}

// A subcode is a row for a value of the first parameter.
type subcode struct {
	value uint64
	kinds string
	text  string
}

//go:embed bugchecks.txt
var table string

// checks are the rows of the table by their codes.
var checks = sync.OnceValue(func() map[uint32]*Check {
	out, err := parse(table)
	if err != nil {
		panic(err) // our own text; a test reads it all
	}
	return out
})

// parse reads the table. A line of a bug check has its code, the kinds of its parameters, its name and flags; one that begins with
// "=" has a value of the first parameter and the kinds of the others; one that begins with a space says what happened.
func parse(text string) (map[uint32]*Check, error) {
	out := map[uint32]*Check{}
	var last *Check
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		words := strings.Fields(line)
		of := line[:min(len(line), 1)]
		switch {
		case of == " " && last != nil && len(last.sub) > 0:
			last.sub[len(last.sub)-1].text = line[1:]
		case of == " " && last != nil:
			last.text = line[1:]
		case of == "=" && last != nil && len(words) == 2:
			v, err := strconv.ParseUint(words[0][1:], 16, 64)
			if err != nil {
				return nil, err
			}
			last.sub = append(last.sub, subcode{value: v, kinds: words[1]})
		case len(words) >= 3 && len(words) <= 4:
			v, err := strconv.ParseUint(words[0], 16, 32)
			if err != nil {
				return nil, err
			}
			last = &Check{Code: uint32(v), kinds: words[1], Name: words[2], flags: strings.Join(words[3:], "")}
			out[last.Code] = last
		default:
			return nil, fmt.Errorf("bugcheck: line %q", line)
		}
	}
	return out, nil
}

// small is set in codes by dumps of the Windows boot loader: "_M" in their names.
const small = 0x1000_0000

// Of returns the bug check of a code.
func Of(code uint32) (*Check, bool) {
	c, ok := checks()[code]
	if !ok {
		c, ok = checks()[code&^small]
	}
	return c, ok
}

// Name is the name of a code, or its number.
func Name(code uint32) string {
	if c, ok := Of(code); ok {
		return c.Name
	}
	return fmt.Sprintf("0x%08x", code)
}

// Has reports whether a bug check has a flag. None has none.
func (c *Check) Has(f Flag) bool { return c != nil && strings.IndexByte(c.flags, byte(f)) >= 0 }

// of returns the row for a value of the first parameter, or nil.
func (c *Check) of(first uint64) *subcode {
	for i := range c.sub {
		if c.sub[i].value == first {
			return &c.sub[i]
		}
	}
	return nil
}

// Kinds are the kinds of the parameters, if the first one has that value. Those of an unknown bug check, nil, are None.
func (c *Check) Kinds(first uint64) [4]Kind {
	out := [4]Kind{None, None, None, None}
	if c == nil {
		return out
	}
	kinds := c.kinds
	if s := c.of(first); s != nil {
		kinds = string(Subcode) + s.kinds
	}
	for i := range min(len(kinds), len(out)) {
		out[i] = Kind(kinds[i])
	}
	return out
}

// Text says what happened as a clause, "" when unknown. Exact is what happened by the value of the first parameter.
func (c *Check) Text(first uint64) (text, exact string) {
	if c == nil {
		return "", ""
	}
	if s := c.of(first); s != nil {
		exact = s.text
	}
	return c.text, exact
}

// An Access is what a parameter says an instruction did with memory.
type Access byte

// The kinds of access. The zero value is unknown.
const (
	Unknown Access = iota
	Read
	Write
	Execute
)

// AccessOf returns the meaning of an Operation. Bit 0 is a write and bit 3 an execution; since Windows 10, 0x50 has the bits of the
// processor's error code (2 for a write, 16 for an execution).
func (c *Check) AccessOf(v uint64) Access {
	const fault = 0x50
	switch {
	case v == 0:
		return Read
	case v == 8, v == 0x10, v == 2 && c.Code != fault:
		return Execute
	case v == 1, v == 2:
		return Write
	}
	return Unknown
}
