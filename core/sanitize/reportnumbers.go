package sanitize

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"

	"crashglass/core/machine/cpu"
)

// withoutWords replaces numbers of 64 bits that are text by those of asterisks, on CPUs of 32 bits the values of registers and the words in rows,
// and leaves out the characters that a dump of memory has behind its words. GDB repeats numbers as decimal ones. Addresses of frames stay.
func withoutWords(s string, arch *cpu.Arch, stays func(uint64) bool) string {
	var out strings.Builder
	done, row := 0, 0 // words in a row
	for i := 0; i < len(s); {
		if !isHex(s[i]) || i > 0 && isWordByte(s[i-1]) {
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
		for end < len(s) && isHex(s[end]) {
			end++
		}
		digits := s[from:end]
		halves := len(digits) == 8 && strings.HasPrefix(s[end:], "`")
		if halves { // of WinDbg
			for end++; end < len(s) && isHex(s[end]); end++ {
			}
			digits += s[from+9 : end]
		}
		n := len(digits)
		v, err := strconv.ParseUint(digits, 16, 64)
		size := cpu.AMD64.Word
		short := n == 8 && arch != nil && arch.Word == 4 && (row > 0 || isRegister(s[:i], arch))
		if short {
			size = arch.Word
		}
		if n == 16 || n == 8 {
			row++
		}
		if err == nil && n%2 == 0 && (n == 16 || short || from > i && n > 8) && (end == len(s) || !isWordByte(s[end]) && s[end] != '-') {
			if isTextNumber(v, size, binary.LittleEndian) && !stays(v) {
				masked := strings.Repeat("2a", n/2)
				shown := masked
				if halves {
					shown = masked[:8] + "`" + masked[8:]
				}
				out.WriteString(s[done:from] + shown)
				done = end
				rest := strings.TrimLeft(s[end:], " \t")
				if decimal := strconv.FormatUint(v, 10); strings.HasPrefix(rest, decimal) {
					end = len(s) - len(rest)
					v, _ = strconv.ParseUint(masked, 16, 64)
					out.WriteString(s[done:end] + strconv.FormatUint(v, 10))
					end += len(decimal)
					done = end
				}
			}
		}
		if i = end; row > 1 && strings.HasPrefix(s[i:], "  ") && strings.TrimSpace(s[i:]) != "" && (row > 2 || !isCall(s[i:])) { // behind the words, their characters
			return out.String() + s[done:i] + s[len(strings.TrimRight(s, "\r\n")):]
		}
	}
	return out.String() + s[done:]
}

// isCall reports whether the rest of a line, behind two numbers, is what a line of WinDbg's stacks has there: "  dock!run+0x10e",
// "  : 00000000`00000000 : dock!run+0x10e".
func isCall(s string) bool {
	word, _, _ := strings.Cut(strings.TrimLeft(s, " "), " ")
	module, function, named := strings.Cut(word, "!")
	_, offset, _ := strings.Cut(word, "+0x")
	return word == ":" && strings.Contains(s, "`") || isNumber(word) && len(word) == 8 || isNumber(offset) || named && len(module) > 1 && len(function) > 1
}

// isNumber reports whether a text is one hexadecimal number of 64 bits.
func isNumber(s string) bool {
	_, err := strconv.ParseUint(s, 16, 64)
	return err == nil
}

// isRegister reports whether the last word of a text is the name of a register that may have any value: no program counter.
func isRegister(before string, arch *cpu.Arch) bool {
	before = strings.TrimRight(before, " \t:=")
	name := before[strings.LastIndexAny(before, " \t,;([{")+1:]
	reg, ok := arch.Reg(strings.ToLower(name))
	return ok && reg != arch.PC
}

// withoutLiterals leaves out the texts and characters that debuggers show for arguments, pointers and members: `name=0x5 "jane"`, `L"jane"`,
// `"jane", 'x' <repeats 20 times>, "doe"`, `{106 'j', 97 'a'}`. Names of threads stay, and those of functions: `operator"" _s`.
func withoutLiterals(s string) string {
	words := strings.TrimLeft(s, " \t*")
	if strings.HasPrefix(words, "Thread ") || strings.HasPrefix(words, "thread #") {
		return s
	}
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		switch before := s[done:i]; {
		case s[i] == '"' && strings.HasSuffix(before, "operator"):
			i++
		case s[i] == '"':
			end := stringEnd([]byte(s), i)
			out.WriteString(before + `""`)
			done, i = end, end-1
		case s[i] == '\'' && characterEnd(s, i) > 0:
			end := characterEnd(s, i)
			if n := len(before); n > 1 && before[n-1] == ' ' && isDigit(before[n-2]) { // its number
				before = strings.TrimRight(before[:n-1], "0123456789") + "0 "
			}
			out.WriteString(before + `' '`)
			done, i = end, end-1
		}
	}
	return out.String() + s[done:]
}

// characterEnd is the end of a character in quotation marks that begins at i, or 0: 'a', '\n', '\303'. Others are lifetimes of Rust.
func characterEnd(s string, i int) int {
	const longest = len(`'\x0000'`)
	n := strings.IndexByte(s[i+1:min(len(s), i+longest)], '\'')
	if strings.HasPrefix(s[i+1:], `\'`) {
		n = 2
	}
	if n < 1 || i+n+2 > len(s) || s[i+1] != '\\' && utf8.RuneCountInString(s[i+1:i+1+n]) != 1 {
		return 0
	}
	return i + n + 2
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
	isSyslog := colon >= len("Nov 23 05") && strings.Contains("JanFebMarAprMayJunJulAugSepOctNovDec", s[colon-9:colon-6]) && s[colon-3] == ' '
	if word <= colon || !ok || host == "" || strings.Trim(host, "0123456789") == "" || !strings.HasSuffix(program, ":") ||
		!isSyslog && !strings.HasSuffix(program, "]:") && program != "kernel:" {
		return s
	}
	return s[:word] + "host " + rest
}

// withoutNetworks replaces the numbers of networks: of IPv4, IPv6, and of network cards. A number of a version stays.
func withoutNetworks(s string) string {
	var out strings.Builder
	done := 0
	for i := 0; i < len(s); {
		if !isHex(s[i]) || i > 0 && (isWordByte(s[i-1]) || s[i-1] == '.') {
			i++
			continue
		}
		if next := i + len(noCard); next <= len(s) && s[i+2] == '-' && isCard(s[i:next]) && (next == len(s) || !isWordByte(s[next]) && s[next] != '-') {
			out.WriteString(s[done:i] + noCard)
			done, i = next, next
			continue
		}
		end := i
		inside := i > 0 && s[i-1] == ':' // only IPv4: "addr:203.0.113.7", "::ffff:203.0.113.7"
		for end < len(s) && (isHex(s[end]) || s[end] == '.' || s[end] == ':' && !inside) {
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
			} else if colon := strings.IndexByte(word, ':'); colon > 0 {
				end = i + colon + 1
			}
		}
		i = max(end, i+1)
	}
	return out.String() + s[done:]
}

// noCard stands for the number of a network card.
const noCard = "00-00-00-00-00-00"

// isCard reports whether a text is the number of a network card as Windows writes it.
func isCard(s string) bool {
	for i := range len(s) {
		if i%3 == 2 && s[i] != '-' || i%3 != 2 && !isHex(s[i]) {
			return false
		}
	}
	return true
}

// networkMask returns what stands for a number of a network, "" for other words.
func networkMask(before, word string) string {
	groups := strings.Split(word, ":")
	switch parts := strings.Split(word, "."); {
	case len(groups) == 6 && len(word) == 17:
		return "00:00:00:00:00:00"
	case len(groups) >= 4 && len(groups[0]) == 4 && (len(groups) == 8 || strings.Contains(word, "::") && strings.ContainsAny(groups[0], "0123456789")):
		return "::"
	case len(parts) == 4 && len(groups) == 1:
		for _, p := range parts {
			if n, err := strconv.ParseUint(p, 10, 8); err != nil || len(p) > 1 && p[0] == '0' || n == 0 && p != "0" {
				return ""
			}
		}
		lower := strings.ToLower(before)
		isVersion := strings.HasSuffix(strings.TrimRight(lower, " :=\""), "version")
		if strings.HasSuffix(before, "(") { // "lib.dylib (1.2.3.4)" of an image, "Version: 7 (1.2.3.4)"
			private := parts[0] == "10" || parts[0] == "192" && parts[1] == "168" || parts[0] == "172"
			isVersion = !private && (strings.Contains(lower, "version") || strings.HasPrefix(strings.TrimLeft(before, " \t"), "0x"))
		}
		if parts[0] == "0" || parts[0] == "127" || isVersion {
			return ""
		}
		return "0.0.0.0"
	}
	return ""
}
