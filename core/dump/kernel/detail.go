package kernel

// A Detail is a dump in the words of its structures, for programs that show all of it.
type Detail struct {
	Header   *header
	Triage   *triage // nil in other dumps
	Blocks   []Block
	Drivers  []Driver
	Unloaded []Driver
}
