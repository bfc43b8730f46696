// Package fetch has the messages between the process that has read a dump and the process that
// reaches the network: a list of files one way, and a result for each the other way. It contains
// only types. So package download, which uses it, can receive nothing but names and ids.
//
//	plan (has read the report) -> List -> download (holds no dump) -> Answer
package fetch

// A List is the only input of the downloading process.
type List struct {
	Store string // the folder that files are written to
	Items []Item
}

// An Item is one module's symbols. Its tries run in order until one gets a file.
type Item struct {
	Name, ID string
	Tries    []Try
}

// A Try is a set of files of one server that belong together, such as a PDB and its image.
type Try struct {
	Server string // for people: a host and a folder
	Files  []File
}

// A File lists the addresses of one file: under its name or, in a cabinet, under another one. The
// first that exists is used.
type File []Candidate

// A Candidate is an address, and the path of its file below the store.
type Candidate struct {
	URL, Path string
}

// A State is the result for one file.
type State string

// The states.
const (
	Came    State = "came"
	Had     State = "had"     // the store had it already
	Missing State = "missing" // the server has no such file
	Refused State = "refused" // the server refuses the file, or has none
	Failed  State = "failed"
)

// An Answer is about one file of an item.
type Answer struct {
	Item   int
	Try    int // the item's number
	Server string
	State  State
	Path   string // below the store, of the downloaded file; otherwise of the requested one
	Bytes  int64
	Why    string // the reason of a failure
}
