package minidump

import "errors"

// Details of a record for programs that show a stream: a thread with its registers, a module with
// its identity. The readers of single streams keep these apart, because other packages need them
// apart.

// A Register is a register, or another part of a context, by name.
type Register struct {
	Name  string
	Value uint64
}

// A Registers is a context in full.
type Registers struct {
	Registers []Register
	State     []Register // registers that stack walks do not use: segments, debug registers, flags
	Vectors   []Blob     // floating-point and vector state, as in the file
}

// A Blob is bytes with a name.
type Blob struct {
	Name string
	Data []byte
}

// A ThreadDetail is a thread with its registers.
type ThreadDetail struct {
	Thread
	Registers
}

func (f *File) threadDetails() ([]ThreadDetail, error) {
	var d damage
	list, err := f.Threads()
	if err != nil {
		d.add(err)
	}
	sys, _ := f.SystemInfo() // its defects are reported with its own stream
	var out []ThreadDetail
	for _, t := range list {
		regs, regErr := f.registers(t.Context, sys)
		out = append(out, ThreadDetail{t, regs})
		if regErr != nil {
			d.add(regErr)
		}
	}
	if d.more == 0 {
		return out, d.first
	}
	return out, d.err()
}

// An ExceptionDetail is the exception with its registers.
type ExceptionDetail struct {
	Exception
	Registers
}

func (f *File) exceptionDetails() (*ExceptionDetail, error) {
	e, err := f.Exception()
	if e == nil {
		return nil, err
	}
	sys, _ := f.SystemInfo()
	regs, regErr := f.registers(e.Context, sys)
	return &ExceptionDetail{*e, regs}, errors.Join(err, regErr)
}

// registers reads a context in full. A thread may have none.
func (f *File) registers(loc Location, sys *SystemInfo) (Registers, error) {
	if loc.Size == 0 {
		return Registers{}, nil
	}
	ctx, err := f.Context(loc, sys)
	if ctx.Arch == nil {
		return Registers{}, err
	}
	var out Registers
	for reg, v := range ctx.Regs.All() {
		out.Registers = append(out.Registers, Register{ctx.Arch.RegName(reg), v})
	}
	out.State, out.Vectors = ctx.Rest(f.order)
	return out, err
}

// A ModuleDetail is a module with its ids.
type ModuleDetail struct {
	ModuleRecord
	CodeID      string
	DebugName   string // of the file with debug information
	DebugID     string
	FileVersion string // "6.1.7601.17514"
}

func (f *File) moduleDetails() ([]ModuleDetail, error) {
	records, err := f.ModuleRecords()
	platform := f.platform()
	var out []ModuleDetail
	for i := range records {
		m := records[i].Module(platform)
		out = append(out, ModuleDetail{records[i], m.CodeID, m.DebugFile, m.DebugID, m.Version})
	}
	return out, err
}

// A SystemDetail is the system info with its union as text.
type SystemDetail struct {
	SystemInfo
	CPUInfo string
	Vendor  string // of an x86 processor: "GenuineIntel"
}

func (f *File) systemDetails() (*SystemDetail, error) {
	s, err := f.SystemInfo()
	if s == nil {
		return nil, err
	}
	d := &SystemDetail{SystemInfo: *s, CPUInfo: s.CPUInfo()}
	if s.Processor == ProcessorX86 {
		d.Vendor = s.vendor()
	}
	return d, err
}
