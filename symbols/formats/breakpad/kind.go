package breakpad

// A kind is the kind of record in a line, by its first bytes. The rest may still be malformed.
type kind uint8

const (
	kindNone kind = iota // unknown
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

// kindOf returns the kind of a line and the text after its tag. It is written without loops because
// the scan calls it for every second line, and comparing with a constant costs a load or two.
func kindOf(line []byte) (kind, []byte) {
	if len(line) < 5 { // the shortest tag
		return lineOrNone(line)
	}
	switch line[0] {
	case 'S':
		return stackKind(line)
	case 'I':
		return inlineKind(line)
	case 'F':
		switch string(line[:5]) {
		case "FUNC ":
			return kindFunc, line[5:]
		case "FILE ":
			return kindFile, line[5:]
		}
	case 'P':
		if len(line) >= 7 && string(line[:7]) == "PUBLIC " {
			return kindPublic, line[7:]
		}
	case 'M':
		if len(line) >= 7 && string(line[:7]) == "MODULE " {
			return kindModule, line[7:]
		}
	}
	return lineOrNone(line)
}

func stackKind(line []byte) (kind, []byte) {
	if len(line) < 10 {
		return kindNone, line
	}
	switch string(line[:10]) {
	case "STACK CFI ":
		if len(line) >= 15 && string(line[10:15]) == "INIT " {
			return kindInit, line[15:]
		}
		return kindCFI, line[10:]
	case "STACK WIN ":
		return kindWin, line[10:]
	}
	return kindNone, line
}

func inlineKind(line []byte) (kind, []byte) {
	switch {
	case len(line) >= 7 && string(line[:7]) == "INLINE ":
		return kindInline, line[7:]
	case len(line) >= 14 && string(line[:14]) == "INLINE_ORIGIN ":
		return kindOrigin, line[14:]
	case string(line[:5]) == "INFO ":
		return kindInfo, line[5:]
	}
	return kindNone, line
}

// lineOrNone distinguishes line records, which have no tag, from unknown lines.
func lineOrNone(line []byte) (kind, []byte) {
	if len(line) > 0 && hexDigit[line[0]] != 0 {
		return kindLine, line
	}
	return kindNone, line
}
