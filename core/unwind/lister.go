package unwind

// A Lister is a source of Rules that can list all of them, so that they can be written as a symbol
// file. Damaged records are left out. An error of add ends the listing and is returned.
type Lister interface {
	EachCallFrame(add func(*CallFrameTable) error) error
	EachWinFrame(add func(WinFrame) error) error
}

// A CallFrameTable is the call frame rules of a run of code: those at its first address, and the
// changes after it.
type CallFrameTable struct {
	Start, Size uint64
	Signal      bool // see CallFrame
	Rules       []Rule
	Rows        []CallFrameRow // in the order of addresses
}

// A CallFrameRow changes some rules from an address on. A register that is
// no longer saved anywhere has itself as its rule.
type CallFrameRow struct {
	Addr  uint64
	Rules []Rule
}
