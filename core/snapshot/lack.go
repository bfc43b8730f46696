package snapshot

import "strings"

// Lack is a set of facts that a stream seems to state, because it has a field
// for them, and that the file does not have.
type Lack uint32

// What may be lacking.
const (
	CPUModel      Lack = 1 << iota // vendor and model of the CPU
	CPUCount                       // the number of CPUs
	SystemVersion                  // the numbers of the system's version
	SignalNumber                   // the kind of the exception: only that there was one
	SignalCode                     // si_code
	CodeIDs                        // the whole of a module's code ID
	Writer                         // the program that wrote it
	Places                         // places of streams in the file
	Copy                           // a file that a smaller one could be made of
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
