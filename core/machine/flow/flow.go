// Package flow follows the code of one function along all its branches, and says how execution can
// leave it.
//
//	facts, ok := flow.Follow(read, entry, start, end, 0)
//	if ok && !facts.Leaves && !facts.Unknown && !facts.Returns {
//		// nothing returns from the function, and it jumps nowhere else
//	}
//
// The answer is a proof or none: it is not ok if an instruction on some path is unknown. Calls count
// as returning. Code behind a call that in truth never returns can only add ways out, so a way out
// that is absent does not exist.
package flow

import (
	"slices"

	"crashglass/core/machine/cpu"
)

// mostInstructions bounds the instructions of a function that is followed.
const mostInstructions = 4096

// Facts are the ways out of a function.
type Facts struct {
	Returns bool // a return instruction can be reached
	Leaves  bool // a jump out of the function: a tail call, or to a part of it elsewhere
	Unknown bool // a jump to an address from a register or memory: mostly a tail call of a virtual function
	Loops   bool // a call may be executed repeatedly
}

// Arch reports whether the code of a CPU can be followed: all its instructions are decoded, and none
// of its returns is conditional.
func Arch(arch *cpu.Arch) bool {
	return arch == &cpu.AMD64 || arch == &cpu.X86 || arch == &cpu.ARM64 || arch == &cpu.RISCV64
}

// Follow follows the code from entry within [start, end). read decodes the instruction at an
// address. exit is the end of a call that is known never to return, or 0. The targets of a jump
// table are unknown, so that all code of such a function counts.
func Follow(read func(addr uint64) (cpu.Inst, bool), entry, start, end, exit uint64) (facts Facts, ok bool) {
	g := graph{read: read, start: start, end: end, exit: exit, at: map[uint64]int{}}
	if !g.follow(entry) {
		return g.facts, false
	}
	for at := start; g.table && at < end; {
		if !g.follow(at) {
			return g.facts, false
		}
		at += uint64(g.nodes[g.at[at]].size)
	}
	g.facts.Loops = g.table || g.repeats()
	return g.facts, true
}

// follow adds the code from an address on, without what is known already.
func (g *graph) follow(entry uint64) bool {
	for todo := []uint64{entry}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if _, seen := g.at[at]; seen {
			continue
		}
		if len(g.nodes) >= mostInstructions {
			return false
		}
		inst, ok := g.read(at)
		if !ok || inst.Len <= 0 {
			return false
		}
		g.at[at] = len(g.nodes)
		n := node{size: inst.Len, call: inst.Flow == cpu.Call && at+uint64(inst.Len) != g.exit}
		for _, next := range g.successors(&inst, at) {
			switch {
			case next-g.start < g.end-g.start:
				n.next = append(n.next, next)
			case next != at+uint64(inst.Len): // running over the end, the call before it does not return
				g.facts.Leaves = true
			}
		}
		todo = append(todo, n.next...)
		g.nodes = append(g.nodes, n)
	}
	return true
}

// successors returns the addresses at which execution may continue within the thread.
func (g *graph) successors(inst *cpu.Inst, at uint64) []uint64 {
	behind, facts, exit := at+uint64(inst.Len), &g.facts, g.exit
	load := g.load
	g.load = loadOf(inst, load)
	switch {
	case behind == exit, inst.Flow == cpu.Trap && slices.Contains(stops, inst.Mnemonic):
		return nil
	case inst.Flow == cpu.Ret:
		facts.Returns = true
		return nil
	case inst.Flow == cpu.Jump && inst.HasTarget:
		return []uint64{inst.Target}
	case inst.Flow == cpu.Jump && isTable(inst, load):
		g.table = true
		return nil
	case inst.Flow == cpu.Jump:
		facts.Unknown = true
		return nil
	case inst.Flow == cpu.CondJump && inst.HasTarget:
		return []uint64{behind, inst.Target}
	case inst.Flow == cpu.CondJump:
		facts.Unknown = true
	}
	return []uint64{behind}
}

// stops are the instructions behind which nothing is executed. System calls are none.
var stops = []string{"ud2", "ud1", "ud0", "int3", "hlt", "udf", "brk", "unimp", "c.unimp", "ebreak", "c.ebreak"}

// A graph is the code that was followed.
type graph struct {
	read             func(addr uint64) (cpu.Inst, bool)
	start, end, exit uint64

	nodes []node
	at    map[uint64]int
	facts Facts
	table bool   // there is a jump table
	load  string // the register with an entry of a table, by the instructions just before
}

// loadOf returns the register that has an entry of a table of distances: it was loaded by an index,
// and then the address of the table may have been added.
func loadOf(inst *cpu.Inst, before string) string {
	if len(inst.Operands) < 2 || inst.Operands[0].Kind != cpu.Register || inst.Flow != cpu.Next {
		return ""
	}
	to := inst.Operands[0].Name
	for i := range inst.Operands[1:] {
		if m := &inst.Operands[1+i]; m.Kind == cpu.Memory && m.Mem.Index != cpu.None {
			return to
		}
	}
	if inst.Mnemonic == "add" && to == before {
		return to
	}
	return ""
}

// isTable reports whether an indirect jump goes through a table of the function's own addresses: the
// word at an index, or a distance that was loaded from there.
func isTable(inst *cpu.Inst, load string) bool {
	if len(inst.Operands) != 1 {
		return false
	}
	to := &inst.Operands[0]
	return to.Kind == cpu.Memory && to.Mem.Index != cpu.None || to.Kind == cpu.Register && load != "" && to.Name == load
}

type node struct {
	next []uint64
	size int
	call bool
}

// repeats reports whether a call lies in a cycle, or between two cycles. Instructions that lead to no
// cycle are removed, then those that no cycle leads to.
func (g *graph) repeats() bool {
	forward := make([][]int, len(g.nodes))
	backward := make([][]int, len(g.nodes))
	for i := range g.nodes {
		for _, next := range g.nodes[i].next {
			j := g.at[next]
			forward[i], backward[j] = append(forward[i], j), append(backward[j], i)
		}
	}
	gone := make([]bool, len(g.nodes))
	peel(forward, backward, gone)
	peel(backward, forward, gone)
	for i := range g.nodes {
		if g.nodes[i].call && !gone[i] {
			return true
		}
	}
	return false
}

// peel removes the nodes without edges, and those that lose all of them.
func peel(edges, reverse [][]int, gone []bool) {
	left := make([]int, len(edges))
	var todo []int
	for i := range edges {
		for _, j := range edges[i] {
			if !gone[j] {
				left[i]++
			}
		}
		if left[i] == 0 && !gone[i] {
			todo = append(todo, i)
		}
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		gone[i] = true
		for _, j := range reverse[i] {
			if left[j]--; left[j] == 0 && !gone[j] {
				todo = append(todo, j)
			}
		}
	}
}
