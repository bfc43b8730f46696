package main

import (
	"crashglass/core/report"
	"crashglass/core/sanitize"
	"crashglass/symbols/share/capsule"
)

// The messages between the page and this program: the requests and results of the operations in
// operations.go. The page's types are generated from these:
//
//	go test ./wasm/viewer -run TestGenerated -update
//
// A request also has the name of its operation ("op") and, if it is about an open dump, the dump's
// number ("dump").

// OpenRequest opens the files that come with it; OpenResult answers it.
// Files are numbered from 0 in the order in which a worker got them.
type OpenRequest struct {
	Next     int         `json:"next"`     // the number of the first new dump
	Known    []KnownDump `json:"known"`    // the dumps to open, under their old numbers, if a worker had the files before
	Restores bool        `json:"restores"` // a worker had the files before: no other dumps are opened
}

// KnownDump is an open dump.
type KnownDump struct {
	Dump     int    `json:"dump"`
	Identity string `json:"identity"` // the dump's name and the hash of its content, the same in each worker
}

// CloseRequest closes dumps, and releases what only they use. A number that is not open
// counts as closed. The answer is empty.
type CloseRequest struct {
	Dumps []int `json:"dumps"`
}

// ReportRequest requests the analysis of a dump; ReportResult answers it.
type ReportRequest struct {
	Crashing bool `json:"crashing"` // walk only the crashing thread
	Workers  int  `json:"workers"`  // how many other workers can scan; 0 means that this one scans
	Patience int  `json:"patience"` // milliseconds that reading a file may take for the crashing thread, if there are other workers
	Regions  int  `json:"regions"`  // how many regions of memory the page has of the dump; a report with as many has none of them
}

// ScanRequest requests the index of a part of the attached file; the answer is bytes.
type ScanRequest struct {
	From int64 `json:"from"`
	To   int64 `json:"to"`
}

// IndexRequest brings the index that a Scan requested, as the attached file. Without a file the
// worker has to scan by itself.
type IndexRequest struct {
	Key string `json:"key"`
}

// ExplainRequest requests one thread with the evidence of its frames.
type ExplainRequest struct {
	Thread int `json:"thread"`
}

// VariablesRequest requests the arguments and locals of one frame, for the arguments of all frames
// of a thread, or for more elements of one variable. A list of analyze.FrameVariables answers it.
type VariablesRequest struct {
	Thread   int `json:"thread"`
	Frame    int `json:"frame"`    // -1 for the arguments of all
	Elements int `json:"elements"` // 0, or how many elements of the variable that scope and number name
	Scope    int `json:"scope"`
	Number   int `json:"number"`
}

// GlobalsRequest requests variables of a module that are outside of functions,
// by name or by a pattern with "*"; analyze.ModuleGlobals answers it.
type GlobalsRequest struct {
	Module   int    `json:"module"` // index of the module in the report
	Name     string `json:"name"`
	Elements int    `json:"elements"` // how many of an array are read; 0 for the first ones
}

// RenderRequest requests the report as text; the answer is bytes.
type RenderRequest struct {
	Format Format `json:"format"`
	Masked bool   `json:"masked"` // without names of people, secrets and other sensitive text
	Memory bool   `json:"memory"` // html: with the crashing thread's stack
	Values bool   `json:"values"` // with the variables of the crashing thread
}

// Format is a format of a report.
type Format string

// The formats.
const (
	Text     Format = "text"
	Machine  Format = "machine"
	JSON     Format = "json"
	Markdown Format = "markdown"
	HTML     Format = "html"
)

// ChecklistRequest requests the list of what a dump would reveal; sanitize.Checklist answers it.
type ChecklistRequest struct{}

// SanitizeRequest requests a smaller dump that is fit to share; SanitizeResult answers it, with the
// dump as bytes.
type SanitizeRequest struct {
	Memory bool `json:"memory"` // keep all memory of the stacks
	Names  bool `json:"names"`  // keep names of people
}

// SliceNames says which function names the symbols of a capsule keep. The words are the keys of
// capsule.Names.
type SliceNames string

// The choices.
const (
	AllNames SliceNames = "all"
	OwnNames SliceNames = "own" // of modules outside of the system
	NoNames  SliceNames = "none"
)

// CapsuleRequest requests a page with a sanitized dump inside. viewer.html is attached, and source
// files under the paths in the frames. MadeResult answers it, with the page as bytes.
type CapsuleRequest struct {
	Memory  bool       `json:"memory"` // keep all memory of the stacks
	Names   bool       `json:"names"`  // keep names of people
	Symbols SliceNames `json:"symbols"`
}

// SymsRequest requests the symbols of a module as a Breakpad symbol file; the answer is bytes.
type SymsRequest struct {
	Dump   int `json:"dump"` // -1 for a module that only the symbol files name
	Module int `json:"module"`
}

// SymbolFilesRequest requests the kind and use of each symbol file; a list of symbols.FileInfo answers
// it.
type SymbolFilesRequest struct{}

// PointersRequest requests the symbols at addresses that were found in memory; a list of
// analyze.Pointer answers it.
type PointersRequest struct {
	Addresses []string `json:"addresses"` // in hex
}

// ForceRequest forces mismatched symbols for the names of a module, or no longer does;
// ForceResult answers it.
type ForceRequest struct {
	Module int  `json:"module"`
	Use    bool `json:"use"`
}

// ForceResult answers a ForceRequest.
type ForceResult struct {
	Again []int `json:"again"` // dumps whose report has changed
}

// FieldsRequest requests the fields of a stream; FieldsResult answers it.
type FieldsRequest struct {
	Type   uint32 `json:"type"`
	Offset int64  `json:"offset"` // in the file, as the directory has it
}

// FileRequest requests bytes of a dump's file; the answer is bytes, or fewer
// where the file ends.
type FileRequest struct {
	Offset int64 `json:"offset"`
	Size   int   `json:"size"`
}

// MemoryRequest requests captured memory; the answer is all of the bytes, or none.
type MemoryRequest struct {
	Address string `json:"address"`
	Size    int    `json:"size"`
}

// DisassembleRequest requests captured code around an address, as
// instructions; analyze.Code answers it.
type DisassembleRequest struct {
	Address string `json:"address"`
	Before  int    `json:"before"`
	After   int    `json:"after"`
}

// CapturedRequest requests the ranges of captured memory.
type CapturedRequest struct{}

// FindRequest searches captured memory for bytes in hex; analyze.Found answers it.
type FindRequest struct {
	Pattern string `json:"pattern"`
	From    string `json:"from"`
}

// WholeRequest says that a remote file has arrived completely, or why it must not be used. The
// answer is empty.
type WholeRequest struct {
	Path string `json:"path"`
	Why  string `json:"why"` // "" if the file is complete
}

// ScannedRequest requests the index of a large file that this worker scanned itself. The answer is
// a ScannedResult and the index as bytes.
type ScannedRequest struct{}

// ScannedResult answers a ScannedRequest.
type ScannedResult struct {
	Key string `json:"key"` // cache key of the index, "" if there is no more index
}

// WarmRequest requests a warm-up: the worker analyses the attached files and discards the result.
type WarmRequest struct{}

// OpenResult answers an OpenRequest.
type OpenResult struct {
	Files  []FileResult `json:"files"`
	Opened []KnownDump  `json:"opened"`
	Again  []int        `json:"again"` // open dumps whose report has changed
}

// ReportResult answers a ReportRequest with a report. If files have to be scanned first, it has the
// list of scans instead, and a report of the crashing thread only, as far as it is certain.
type ReportResult struct {
	Opened []Opened `json:"opened"`
	Scans  []Scan   `json:"scans"`
	Stale  []string `json:"stale"`  // keys of indexes that proved wrong
	Wholes []string `json:"wholes"` // remote files that are needed as a whole
	Waits  bool     `json:"waits"`  // the time limit was reached, and the report has only certain parts
}

// WarmResult answers a WarmRequest with the reports of the attached files.
type WarmResult struct {
	Opened []Opened `json:"opened"`
}

// Scan is a symbol file whose index is needed.
type Scan struct {
	Key  string  `json:"key"`  // cache key of the index
	Name string  `json:"name"` // of the file
	File int     `json:"file"` // its number
	Size int64   `json:"size"`
	Cuts []int64 `json:"cuts"` // the offsets at which parts begin, and the end of the last one
}

// SanitizeResult describes the sanitized dump.
type SanitizeResult struct {
	Before  int64              `json:"before"` // bytes
	After   int64              `json:"after"`
	Removed []sanitize.Removal `json:"removed"`
	Secrets []sanitize.Secret  `json:"secrets"`
	People  []string           `json:"people"`
	Changed []string           `json:"changed"` // how its report differs; empty if all stacks are the same
}

// MadeResult lists the contents of an archive or a page.
type MadeResult struct {
	Size    int64      `json:"size"` // bytes
	Files   []MadeFile `json:"files"`
	Changed []string   `json:"changed"` // how the dump's report differs; empty if all stacks are the same
}

// MadeFile is one file inside.
type MadeFile struct {
	Role capsule.Role `json:"role"`
	Name string       `json:"name"`
	Size int64        `json:"size"` // bytes
}

// FieldsResult has the fields of a stream and of the data that it points to.
type FieldsResult struct {
	Fields []Field `json:"fields"`
	Cut    bool    `json:"cut"` // there are more
}

// Field is a range of bytes of a file with one meaning.
type Field struct {
	Offset int64  `json:"offset"` // in the file
	Size   int    `json:"size"`
	Name   string `json:"name"`
	Value  string `json:"value"`
	Record string `json:"record"` // the record that contains it; "" for none
}

// FileResult says what kind of file one of the given files is.
type FileResult struct {
	Name    string   `json:"name"` // its path; for a member of an archive the archive's path, a slash and the member's
	Kind    FileKind `json:"kind"`
	Message *string  `json:"message"` // one sentence: what is wrong with it, or what it is instead; null if it is fine
	Left    int      `json:"left"`    // files that may be dumps and were not read: this one, or some of an archive
}

// FileKind is the kind of a given file.
type FileKind string

// The kinds.
const (
	KindDump    FileKind = "dump"
	KindSymbols FileKind = "symbols"
	KindViews   FileKind = "views" // NatVis
	KindOther   FileKind = "other"
)

// Opened is a dump that is open, and its report.
type Opened struct {
	Dump   int            `json:"dump"`
	Name   string         `json:"name"` // as in its FileResult: the report does not have it
	Report *report.Report `json:"report"`
}

// Progress says how far the work on one file is.
type Progress struct {
	Phase Phase  `json:"phase"`
	File  string `json:"file"` // its name; "" if the work is about no file
	Done  int64  `json:"done"`
	Total int64  `json:"total"` // 0 if unknown
}

// Phase is a kind of work.
type Phase string

// The phases.
const (
	Opening  Phase = "opening" // counts files
	Reading  Phase = "reading"
	Indexing Phase = "indexing"
	Walking  Phase = "walking"
)
