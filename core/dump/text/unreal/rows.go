package unreal

import (
	"strings"

	"crashglass/core/dump/text"
)

const maxFrames = 1 << 14

// rows reads the rows of a stack, each in a line or all in one: "Hangar-Win64-Shipping    0x00007ff6b2a40000 + 1004". The offset is in hex.
func rows(s string) (out []text.Frame) {
	for len(out) < maxFrames {
		name, rest, ok := strings.Cut(s, "0x")
		base, rest, hex := text.Hex(rest)
		plus, isRow := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "+")
		offset, next, also := text.Hex(strings.TrimLeft(plus, " \t"))
		if !ok {
			return out
		}
		if !hex || !isRow || !also {
			s = rest
			continue
		}
		name, s = strings.TrimSpace(name), next
		if _, last, several := text.CutLast(name, "\n"); several {
			name = strings.TrimSpace(last)
		}
		f := text.Frame{Address: base + offset}
		f.Names.Module = name
		if name != "" && name != "Unknown" && base != 0 {
			f.Image, f.Offset, f.HasOffset = name, offset, true
		}
		out = append(out, f)
	}
	return out
}

// named reads rows with names, "YetAnother!AActor::Tick(float) [d:\actor.cpp:288]", or with a module alone.
func named(s string) (out []text.Frame) {
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(line)
		if line == "" || len(out) >= maxFrames {
			continue
		}
		var f text.Frame
		n := &f.Names
		if at, rest, ok := strings.Cut(line, " "); ok && strings.HasPrefix(at, "0x") { // newer versions begin a row with its address
			f.Address, _, _ = text.Hex(at)
			line = rest
		}
		if before, source, ok := text.CutLast(line, " ["); ok && strings.HasSuffix(source, "]") {
			line = before
			if file, at := text.Source(strings.TrimSuffix(source, "]")); at > 0 {
				n.File, n.Line = file, at
			}
		}
		n.Module, n.Function, _ = strings.Cut(line, "!")
		if n.Function == "UnknownFunction" {
			n.Function = ""
		}
		out = append(out, f)
	}
	return out
}

// name gives rows the names of the functions, if both lists have the same modules.
func (r *properties) name(list []text.Frame) {
	names := named(r.Names)
	if len(names) != len(list) {
		return
	}
	for i := range list {
		if plain(names[i].Names.Module) != plain(list[i].Names.Module) {
			return
		}
	}
	for i := range list {
		n := &list[i].Names
		n.Function, n.File, n.Line = names[i].Names.Function, names[i].Names.File, names[i].Names.Line
	}
}

// plain is a module's name as both lists have it: one replaces what is no letter or digit, and adds an extension.
func plain(name string) string {
	name = strings.ToLower(name)
	for _, extension := range []string{".exe", ".dll", ".so"} {
		name = strings.TrimSuffix(name, extension)
	}
	return strings.ReplaceAll(name, "-", "_")
}
