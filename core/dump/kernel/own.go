package kernel

import (
	"encoding/json"

	"crashglass/core/dump/minidump"
	"crashglass/core/machine/cpu"
	"crashglass/core/process"
	"crashglass/core/process/module"
)

// tagOwn is the tag of the data that Crashglass adds to the small dumps that it writes: what their structures have no place for, as JSON.
var tagOwn = minidump.GUID{Data1: 0xb25e5b7a, Data2: 0x6d3c, Data3: 0x4f0e, Data4: [8]byte{0x9a, 0x61, 0x8c, 0x1f, 0x0d, 0x3e, 0x7a, 0x42}}

// facts are that data. A dump that was written from another one has no images of drivers, control blocks of processors and structures behind
// parameters, only what was read of them.
type facts struct {
	CPU      string             `json:"cpu,omitempty"`
	PID      *uint32            `json:"pid,omitempty"`
	Threads  []threadFacts      `json:"threads"`
	Drivers  []driverFacts      `json:"drivers"`
	Record   *record            `json:"record,omitempty"`
	Hardware []string           `json:"hardware,omitempty"`
	Holder   uint64             `json:"holder,omitempty"` // the start of the driver that holds a blocked request
	Deferred []process.DPCStack `json:"deferred,omitempty"`
	Removed  [][2]uint64        `json:"removed,omitempty"` // offsets and sizes of parts of the file whose bytes were removed
}

type threadFacts struct {
	Name      string    `json:"name,omitempty"`
	Registers registers `json:"registers"`
	Fault     registers `json:"fault,omitempty"`
}

type registers []register

type register struct {
	Name    string `json:"name"`
	Value   uint64 `json:"value"`
	Removed bool   `json:"removed,omitempty"`
	Text    bool   `json:"text,omitempty"` // a removed one was filled with characters
}

type driverFacts struct {
	Base      uint64      `json:"base"`
	DebugFile string      `json:"debug_file,omitempty"`
	DebugID   string      `json:"debug_id,omitempty"`
	Code      [][2]uint64 `json:"code,omitempty"` // offsets and sizes
	About     []string    `json:"about,omitempty"`
}

type record struct {
	Code       uint32   `json:"code"`
	Flags      uint32   `json:"flags"`
	Address    uint64   `json:"address"`
	Parameters []uint64 `json:"parameters,omitempty"`
}

// factsOf collects what a small dump has no place for.
func factsOf(p *process.Process, removed []process.Location) *facts {
	e := p.Event
	out := &facts{PID: p.PID, Hardware: e.Hardware, Holder: e.Driver, Deferred: e.Deferred, Threads: []threadFacts{}, Drivers: []driverFacts{}}
	if p.System != nil {
		out.CPU = p.System.CPU
	}
	for i := range p.Threads {
		t := &p.Threads[i]
		out.Threads = append(out.Threads, threadFacts{t.Name, named(t.Registers), named(t.Fault)})
	}
	for i := range p.Modules {
		m := &p.Modules[i]
		d := driverFacts{Base: m.Base, DebugFile: m.DebugFile, DebugID: m.DebugID}
		if m.Code != nil {
			d.Code = [][2]uint64{}
			for _, part := range *m.Code {
				d.Code = append(d.Code, [2]uint64{part.Start, part.Size})
			}
		}
		if e.About != nil {
			d.About = e.About(m.Base)
		}
		if d.DebugID != "" || d.Code != nil || d.About != nil {
			out.Drivers = append(out.Drivers, d)
		}
	}
	if x := e.Record; x != nil {
		out.Record = &record{x.Code, x.Flags, x.Address, x.Parameters}
	}
	for _, l := range removed {
		out.Removed = append(out.Removed, [2]uint64{l.RVA, l.Size})
	}
	return out
}

func named(r *process.Registers) registers {
	if r == nil {
		return nil
	}
	var out registers
	for i, name := range r.Arch.Regs {
		reg := cpu.Reg(i)
		v, known := r.Regs.Get(reg)
		if known || r.Removed.Has(reg) {
			out = append(out, register{name, v, r.Removed.Has(reg), r.Texts.Has(reg)})
		}
	}
	return out
}

// registers is the reverse of named.
func (r *reader) registers(list registers) *process.Registers {
	if len(list) == 0 {
		return nil
	}
	out := &process.Registers{Arch: r.Arch}
	for _, v := range list {
		reg, ok := r.Arch.Reg(v.Name)
		if !ok {
			continue
		}
		if v.Removed {
			out.Removed |= cpu.SetOf(reg)
		} else {
			out.Regs.Set(reg, v.Value&r.Arch.Mask())
		}
		if v.Text {
			out.Texts |= cpu.SetOf(reg)
		}
	}
	return out
}

// readOwn reads the data that another dump had.
func (r *reader) readOwn(at int64, size uint64) {
	const most = 16 << 20
	data, err := r.src.ReadUpTo("own data", at, min(size, most))
	r.Note(err)
	f := &facts{}
	if err := json.Unmarshal(data, f); err != nil {
		r.notef("own data", at, "is damaged: %v", err)
		return
	}
	f.Drivers = f.Drivers[:min(len(f.Drivers), mostDrivers)]
	r.own = f
	var removed []process.Location
	for _, l := range f.Removed {
		removed = append(removed, process.Location{RVA: l[0], Size: l[1]})
	}
	if removed != nil {
		r.Memory = r.Memory.Without(process.NewRemoved(removed))
	}
}

// useOwn takes over what is said of drivers, processors and the event.
func (r *reader) useOwn() {
	f := r.own
	r.System.CPU, r.PID = f.CPU, f.PID
	if f.CPU != "" {
		r.Lacks &^= process.CPUModel
	}
	for _, d := range f.Drivers {
		for i := range r.Modules {
			if m := &r.Modules[i]; m.Base == d.Base {
				d.identify(m)
			}
		}
	}
	for i, t := range f.Threads[:min(len(f.Threads), mostProcessors)] {
		r.Threads = append(r.Threads, process.Thread{ID: uint32(i), Name: t.Name, Registers: r.registers(t.Registers), Fault: r.registers(t.Fault)})
	}
	if len(r.Threads) == 0 { // damaged
		r.readProcessors()
	}
	r.Event.Hardware, r.Event.Driver, r.Event.Deferred = f.Hardware, f.Holder, f.Deferred
	if x := f.Record; x != nil {
		r.Event.Record = &process.Event{Code: x.Code, Flags: x.Flags, Address: x.Address, Parameters: x.Parameters}
	}
}

func (d *driverFacts) identify(m *module.Module) {
	m.DebugFile, m.DebugID = d.DebugFile, d.DebugID
	if d.Code == nil {
		return
	}
	m.Code = &module.Parts{}
	for _, part := range d.Code {
		*m.Code = append(*m.Code, module.Part{Start: part[0], Size: part[1]})
	}
}
