package pe

import (
	"fmt"
	"sync"

	"crashglass/core/base/bin"
	"crashglass/core/base/recent"
)

// Operations of x64 unwind codes. Source: x64 exception handling,
// "Unwind operation code"; version 2 has EPILOG where version 1 had a way to
// save half of an XMM register.
const (
	opPushNonvol    = 0
	opAllocLarge    = 1
	opAllocSmall    = 2
	opSetFPReg      = 3
	opSaveNonvol    = 4
	opSaveNonvolFar = 5
	opEpilog        = 6
	opSpare         = 7
	opSaveXMM       = 8
	opSaveXMMFar    = 9
	opPushMachframe = 10
)

// versionAPX has another layout behind the first byte: its operations are of one
// to five bytes, those of epilogs have a list of their own, and registers go up to
// r31. Read as version 1 it would be other operations. Source: x64 unwind
// information v3, which calls itself a preview that may still change.
const versionAPX = 3

// flagChained is UNW_FLAG_CHAININFO.
const flagChained = 4

// An unwindInfo is an UNWIND_INFO: what the prolog of a run of code does, last
// instruction first.
type unwindInfo struct {
	of       entry
	version  uint8
	flags    uint8
	prolog   uint8 // size in bytes
	frameReg uint8 // 0 when there is none
	frameOff int64 // from the stack pointer in the frame to the frame register
	codes    []unwindCode
	parent   entry // where chained

	// Of version 2: how many bytes from the first pop to the end of the last
	// instruction each epilog has, and how far before the end of the code each
	// begins.
	epilogSize uint8
	epilogs    []uint32
}

func (u *unwindInfo) chained() bool { return u.flags&flagChained != 0 }

// An unwindCode is one step of a prolog.
type unwindCode struct {
	at   uint8 // offset of the instruction behind it
	op   uint8
	info uint8
	arg  uint32 // a size or an offset in bytes
}

// unwindCodes names the records in errors.
const unwindCodes = "unwind codes"

// maxUnwindInfo is the size of the longest UNWIND_INFO, without what a handler has.
const maxUnwindInfo = 4 + 2*256 + 12

func (f *File) unwindInfo(e entry) (*unwindInfo, error) {
	const what = unwindCodes
	size := uint64(maxUnwindInfo)
	if f.opt.Mapped { // memory that is read stays in a sanitized dump
		if head, err := f.readUpTo(what, uint64(e.data), 4); err == nil && len(head) == 4 {
			size = 4 + (2*uint64(head[2])+3)&^3 + 12*uint64(head[0]>>3&flagChained/flagChained)
		}
	}
	data, err := f.readUpTo(what, uint64(e.data), size)
	if err != nil {
		return nil, e.in(what, err)
	}
	off, _, _ := f.offset(uint64(e.data))
	c := bin.NewCursor(what, off, data)
	u := &unwindInfo{of: e}
	b := c.U8()
	u.version, u.flags = b&7, b>>3
	u.prolog = c.U8()
	count := int(c.U8())
	b = c.U8()
	u.frameReg, u.frameOff = b&15, int64(b>>4)*16
	switch u.version {
	case 1, 2:
	case versionAPX:
		c.Fail("version 3, for registers of APX, is not read: its layout is not final")
	default:
		c.Fail("version %d is neither 1 nor 2", u.version)
	}
	slots := bin.NewCursor(what, c.Offset(), c.Bytes(2*count))
	if count&1 != 0 {
		c.Skip(min(2, c.Len()))
	}
	if u.chained() {
		u.parent = entry{c.U32(), c.U32(), c.U32()}
	}
	if err := c.Err(); err != nil {
		return nil, e.in(what, err)
	}
	u.readCodes(slots)
	if err := slots.Err(); err != nil {
		return nil, e.in(what, err)
	}
	return u, nil
}

func (u *unwindInfo) readCodes(c *bin.Cursor) {
	if u.version == 2 {
		u.readEpilogs(c)
	}
	u.codes = make([]unwindCode, 0, c.Len()/2)
	for c.Len() > 0 && c.Err() == nil {
		code := unwindCode{at: c.U8()}
		b := c.U8()
		code.op, code.info = b&15, b>>4
		switch code.op {
		case opPushNonvol, opSetFPReg, opPushMachframe:
		case opAllocSmall:
			code.arg = 8*uint32(code.info) + 8
		case opAllocLarge:
			if code.info == 0 {
				code.arg = 8 * uint32(c.U16())
			} else {
				code.arg = c.U32()
			}
		case opSaveNonvol:
			code.arg = 8 * uint32(c.U16())
		case opSaveNonvolFar:
			code.arg = c.U32()
		case opEpilog, opSaveXMM: // vector registers are not followed
			c.Skip(2)
		case opSpare, opSaveXMMFar:
			c.Skip(4)
		default:
			c.Fail("operation %d is not known", code.op)
		}
		u.codes = append(u.codes, code)
	}
}

// readEpilogs reads the epilogs in front of the codes of version 2: the first
// has their size, and a flag for one that ends the code; the others have
// twelve bits of distance from the end, 0 for one that fills up a pair.
func (u *unwindInfo) readEpilogs(c *bin.Cursor) {
	u.epilogs = make([]uint32, 0, c.Len()/2)
	for first := true; c.Len() >= 2; first = false {
		here := *c
		low, b := c.U8(), c.U8()
		if b&15 != opEpilog {
			*c = here
			return
		}
		distance := uint32(low) | uint32(b>>4)<<8
		if first {
			u.epilogSize = low
			distance = uint32(low) * uint32(b>>4&1)
		}
		if distance != 0 {
			u.epilogs = append(u.epilogs, distance)
		}
	}
}

// maxChain is how many records are followed, as in Windows.
const maxChain = 32

// A procedure is a run of code with its unwind records: its own first, and
// that of the whole function last.
type procedure struct {
	entry
	chain []*unwindInfo
	own   [1]*unwindInfo // room for most chains
}

// root is the function that the code is a part of.
func (p *procedure) root() entry { return p.chain[len(p.chain)-1].of }

// records are the latest ones that others are chained to: thousands of entries may share a chain.
type records struct {
	sync.Mutex
	recent.Cache[entry, *unwindInfo]
}

// The memory of a record and of each of its codes, and how much of it one unit of work reads.
const (
	recordCost = 256
	codeCost   = 8
	costOfUnit = 4
)

// record reads the record of an entry, and keeps one that another one is chained to.
func (f *File) record(e entry, parent bool) (*unwindInfo, error) {
	f.records.Lock()
	defer f.records.Unlock()
	if u, ok := f.records.Get(e); ok {
		return u, nil
	}
	u, err := f.unwindInfo(e)
	if err != nil {
		return nil, err
	}
	cost := recordCost + codeCost*len(u.codes)
	f.work.Spend(int64(cost / costOfUnit))
	if parent {
		f.records.Put(e, u, cost)
	}
	return u, nil
}

// steps is how many codes the procedure has, all of which may have to be undone at an address.
func (p *procedure) steps() (n int) {
	for _, u := range p.chain {
		n += len(u.codes)
	}
	return n
}

// An entry may stand for another one, whose address it has with the lowest bit set (RUNTIME_FUNCTION_INDIRECT).
func (f *File) procedure(e entry) (*procedure, error) {
	p := &procedure{entry: e}
	p.chain = p.own[:0]
	for range maxChain {
		if e.data&1 != 0 {
			target, err := f.read("entry", uint64(e.data&^1), 12)
			if err != nil {
				return nil, e.in("entry", err)
			}
			c := bin.NewCursor("", 0, target)
			e = entry{c.U32(), c.U32(), c.U32()}
			continue
		}
		u, err := f.record(e, len(p.chain) > 0)
		if err != nil {
			return nil, err
		}
		p.chain = append(p.chain, u)
		if !u.chained() {
			return p, nil
		}
		e = u.parent
	}
	return nil, p.in(unwindCodes, fmt.Errorf("more than %d records are chained", maxChain))
}
