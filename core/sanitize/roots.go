package sanitize

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A root is a folder whose subfolders have the names of people, or of something that identifies
// one: a volume, a server, an employer.
type root struct {
	at      string   // its own folders, with / for any run of / and \
	masks   []string // the mask of each folder below it
	person  bool     // the first of them is a person's name
	top     bool     // it must begin a path, because other folders have such names, too
	begins  bool     // the name is in the same folder: "OneDrive - Contoso"
	many    bool     // a number may follow its own folders, and the domain of a Windows network may precede the name
	share   bool     // only as the share of a server
	initial int      // the folder before a name is one of its first letters, of so many; 0 if it need not be
	folder  bool     // of Unix, and the names are those of folders only: "/nfs/x.so" is a file
}

// readRoots reads those of each system.
//
// Sources: hier(7) of Linux and FreeBSD; filesystem(5) of Solaris;
// file-hierarchy(7) and udisks(8) for /media, /run/media and /run/user; ostree
// for /var/home; Apple's File System Programming Guide for /Users and /Volumes;
// Microsoft's Known Folder IDs (FOLDERID_UserProfiles) for Users, before Vista
// Documents and Settings in the words of each language, before 2000 WINNT\Profiles, and WINDOWS\Profiles in
// Windows 9x; smb.conf(5), template homedir, for /home/%D/%U, which winbind uses; crontab(1) and mail(1) of
// Debian and the BSDs; Microsoft's guides to folder redirection and to roaming profiles for shares. Windows shows Users in the words of each language.
// Folders for temporary files: java(1) for hsperfdata, screen(1), KDE's kdeinit, mc(1), ORBit.
func readRoots() (out []root) {
	for _, c := range rows("roots") {
		r := root{at: c[0], masks: strings.Split(c[1], "/")}
		values := flags(c[2], map[string]*bool{
			"person": &r.person, "top": &r.top, "begins": &r.begins, "many": &r.many, "share": &r.share, "folder": &r.folder,
		}, "initial")
		r.initial, _ = strconv.Atoi(values["initial"])
		out = append(out, r)
	}
	return eachOf(out, func(r *root) *string { return &r.at })
}

// network is \\server\share, and \\?\UNC\server\share.
var network = root{masks: []string{"server", "share"}}

// nobodys are names below roots that belong to no person.
var nobodys = []string{
	"Public", "Shared", "Default", "All Users", "Default User", "root", "user", "runner", "builder", "Guest",
	"Macintosh HD", "volume", "server", "share", "company", "company)", "account",
	"?", ".", "UNC", "wsl$", "wsl.localhost", "localhost", "tsclient", "pipe",
}

// groups are folders in which those of several people are: /home/students/jane.
var groups = strings.Fields("users staff students student faculty guests employees alumni people research grad undergrad local ldap domain domainusers .ecryptfs")

// networks are the last labels of the names of networks: /home/corp.example.com/jane.
var networks = strings.Fields("com net org edu gov local lan corp internal intra ad")

func isNobodys(name string) bool {
	return slices.ContainsFunc(nobodys, func(s string) bool { return strings.EqualFold(s, name) })
}

// byFirst returns roots by their first byte, in either case.
func byFirst(list []root) (out [256][]*root) {
	for i := range list {
		at := list[i].at
		first, _ := utf8.DecodeRuneInString(at)
		for _, b := range []byte{at[0], string(unicode.ToUpper(first))[0]} {
			if n := len(out[b]); n == 0 || out[b][n-1] != &list[i] {
				out[b] = append(out[b], &list[i])
			}
		}
	}
	return out
}

// rootsBelow returns the roots that may be at the beginning of a text.
func rootsBelow(s string) []*root {
	if s == "" {
		return nil
	}
	return tables().rootsOf[s[0]]
}

// matches returns the length of a root at the beginning of a text, including its separators, of which the first
// have a length of n. They are doubled in a literal of a program or of JSON.
func (r *root) matches(s string, n int) (int, bool) {
	sep := n
	for part := range strings.SplitSeq(r.at, "/") {
		if sep == 0 {
			sep = slashes(s[n:])
			n += sep
		}
		if sep == 0 || len(s)-n < len(part) || !strings.EqualFold(s[n:n+len(part)], part) && (part != "?" || !isLetter(s[n])) {
			return 0, false
		}
		n += len(part)
		sep = 0
	}
	for r.many && n < len(s) && isDigit(s[n]) {
		n++
	}
	sep = slashes(s[n:])
	name := s[n+sep:]
	if first := name[:min(r.initial, len(name))]; r.initial > 0 && strings.IndexByte(strings.ToLower(first), s[n-1]|0x20) < 0 {
		return 0, false
	}
	if r.begins && strings.HasPrefix(name, r.at) { // a random folder of Android: /data/app/~~a1B2==
		return 0, false
	}
	return n + sep, sep > 0 || r.begins
}

// slashes is the length of the separators at the beginning of a text, with the folders "." between
// them. A URL encodes them.
func slashes(s string) int {
	n := 0
	for size := slash(s); size > 0; size = slash(s[n:]) {
		n += size
		for len(s)-n > 1 && s[n] == '.' && slash(s[n+1:]) > 0 {
			n += 1 + slash(s[n+1:])
		}
	}
	return n
}

// slash is the length of a separator at the beginning of a text, or 0. JSON and C escape it.
func slash(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '\\':
		for _, text := range []string{"u002f", "u005c", "x2f", "x5c"} {
			if n := len(text); len(s) > n && s[1] == text[0] && strings.EqualFold(s[2:n+1], text[1:]) {
				return n + 1
			}
		}
		return 1
	case s[0] == '/':
		return 1
	case s[0] == '%' && len(s) >= 3 && (s[1] == '2' && s[2]|0x20 == 'f' || s[1] == '5' && s[2]|0x20 == 'c'):
		return 3
	}
	return 0
}

// tilde is the home folder of a person in a shell: ~jane/.
var tilde = root{masks: []string{maskedUser}, person: true}

// isTilde reports whether a name and a separator follow a tilde at i that begins a path.
func isTilde(s string, i int) bool {
	if s[i] != '~' || i+1 == len(s) || !isLetter(s[i+1]) || i > 0 && strings.IndexByte(" \t\n\x00\"'=(,;:", s[i-1]) < 0 || strings.HasSuffix(s[:i], "::") {
		return false
	}
	end := i + 1 + strings.IndexFunc(s[i+1:min(len(s), i+1+longestName)], func(r rune) bool { return r < 0x80 && !isTokenByte(byte(r)) })
	n := slash(s[end:])
	return end > i && n > 0 && !(end+n < len(s) && isDigit(s[end+n])) // an expression
}

// nextRoot finds the next root in a text, and the start of the names below it.
func nextRoot(s string, from int) (r *root, below int) {
	for i := from; i < len(s); i++ {
		n := slashes(s[i:])
		if n == 0 {
			if isTilde(s, i) {
				return &tilde, i + 1
			}
			continue
		}
		if isNetwork(s[:i], s[i:i+n]) && !beginsEscape(s[i+n:]) {
			return &network, i + n
		}
		for _, r := range rootsBelow(s[i+n:]) {
			if !r.share && (!r.top || !endsName(s[:i])) && (!r.folder || s[i] == '/') {
				if n, ok := r.matches(s[i:], n); ok {
					return r, i + n
				}
			}
		}
		i += n - 1
	}
	return nil, 0
}

// endsName reports whether a text ends within a path.
func endsName(s string) bool {
	return s != "" && (isTokenByte(s[len(s)-1]) || s[len(s)-1] >= 0x80)
}

// homeRoot returns the root that a folder is, or nil.
func homeRoot(name string) *root {
	list := tables().roots
	n := slices.IndexFunc(list, func(r root) bool { return r.person && !r.begins && strings.EqualFold(r.at, name) })
	if n < 0 {
		return nil
	}
	return &list[n]
}

// isNetwork reports whether separators begin the name of a server: two backslashes, or four in a
// literal, or eight in a literal within one, and not within a path.
func isNetwork(before, seps string) bool {
	if strings.HasSuffix(before, "UNC") || strings.HasSuffix(before, "unc") {
		return strings.Trim(seps, `\`) == ""
	}
	return slices.Contains([]string{`\\`, `\\\\`, `\\\\\\\\`}, seps) && (before == "" || strings.ContainsAny(before[len(before)-1:], " \"'=(,;\n\x00\t"))
}

// beginsEscape reports whether a text is the escape of a sign that JSON encodes, behind its backslashes, and not a
// server that is called so.
func beginsEscape(s string) bool {
	n := prefixOf([]byte(s[:min(len(s), 10)]), 0, signEscapes)
	return n > 0 && slash(s[n:]) == 0
}

var signEscapes = []string{"u0000", "u0022", "u0027", "u003c", "u003e", "u0026#", "u0026quot;", "u0026apos;", "u0026amp;", "u0026lt;", "u0026gt;"}

// longestName is the maximum length of a name in a path.
const longestName = 128

// nameEnd returns the end of a folder's name. A name that another folder follows may contain
// spaces: on Windows in any case, elsewhere only if each word begins with a capital letter, as in
// "Jane Doe" but not in "/home/jane or /tmp".
func nameEnd(s string, windows bool) int {
	for i := 0; i < min(len(s), longestName); i++ {
		if s[i] == '%' && slash(s[i:]) > 0 {
			s = s[:i]
		}
	}
	end := strings.IndexAny(s[:min(len(s), longestName+1)], "/\\\"<>|:*?\n\r\t\x00")
	if end >= 0 && (s[end] == '/' || s[end] == '\\') && (windows || areCapital(s[:end])) {
		return end
	}
	ends := "/\\\"'<>|:;,)\n\r\t\x00"
	if !windows {
		ends += " "
	}
	if end = strings.IndexAny(s, ends); end >= 0 {
		return end
	}
	return len(s)
}

// areCapital reports whether each word after a space begins with a capital letter, or with a letter
// of a script without case.
func areCapital(name string) bool {
	words := strings.Split(name, " ")
	return !slices.ContainsFunc(words[1:], func(w string) bool { return w == "" || w[0] >= 'a' && w[0] <= 'z' || w[0] < 'A' })
}

// isDomain reports whether a name is written as that of a network: "CORP", "corp.example.com".
func isDomain(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return len(name) > 1 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == "" && strings.Trim(name, "0123456789-") != "" ||
		dot > 0 && slices.Contains(networks, strings.ToLower(name[dot+1:]))
}

// isInitial reports whether a folder has the first letters of the names in it: /home/j/jane.
func isInitial(folder, name string) bool {
	return len(folder) <= 2 && len(name) > 2 && strings.EqualFold(name[:len(folder)], folder)
}

// eachName replaces the names below roots in a text.
func eachName(s string, replace func(r *root, depth int, name string) string) string {
	var out strings.Builder
	done := 0
	for r, at := nextRoot(s, 0); r != nil; {
		before := s[max(0, at-longestName):at]
		windows := strings.Contains(before, `\`) || strings.Contains(before, ":/")
		from, above := at, ""
		for depth := 0; depth < len(r.masks); depth++ {
			end := at + nameEnd(s[at:], windows)
			sep := slashes(s[end:])
			if sep > 0 && (r.top || r.masks[depth] == "share") {
				if next := homeRoot(s[at:end]); next != nil { // the folder below is a person's
					r, from, at, depth, above = next, end+sep, end+sep, -1, ""
					continue
				}
			}
			if depth == 0 && r.person && r.many && sep > 0 && slices.Contains(groups, strings.ToLower(s[at:end])) {
				from, at, depth = end+sep, end+sep, -1
				continue
			}
			if end == at || sep == 0 && (depth > 0 && !r.many || r.folder) || depth > 0 && r.many && !isDomain(above) && !isInitial(above, s[at:end]) { // no name, or the file itself
				break
			}
			above = s[at:end]
			out.WriteString(s[done:at])
			out.WriteString(replace(r, depth, s[at:end]))
			done, from, at = end, end, end+sep
		}
		r, at = nextRoot(s, from)
	}
	out.WriteString(s[done:])
	return out.String()
}
