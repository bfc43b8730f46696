package signature

import (
	"strconv"
	"strings"

	"crashglass/core/process/module"
	"crashglass/core/report"
)

// frames returns the first frames of a thread, with inlined calls as frames of their own. On
// Windows the case of a module's name does not matter.
func frames(t *report.Thread, windows bool) []string {
	var list []string
	for i := range t.Frames {
		f := &t.Frames[i]
		for _, inline := range f.Inlines {
			list = append(list, marked(written(f, inline.Function, inline.File, inline.Line, windows), inline.Function, f.Mark(true)))
		}
		list = append(list, marked(written(f, f.Function, f.File, f.Line, windows), f.Function, f.Mark(false)))
		if len(list) >= mostFrames {
			return list[:mostFrames]
		}
	}
	return list
}

// marked puts a mark before a frame that is written as a function.
func marked(frame string, function *string, mark string) string {
	if text(function) == "" {
		return frame
	}
	return mark + frame
}

// written returns one frame as a signature has it: its function, or else its line, or else its
// module and offset.
func written(f *report.Frame, function, file *string, line *uint32, windows bool) string {
	if name := text(function); name != "" {
		if isRust(text(file)) {
			return rustFunction(name)
		}
		return cppFunction(name)
	}
	if file := module.Basename(strings.TrimRight(text(file), `/\`)); file != "" && line != nil && *line != 0 {
		return file + "#" + strconv.FormatUint(uint64(*line), 10)
	}
	module := text(f.Module)
	if windows {
		module = strings.ToLower(module)
	}
	if module == "" {
		return outside(f)
	}
	return module + "@" + offset(f.ModuleOffset)
}

// isRust reports whether a frame is Rust, by its file.
func isRust(file string) bool { return strings.HasSuffix(module.SourcePath(file), ".rs") }

// outside returns a frame that is in no loaded module: in an unloaded one, or in none.
func outside(f *report.Frame) string {
	if len(f.Unloaded) == 0 || f.Unloaded[0].Module == "" {
		return "@" + offset(&f.Offset)
	}
	gone := f.Unloaded[0]
	if len(gone.Offsets) == 0 {
		return "(unloaded " + gone.Module + ")"
	}
	return "(unloaded " + gone.Module + "@" + offset(&gone.Offsets[0]) + ")"
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// offset returns an address without leading zeros.
func offset(a *report.Address) string {
	if a == nil {
		return "0x0"
	}
	digits := strings.TrimLeft(strings.TrimPrefix(string(*a), "0x"), "0")
	if digits == "" {
		digits = "0"
	}
	return "0x" + digits
}
