package breakpad

// A kind is what sort of record a line is, by how it begins. It says nothing
// of whether the rest is well formed.
type kind uint8

const (
	kindNone kind = iota // nothing we know
	kindLine             // a line record: it begins with a number
	kindModule
	kindInfo
	kindFile
	kindOrigin
	kindFunc
	kindPublic
	kindInline
	kindWin
	kindInit
	kindCFI
)

// tags are the words that begin a record of each kind, and what a note calls it.
var tags = [...]string{
	kindNone: "unknown record", kindLine: "line record", kindModule: "MODULE", kindInfo: "INFO", kindFile: "FILE",
	kindOrigin: "INLINE_ORIGIN", kindFunc: "FUNC", kindPublic: "PUBLIC", kindInline: "INLINE", kindWin: "STACK WIN",
	kindInit: "STACK CFI INIT", kindCFI: "STACK CFI",
}

func (k kind) String() string { return tags[k] }

// candidates are the kinds that a line may be, by its first byte, the longer
// tag before the one that it begins with.
var candidates = [256][]kind{
	'M': {kindModule},
	'F': {kindFunc, kindFile},
	'P': {kindPublic},
	'I': {kindInline, kindOrigin, kindInfo},
	'S': {kindInit, kindCFI, kindWin},
}

// hexDigit holds 1 + the value of each hex digit, and 0 for other bytes.
var hexDigit = func() (t [256]uint8) {
	for i := range byte(10) {
		t['0'+i] = i + 1
	}
	for i := range byte(6) {
		t['a'+i], t['A'+i] = i+11, i+11
	}
	return t
}()

// kindOf returns the kind of a line and what follows its tag.
func kindOf(line []byte) (kind, []byte) {
	if len(line) == 0 {
		return kindNone, line
	}
	for _, k := range candidates[line[0]] {
		if rest, ok := afterTag(line, tags[k]); ok {
			return k, rest
		}
	}
	if hexDigit[line[0]] != 0 {
		return kindLine, line
	}
	return kindNone, line
}

// afterTag returns what follows a tag and the space behind it.
func afterTag(line []byte, tag string) ([]byte, bool) {
	n := len(tag)
	if len(line) > n && line[n] == ' ' && string(line[:n]) == tag {
		return line[n+1:], true
	}
	return nil, false
}
