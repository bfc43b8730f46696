package sanitize

import (
	"encoding/binary"
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"
)

func isHexDigit(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// withoutWords replaces numbers of 64 bits that are text by those of asterisks, and leaves out the characters that a dump of memory has behind
// its words. Addresses of frames stay.
func withoutWords(s string, stays func(uint64) bool) string {
	var out strings.Builder
	done, row := 0, 0 // words in a row
	for i := 0; i < len(s); {
		if !isHexDigit(s[i]) || i > 0 && isWordByte(s[i-1]) {
			if s[i] != ' ' {
				row = 0
			}
			i++
			continue
		}
		from, end := i, i
		if strings.HasPrefix(s[i:], "0x") {
			from, end = i+2, i+2
		}
		for end < len(s) && isHexDigit(s[end]) {
			end++
		}
		n := end - from
		v, err := strconv.ParseUint(s[from:end], 16, 64)
		if err == nil && n%2 == 0 && (n == 16 || from > i && n > 8) && (end == len(s) || !isWordByte(s[end]) && s[end] != '-') {
			if isTextNumber(v, cpu.AMD64.Word, binary.LittleEndian) && !stays(v) {
				out.WriteString(s[done:from] + strings.Repeat("2a", n/2))
				done = end
			}
		}
		if n == 16 || n == 8 {
			row++
		}
		if i = end; row > 1 && strings.HasPrefix(s[i:], "  ") && strings.TrimSpace(s[i:]) != "" { // behind the words, their characters
			return out.String() + s[done:i] + s[len(strings.TrimRight(s, "\r\n")):]
		}
	}
	return out.String() + s[done:]
}

// withoutLiterals leaves out the texts that GDB shows for pointers and members: `name=0x5 "jane"`, `name = "jane"...`.
func withoutLiterals(s string) string {
	var out strings.Builder
	done := 0
	for i := 1; i < len(s); i++ {
		if s[i] != '"' {
			continue
		}
		before := strings.TrimRight(s[done:i], " ")
		word := before[strings.LastIndexAny(before, " =(,{")+1:]
		if !strings.HasPrefix(word, "0x") && !strings.HasSuffix(before, "=") {
			continue
		}
		end := stringEnd([]byte(s), i)
		out.WriteString(s[done:i] + `""`)
		done, i = end, end-1
	}
	return out.String() + s[done:]
}

// withoutHost replaces the name of the machine between the time of a line of syslog and the name of the program:
// "Nov 23 05:09:58 janes-pc dock[12]: ", "2026-11-23T05:09:58+0100 janes-pc kernel: ".
func withoutHost(s string) string {
	colon := strings.IndexByte(s, ':')
	if colon < 0 || colon > 20 || colon+5 > len(s) || !isDigit(s[colon+1]) || s[colon+3] != ':' {
		return s
	}
	word := strings.IndexByte(s[colon:], ' ') + colon + 1
	host, rest, ok := strings.Cut(s[word:], " ")
	program, _, _ := strings.Cut(rest, " ")
	if word <= colon || !ok || host == "" || strings.Trim(host, "0123456789") == "" || !strings.HasSuffix(program, ":") || !strings.HasSuffix(program, "]:") && program != "kernel:" {
		return s
	}
	return s[:word] + "host " + rest
}

// withoutNetworks replaces the numbers of networks: of IPv4, IPv6, and of network cards. A number of a version stays.
func withoutNetworks(s string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); {
		if !isHexDigit(s[i]) || i > 0 && (isWordByte(s[i-1]) || s[i-1] == '.' || s[i-1] == ':') {
			i++
			continue
		}
		end := i
		for end < len(s) && (isHexDigit(s[end]) || s[end] == ':' || s[end] == '.') {
			end++
		}
		word := strings.TrimRight(s[i:end], ":.")
		if port := strings.LastIndexByte(word, ':'); port > 0 && strings.Contains(word[:port], ".") {
			word = word[:port]
		}
		if next := i + len(word); next == len(s) || !isWordByte(s[next]) {
			if mask := networkMask(s[:i], word); mask != "" {
				out.WriteString(s[done:i] + mask)
				done = next
			}
		}
		i = max(end, i+1)
	}
	return out.String() + s[done:]
}

// networkMask returns what stands for a number of a network, "" for other words.
func networkMask(before, word string) string {
	groups := strings.Split(word, ":")
	switch parts := strings.Split(word, "."); {
	case len(groups) == 6 && len(word) == 17:
		return "00:00:00:00:00:00"
	case len(groups) >= 4 && (strings.Contains(word, "::") || len(groups) == 8) && len(groups[0]) == 4 && strings.ContainsAny(groups[0], "0123456789"):
		return "::"
	case len(parts) == 4 && len(groups) == 1:
		for _, p := range parts {
			if n, err := strconv.ParseUint(p, 10, 8); err != nil || len(p) > 1 && p[0] == '0' || n == 0 && p != "0" {
				return ""
			}
		}
		private := parts[0] == "10" || parts[0] == "192" && parts[1] == "168" || parts[0] == "172"
		lower := strings.ToLower(before)
		if parts[0] == "0" || parts[0] == "127" || strings.HasSuffix(strings.TrimRight(lower, " :=\""), "version") || !private && strings.HasSuffix(before, "(") {
			return ""
		}
		return "0.0.0.0"
	}
	return ""
}
