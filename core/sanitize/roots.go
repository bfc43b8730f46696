package sanitize

import (
	"slices"
	"strings"
)

// A root is a folder whose subfolders have the names of people, or of something that identifies
// one: a volume, a server, an employer.
type root struct {
	at     string   // its own folders, with / for any run of / and \
	masks  []string // the mask of each folder below it
	person bool     // the first of them is a person's name
	top    bool     // it must begin a path, because other folders have such names, too
	begins bool     // the name is in the same folder: "OneDrive - Contoso"
}

// roots are those of each system.
//
// Sources: hier(7) of Linux and FreeBSD; filesystem(5) of Solaris;
// file-hierarchy(7) and udisks(8) for /media, /run/media and /run/user; ostree
// for /var/home; Apple's File System Programming Guide for /Users and /Volumes;
// Microsoft's Known Folder IDs (FOLDERID_UserProfiles) for Users, before Vista
// Documents and Settings in the words of each language, before 2000 WINNT\Profiles.
var roots = []root{
	{at: "home", masks: []string{maskedUser}, person: true},
	{at: "users", masks: []string{maskedUser}, person: true},
	{at: "run/media", top: true, masks: []string{maskedUser, "volume"}, person: true},
	{at: "media", top: true, masks: []string{maskedUser, "volume"}, person: true},
	{at: "run/user", top: true, masks: []string{maskedUser}},
	{at: "volumes", top: true, masks: []string{"volume"}},

	{at: "documents and settings", masks: []string{maskedUser}, person: true},
	{at: "dokumente und einstellungen", masks: []string{maskedUser}, person: true},
	{at: "documents et paramètres", masks: []string{maskedUser}, person: true},
	{at: "documentos e configurações", masks: []string{maskedUser}, person: true},
	{at: "documentos e definições", masks: []string{maskedUser}, person: true},
	{at: "documentos y configuración", masks: []string{maskedUser}, person: true},
	{at: "documenti e impostazioni", masks: []string{maskedUser}, person: true},
	{at: "documenten en instellingen", masks: []string{maskedUser}, person: true},
	{at: "dokument och inställningar", masks: []string{maskedUser}, person: true},
	{at: "dokumenter og indstillinger", masks: []string{maskedUser}, person: true},
	{at: "dokumenter og innstillinger", masks: []string{maskedUser}, person: true},
	{at: "dokumenty i ustawienia", masks: []string{maskedUser}, person: true},
	{at: "документы и настройки", masks: []string{maskedUser}, person: true},
	{at: "belgeler ve ayarlar", masks: []string{maskedUser}, person: true},
	{at: "winnt/profiles", masks: []string{maskedUser}, person: true},

	{at: "onedrive - ", masks: []string{"company"}, begins: true},
	{at: "onedrive-", masks: []string{"company"}, begins: true},
	{at: "googledrive-", masks: []string{"account"}, begins: true},
	{at: "dropbox (", masks: []string{"company)"}, begins: true},

	{at: "device/mup", top: true, masks: []string{"server", "share"}}, // \\server\share as the kernel of Windows names it
}

// network is \\server\share, and \\?\UNC\server\share.
var network = root{masks: []string{"server", "share"}}

// nobodys are names below roots that belong to no person.
var nobodys = []string{
	"Public", "Shared", "Default", "All Users", "Default User", "root", "user", "runner", "builder", "Guest",
	"Macintosh HD", "volume", "server", "share", "company", "company)", "account",
	"?", ".", "UNC", "wsl$", "wsl.localhost", "localhost", "tsclient", "pipe",
}

func isNobodys(name string) bool {
	return slices.ContainsFunc(nobodys, func(s string) bool { return strings.EqualFold(s, name) })
}

// matches returns the length of a root at the beginning of a text, including its separators. They
// are doubled in a literal of a program or of JSON.
func (r *root) matches(s string) (n int, ok bool) {
	for part := range strings.SplitSeq(r.at, "/") {
		sep := separators(s[n:])
		n += sep
		if sep == 0 || len(s)-n < len(part) || !strings.EqualFold(s[n:n+len(part)], part) {
			return 0, false
		}
		n += len(part)
	}
	sep := separators(s[n:])
	return n + sep, sep > 0 || r.begins
}

// separators counts the separators at the beginning of a text.
func separators(s string) int { return len(s) - len(strings.TrimLeft(s, `/\`)) }

// nextRoot finds the next root in a text, and the start of the names below it.
func nextRoot(s string, from int) (r *root, below int) {
	for i := from; i < len(s); i++ {
		n := separators(s[i:])
		if n == 0 {
			continue
		}
		if isNetwork(s[:i], s[i:i+n]) {
			return &network, i + n
		}
		for at := range roots {
			if r := &roots[at]; !r.top || !endsName(s[:i]) {
				if n, ok := r.matches(s[i:]); ok {
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

// isNetwork reports whether separators begin the name of a server: two backslashes, or four in a
// literal, and not within a path.
func isNetwork(before, seps string) bool {
	if strings.HasSuffix(before, "UNC") || strings.HasSuffix(before, "unc") {
		return strings.Trim(seps, `\`) == ""
	}
	return (seps == `\\` || seps == `\\\\`) && (before == "" || strings.ContainsAny(before[len(before)-1:], " \"'=(,;\n\x00\t"))
}

// longestName is the maximum length of a name in a path.
const longestName = 128

// nameEnd returns the end of a folder's name. A name that another folder follows may contain
// spaces: on Windows in any case, elsewhere only if each word begins with a capital letter, as in
// "Jane Doe" but not in "/home/jane or /tmp".
func nameEnd(s string, windows bool) int {
	end := strings.IndexAny(s, "/\\\"<>|:*?\n\r\t\x00")
	if end >= 0 && end <= longestName && (s[end] == '/' || s[end] == '\\') && (windows || areCapital(s[:end])) {
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

// eachName replaces the names below roots in a text.
func eachName(s string, replace func(r *root, depth int, name string) string) string {
	var out strings.Builder
	done := 0
	for r, at := nextRoot(s, 0); r != nil; {
		before := s[max(0, at-longestName):at]
		windows := strings.Contains(before, `\`) || strings.Contains(before, ":/")
		from := at
		for depth := range r.masks {
			end := at + nameEnd(s[at:], windows)
			sep := separators(s[end:])
			if end == at || depth > 0 && sep == 0 { // no name, or the file itself
				break
			}
			out.WriteString(s[done:at])
			out.WriteString(replace(r, depth, s[at:end]))
			done, from, at = end, end, end+sep
		}
		r, at = nextRoot(s, from)
	}
	out.WriteString(s[done:])
	return out.String()
}
