package text

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// A Draft is a process in the making: frames name images by path, and bases and sizes of images follow
// from all frames.
type Draft struct {
	Process process.Process
	images  []*image
	byName  map[string]*image // by path, and by the last element of it
	inlined []process.Names   // calls that the next frame has inlined
	frames  int               // of all threads
	left    int               // threads and frames that are left out
}

// maxStated bounds the threads and the frames of one report. Reports of lines have fewer, but JSON has one in three bytes.
const maxStated = maxLines

// An Image is what a report says of a module.
type Image struct {
	Path    string // or name
	BuildID string // of ELF, in hex; "" when unknown
	DebugID string // as Breakpad writes it, for other formats
	CodeID  string
	Base    uint64
	HasBase bool
	Size    uint64 // 0 when unknown
	Offsets module.Offsets
}

type image struct {
	Image
	top    uint64 // the highest offset of a frame
	bases  map[uint64]int
	frames []place
}

// A place is a frame of a thread.
type place struct{ thread, frame int }

// A Frame is one frame of a report.
type Frame struct {
	Address    uint64 // 0 when the report has none
	Image      string // path or name, "" for none
	Offset     uint64 // in the image
	HasOffset  bool
	Return     bool // the address is behind a call
	Names      process.Names
	Interrupts bool // a signal struck here: the program counter is exact
	Inlined    bool // the call is inlined into the next frame that is not
}

// NewDraft begins a process of a kind.
func NewDraft(kind string) *Draft {
	return &Draft{
		Process: process.Process{
			Origin:  process.Origin{Kind: kind},
			Lacks:   process.Copy | process.Places | process.CPUModel | process.CPUCount | process.SystemVersion | process.SignalCode | process.Writer,
			Subject: -1,
		},
		byName: map[string]*image{},
	}
}

// System sets operating system and CPU. An unknown CPU is nil.
func (d *Draft) System(os process.OS, arch *cpu.Arch) {
	d.Process.System = &process.System{OS: os, Name: os.Name()}
	d.Process.Arch = arch
}

// PID sets the number of the process.
func (d *Draft) PID(n uint64) {
	id := uint32(n)
	d.Process.PID = &id
}

// Image adds an image, or what is said of it a second time.
func (d *Draft) Image(img Image) {
	m := d.image(img.Path)
	m.BuildID, m.DebugID, m.CodeID = cmp.Or(m.BuildID, strings.ToLower(img.BuildID)), cmp.Or(m.DebugID, img.DebugID), cmp.Or(m.CodeID, img.CodeID)
	m.Size, m.Offsets = max(m.Size, img.Size), max(m.Offsets, img.Offsets)
	if img.HasBase && !m.HasBase {
		m.Base, m.HasBase = img.Base, true
	}
}

// Rename gives the image at a base another path, for reports that name images in their frames otherwise than in their list.
func (d *Draft) Rename(base uint64, path string) {
	for _, m := range d.images {
		if m.HasBase && m.Base == base && d.byName[path] == nil {
			m.Path, d.byName[path] = path, m
		}
	}
}

// Program makes the image of the program the first one, if there is one with its path or its name.
func (d *Draft) Program(path string) {
	m := d.byName[path]
	if m == nil {
		m = d.byName[module.Basename(path)]
	}
	if at := slices.Index(d.images, m); at > 0 {
		copy(d.images[1:at+1], d.images[:at])
		d.images[0] = m
	}
}

const maxImages = 1 << 13

// image finds an image by its path. A name without folders is that of the first path that ends with it.
func (d *Draft) image(path string) *image {
	name := module.Basename(path)
	if m, ok := d.byName[path]; ok {
		return m
	}
	if m, ok := d.byName[name]; ok && (m.Path == name || path == name) {
		if m.Path == name {
			m.Path = path
		}
		d.byName[path] = m
		return m
	}
	m := &image{Image: Image{Path: path}, bases: map[uint64]int{}}
	if len(d.images) < maxImages {
		d.images, d.byName[path] = append(d.images, m), m
		if d.byName[name] == nil {
			d.byName[name] = m
		}
	}
	return m
}

// Thread begins a thread. Frames belong to the last one.
func (d *Draft) Thread(t process.Thread) {
	if len(d.Process.Threads) == maxStated {
		d.left++
		return
	}
	d.Process.Threads = append(d.Process.Threads, t)
}

// Frame adds a frame to the last thread.
func (d *Draft) Frame(f Frame) {
	if len(d.Process.Threads) == 0 {
		d.Thread(process.Thread{})
	}
	if d.frames == maxStated || d.left > 0 {
		d.left++
		return
	}
	d.frames++
	if f.Inlined {
		d.inlined = append(d.inlined, f.Names)
		return
	}
	t := &d.Process.Threads[len(d.Process.Threads)-1]
	out := process.Frame{ReturnAddress: f.Address, Instruction: f.Address, Interrupted: f.Interrupts}
	if f.Image != "" && f.HasOffset {
		m := d.image(f.Image)
		m.top = max(m.top, f.Offset)
		if f.Address != 0 {
			m.bases[f.Address-f.Offset]++
		}
		m.frames = append(m.frames, place{len(d.Process.Threads) - 1, len(t.Frames)})
		out.Instruction = f.Offset
	}
	if f.Return {
		out.Instruction--
	}
	names := f.Names
	names.Module = cmp.Or(names.Module, module.Basename(f.Image))
	names.Inlines, d.inlined = d.inlined, nil
	if f.Address == 0 {
		names.Place = process.Relative
		if !f.HasOffset {
			names.Place, out.Instruction = process.Unplaced, 0
		}
	}
	out.Stated = &names
	t.Frames = append(t.Frames, out)
}

// madeUp is where images without a base are laid out: above the addresses of every CPU's user mode.
const madeUp = 1 << 56

// Finish lays out the images and returns the process.
func (d *Draft) Finish() *process.Process {
	if d.left > 0 {
		d.Process.Odd("report", fmt.Sprintf("has too many threads or frames: %d are left out behind %d", d.left, len(d.Process.Threads)+d.frames))
	}
	if d.Process.Subject >= len(d.Process.Threads) {
		d.Process.Subject = -1
	}
	next := uint64(madeUp)
	var modules []module.Module
	for _, m := range d.images {
		floating := false
		if !m.HasBase {
			m.Base, m.HasBase = m.likely()
		}
		size := max(m.Size, m.top+1)
		if !m.HasBase {
			m.Base, floating = next, true
			next += (size + 0xffff) &^ 0xffff
		}
		for _, p := range m.frames {
			f := &d.Process.Threads[p.thread].Frames[p.frame]
			if f.Instruction += m.Base; !floating {
				f.Stated.Place = process.Absolute
			}
			if f.ReturnAddress == 0 {
				f.ReturnAddress = f.Instruction
			}
		}
		modules = append(modules, m.module(size, floating))
	}
	d.Process.SetModules(modules)
	return &d.Process
}

// likely is the base that most frames agree on.
func (m *image) likely() (base uint64, ok bool) {
	most := 0
	for b, n := range m.bases {
		if n > most || n == most && b < base {
			base, most = b, n
		}
	}
	return base, most > 0
}

func (m *image) module(size uint64, floating bool) module.Module {
	out := module.Module{Base: m.Base, Size: size, CodeFile: m.Path, DebugFile: m.Path, Floating: floating, Offsets: m.Offsets}
	id, err := hex.DecodeString(m.BuildID)
	out.SetBuildID(id, binary.LittleEndian)
	if err != nil || len(id) == 0 {
		out.CodeID, out.DebugID = m.CodeID, m.DebugID
		out.ByName = m.CodeID == "" && m.DebugID == ""
	}
	return out
}

// Note records a defect at a line.
func (d *Draft) Note(l *Lines, format string, args ...any) {
	if len(d.Process.Notes) < maxNotes {
		d.Process.Note(l.Fault(d.Process.Origin.Kind, fmt.Sprintf("line %d: ", l.Number())+fmt.Sprintf(format, args...)))
	}
}

const maxNotes = 64

// Annotate adds a fact under a name, once.
func (d *Draft) Annotate(name, value string) {
	if value = strings.TrimSpace(value); value == "" {
		return
	}
	a := process.Annotation{Name: name, Value: value, Source: d.Process.Origin.Kind}
	if !slices.Contains(d.Process.Annotations, a) {
		d.Process.Annotations = append(d.Process.Annotations, a)
	}
}
