package process

import "strings"

// Lack is a set of facts that the file does not have, although a stream has a field for them.
type Lack uint32

// The facts that may be lacking.
const (
	CPUModel      Lack = 1 << iota // vendor and model of the CPU
	CPUCount                       // the number of CPUs
	SystemVersion                  // the numbers of the system's version
	SignalNumber                   // the kind of the exception: it is only known that there was one
	SignalCode                     // si_code
	CodeIDs                        // the whole of a module's code ID
	Writer                         // the program that wrote it
	Places                         // file offsets of streams
	Copy                           // a form that could be written again as a smaller file
)

var words = []string{
	"CPU model", "CPU count", "system version", "signal number", "signal code", "code IDs", "writer", "places of streams", "copy",
}

// Has reports whether all of some facts are lacking.
func (l Lack) Has(facts Lack) bool { return l&facts == facts }

// String lists the facts.
func (l Lack) String() string {
	var out []string
	for i, word := range words {
		if l.Has(1 << i) {
			out = append(out, word)
		}
	}
	return strings.Join(out, ", ")
}
