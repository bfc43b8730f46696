package report

// A LocalFile is a file of this machine that was used although nobody named it, because it has a module's ID.
type LocalFile struct {
	File  string `json:"file"`
	Place Place  `json:"place"`
}

// A Place is where a file of this machine was found.
type Place string

// The places, in the order of search.
const (
	AtRecordedPath  Place = "recorded_path"    // the path in the dump
	BesideIt        Place = "beside"           // in the folder of that path, its .debug folder, or a bundle beside it
	InDebugFolder   Place = "debug_folder"     // /usr/lib/debug, by path
	ByBuildID       Place = "build_id"         // /usr/lib/debug, by build ID
	InDebuginfod    Place = "debuginfod_cache" // the cache of debuginfod's client
	InSymbolPath    Place = "symbol_path"      // a local part of _NT_SYMBOL_PATH
	InSymbolCache   Place = "symbol_cache"     // a default cache of a debugger of Windows
	InXcode         Place = "xcode"            // Xcode's folders DerivedData and Archives
	SpotlightsPlace Place = "spotlight"        // the answer of Spotlight, by UUID
)

// An Unused symbol file was given, and is of no module's build.
type Unused struct {
	File   string `json:"file"`
	ID     string `json:"id"`               // "" if it does not say which build it is of
	Module *int   `json:"module,omitempty"` // index into Modules: the one that it is of another build of; nil for none
	Wanted string `json:"wanted,omitempty"` // the ID of that module
}
