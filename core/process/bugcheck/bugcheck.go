// Package bugcheck has the bug checks of Windows: the reasons for which the kernel stops the system, with the meaning of the four
// parameters. The table is bugchecks.txt; its facts are those of Microsoft's "Bug Check Code Reference" and "Kernel Live Dump Code
// Reference" (MicrosoftDocs/windows-driver-docs), in words of our own.
package bugcheck

import (
	"cmp"
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
	Exceptions      Kind = 'P' // EXCEPTION_POINTERS: the addresses of an exception and a context record
	Blocked         Kind = 'Q' // an IRP that a driver has not completed
	HardwareRecord  Kind = 'h' // WHEA_ERROR_RECORD
)

// meanings are the words for kinds, each behind its letter.
const meanings = `
amemory address
iIRQL
ooperation
winstruction
xexception code
sNTSTATUS
rexception record
ccontext record
ftrap frame
Wroutine
gpool tag
kkind
Xexception information
*pointer
Pexception pointers
Qblocked IRP
hhardware error record
qIRP
ddevice object
Ddriver object
tthread
pprocess
lsource file and line, as numbers
mmemory descriptor list
npage frame number
epage table entry
Llock
zsize
utext
#number
Ttime
`

// Meaning is the word for a kind, "" for none.
func (k Kind) Meaning() string {
	_, rest, _ := strings.Cut(meanings, "\n"+string(rune(k)))
	word, _, _ := strings.Cut(rest, "\n")
	return word
}

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
	Code uint32
	Name string
	row
	flags string
	key   int // the parameter whose value selects a subcode
	sub   []subcode
}

// A row says what the parameters are, and what happened.
type row struct{ kinds, words, text string }

// A subcode is a row for a range of values of the key parameter.
type subcode struct {
	from, to uint64
	*row
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

// parse reads the table. A line of a bug check has its code, the kinds of its parameters, its name and flags. A line that begins
// with "=" has values of the key parameter, which is the first one of kind Subcode, and the kinds of the others. Below each of both,
// a line that begins with ":" has words for parameters that their kinds do not describe, and one that begins with a space says what happened.
func parse(text string) (map[uint32]*Check, error) {
	out := map[uint32]*Check{}
	var last *Check
	var at *row
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		words := strings.Fields(line)
		of := line[:min(len(line), 1)]
		switch {
		case of == " " && at != nil:
			at.text = line[1:]
		case of == ":" && at != nil:
			at.words = line[1:]
		case of == "=" && last != nil && len(words) == 2:
			at = &row{kinds: words[1]}
			if err := last.add(words[0][1:], at); err != nil {
				return nil, err
			}
		case len(words) >= 3 && len(words) <= 4:
			v, err := strconv.ParseUint(words[0], 16, 32)
			if err != nil {
				return nil, err
			}
			last = &Check{Code: uint32(v), Name: words[2], row: row{kinds: words[1]}, flags: strings.Join(words[3:], "")}
			last.key = max(strings.IndexByte(words[1], byte(Subcode)), 0)
			out[last.Code], at = last, &last.row
		default:
			return nil, fmt.Errorf("bugcheck: line %q", line)
		}
	}
	return out, nil
}

// add adds a row for a list of values and ranges.
func (c *Check) add(list string, r *row) error {
	for part := range strings.SplitSeq(list, ",") {
		low, high, is := strings.Cut(part, "-")
		if !is {
			high = low
		}
		from, err := strconv.ParseUint(low, 16, 64)
		to, bad := strconv.ParseUint(high, 16, 64)
		if err = cmp.Or(err, bad); err != nil {
			return err
		}
		c.sub = append(c.sub, subcode{from, to, r})
	}
	return nil
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

// A Reading is what the parameters of a bug check mean.
type Reading struct {
	Kinds [4]Kind
	Words [4]string // what each one is, "" when unknown
	Text  string    // what happened as a clause, "" when unknown
	Exact string    // the same by the value of the key parameter
}

// Read returns the meaning of parameters. Those of an unknown bug check, nil, have none.
func (c *Check) Read(params []uint64) (r Reading) {
	r.Kinds = [4]Kind{None, None, None, None}
	if c == nil {
		return r
	}
	r.Text = c.text
	at, kinds := &c.row, c.kinds
	if c.key < len(params) {
		if s := c.of(params[c.key]); s != nil {
			at, r.Exact = s, s.text
			n := min(c.key, len(s.kinds))
			kinds = s.kinds[:n] + string(Subcode) + s.kinds[n:]
		}
	}
	for i := range min(len(kinds), len(r.Kinds)) {
		r.Kinds[i] = Kind(kinds[i])
		own := ""
		if at.words == "" || i == c.key {
			own = word(c.words, i)
		}
		r.Words[i] = cmp.Or(word(at.words, i), own, r.Kinds[i].Meaning())
	}
	return r
}

func word(list string, i int) (out string) {
	for ; i >= 0; i-- {
		out, list, _ = strings.Cut(list, ";")
	}
	return out
}

// of returns the row for a value of the key parameter, or nil.
func (c *Check) of(v uint64) *row {
	for _, s := range c.sub {
		if s.from <= v && v <= s.to {
			return s.row
		}
	}
	return nil
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
