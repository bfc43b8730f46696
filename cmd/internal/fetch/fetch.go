// Package fetch is what is said between the process that has read a dump and the
// one that reaches the network: a list of files one way, and what became of each
// the other way. It has types alone, so that package download, which builds on
// it, can be told nothing but names and ids.
//
//	plan (has read the report) -> List -> download (holds no dump) -> Answer
package fetch

// A List is all that the downloading process is told.
type List struct {
	Store string // the folder that files go to
	Items []Item
}

// An Item is one module's symbols. Its tries are made in order until a file came.
type Item struct {
	Name, ID string
	Tries    []Try
}

// A Try is files of one server that belong together, as a PDB and its image.
type Try struct {
	Server string // as people know it: a host and a folder
	Files  []File
}

// A File is where one file may be: under its name or, in a cabinet, under
// another one. The first that is there will do.
type File []Place

// A Place is an address, and the path below the store that its file gets.
type Place struct {
	URL, Path string
}

// A State is what became of a file.
type State string

// The states.
const (
	Came    State = "came"
	Had     State = "had"     // an earlier run fetched it
	Missing State = "missing" // the server has no such file
	Failed  State = "failed"
)

// An Answer is about one file of an item.
type Answer struct {
	Item   int
	Try    int // of the item
	Server string
	State  State
	Path   string // below the store, of a file that came; otherwise the one that was asked for
	Bytes  int64
	Why    string // of a failure
}
