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
	many   bool     // a number may follow its own folders, and the domain of a Windows network may precede the name
}

// roots are those of each system.
//
// Sources: hier(7) of Linux and FreeBSD; filesystem(5) of Solaris;
// file-hierarchy(7) and udisks(8) for /media, /run/media and /run/user; ostree
// for /var/home; Apple's File System Programming Guide for /Users and /Volumes;
// Microsoft's Known Folder IDs (FOLDERID_UserProfiles) for Users, before Vista
// Documents and Settings in the words of each language, before 2000 WINNT\Profiles, and WINDOWS\Profiles in
// Windows 9x; smb.conf(5), template homedir, for /home/%D/%U, which winbind uses; crontab(1) and mail(1) of
// Debian and the BSDs.
var roots = eachOf([]root{
	{at: "home", masks: []string{maskedUser, maskedUser}, person: true, many: true},
	{at: "users|homes|nethome", masks: []string{maskedUser}, person: true},
	{at: "usr/people", masks: []string{maskedUser}, person: true}, // IRIX
	{at: "export/home", masks: []string{maskedUser, maskedUser}, person: true, many: true},
	{at: "export/users", masks: []string{maskedUser}, person: true},
	{at: "export", top: true, masks: []string{maskedUser}, person: true},
	{at: "profiles|profile|profil", top: true, masks: []string{maskedUser}, person: true}, // of a server, or moved to another drive
	{at: "home$|homes$|users$|profiles$", masks: []string{maskedUser}, person: true},
	{at: "run/media|media", top: true, masks: []string{maskedUser, "volume"}, person: true},
	{at: "run/user", top: true, masks: []string{maskedUser}},
	{at: "volumes", top: true, masks: []string{"volume"}},
	{at: "documents and settings|dokumente und einstellungen|documents et paramètres|documentos e configurações|documentos e definições|" +
		"documentos y configuración|documenti e impostazioni|documenten en instellingen|dokument och inställningar|dokumenter og indstillinger|" +
		"dokumenter og innstillinger|dokumenty i ustawienia|документы и настройки|belgeler ve ayarlar", masks: []string{maskedUser}, person: true},
	{at: "winnt/profiles|windows/profiles|library/managed preferences", masks: []string{maskedUser}, person: true},
	{at: "var/mail|var/spool/mail|var/spool/cron/crontabs|var/cron/tabs", masks: []string{maskedUser}, person: true},
	{at: "afs", top: true, masks: []string{"cell"}},
	{at: "user/?/?|user/?", masks: []string{maskedUser}, person: true}, // of AFS, by initials
	{at: "~", begins: true, masks: []string{maskedUser}, person: true},
	{at: "onedrive - |onedrive-", masks: []string{"company"}, begins: true},
	{at: "googledrive-", masks: []string{"account"}, begins: true},
	{at: "dropbox (", masks: []string{"company)"}, begins: true},
	{at: "device/mup", top: true, masks: []string{"server", "share"}}, // \\server\share as the kernel of Windows names it
}, func(r *root) *string { return &r.at })

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
		sep := slashes(s[n:])
		n += sep
		if sep == 0 || len(s)-n < len(part) || !strings.EqualFold(s[n:n+len(part)], part) && (part != "?" || !isLetter(s[n])) {
			return 0, false
		}
		n += len(part)
	}
	for r.many && n < len(s) && isDigit(s[n]) {
		n++
	}
	sep := slashes(s[n:])
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

// slash is the length of a separator at the beginning of a text, or 0.
func slash(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '/', s[0] == '\\':
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

// isHomeShare reports whether a share of a server has the folders of people.
func isHomeShare(name string) bool {
	return slices.ContainsFunc(roots, func(r root) bool { return r.person && strings.EqualFold(r.at, name) })
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
	for i := 0; i < min(len(s), longestName); i++ {
		if s[i] == '%' && slash(s[i:]) > 0 {
			s = s[:i]
		}
	}
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

// isDomain reports whether a name is written as that of a Windows network: "CORP".
func isDomain(name string) bool {
	return len(name) > 1 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == "" && strings.Trim(name, "0123456789-") != ""
}

// eachName replaces the names below roots in a text.
func eachName(s string, replace func(r *root, depth int, name string) string) string {
	var out strings.Builder
	done := 0
	for r, at := nextRoot(s, 0); r != nil; {
		before := s[max(0, at-longestName):at]
		windows := strings.Contains(before, `\`) || strings.Contains(before, ":/")
		from, above := at, ""
		for depth := range r.masks {
			end := at + nameEnd(s[at:], windows)
			sep := slashes(s[end:])
			if end == at || depth > 0 && (sep == 0 && !r.many || r.many && !isDomain(above)) { // no name, or the file itself
				break
			}
			above = s[at:end]
			if r == &network && depth == 1 && isHomeShare(s[at:end]) { // a root of its own
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
