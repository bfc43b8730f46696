package apple

import (
	"strings"

	"crashglass/core/dump/text"
	"crashglass/core/process"
)

// A node is a line of the call graph.
type node struct {
	count, depth int
	text         string
}

// readSample reads what the tool sample prints: a tree of calls for each thread, with the number of samples in which
// each call was on the stack. A thread's stack is the branch that most samples have.
//
//	2449 Thread_16614993   DispatchQueue_1: com.apple.main-thread  (serial)
//	+ 2449 start  (in dyld) + 462  [0x1077c151e]
//	+   2449 ???  (in Game)  load address 0x103c0a000 + 0x3eb0  [0x103c0deb0]
func readSample(l *text.Lines) []*process.Process {
	c := &crash{d: text.NewDraft(kind)}
	var tree []node
	graph := false
	for {
		line, ok := l.Next()
		if !ok {
			break
		}
		s := strings.TrimSpace(line)
		switch {
		case s == "Call graph:":
			graph = true
		case graph && s == "":
			graph = false
		case graph:
			n, ok := nodeOf(line)
			if last := len(tree) - 1; last >= 0 && tree[last].goesOn(n, ok) {
				tree[last].text += " " + s
			} else if ok && len(tree) < maxNodes {
				tree = append(tree, n)
			}
		case s == "Binary Images:":
			c.section = images
		case c.section == images:
			c.image(s)
		default:
			c.fact(s)
		}
	}
	if len(tree) == 0 {
		return nil
	}
	c.tree(tree)
	c.d.Process.Problem = &process.Problem{Kind: process.Sample}
	return []*process.Process{c.finish()}
}

const maxNodes = 1 << 16

// nodeOf reads a line of the call graph. Its depth is that of its count, before which spindump marks frames of the kernel.
func nodeOf(line string) (node, bool) {
	depth := 0
	for depth < len(line) && strings.IndexByte(" +!:|*", line[depth]) >= 0 {
		depth++
	}
	count, rest, ok := text.Decimal(line[depth:])
	if !ok || !strings.HasPrefix(rest, " ") {
		return node{}, false
	}
	return node{int(min(count, 1<<31)), depth, strings.TrimSpace(rest)}, true
}

// goesOn reports whether the next line is the rest of this one, which a mail program wrapped. The line of a call ends with its address. That of a
// thread goes on in a line that is none of the graph.
func (n node) goesOn(next node, ok bool) bool {
	switch {
	case strings.Contains(n.text, "[0x") || len(n.text) > longest:
		return false
	case strings.HasPrefix(n.text, "Thread_"):
		return !ok
	}
	return !ok || !strings.Contains(next.text, "(in ")
}

// longest bounds the length of a line that further ones are joined to.
const longest = 4 << 10

// tree adds a thread for each tree: a line at the depth of the first one.
func (c *crash) tree(tree []node) {
	for len(tree) > 0 {
		end := 1
		for end < len(tree) && tree[end].depth > tree[0].depth {
			end++
		}
		name, queue, _ := strings.Cut(tree[0].text, " ")
		id, _, _ := text.Decimal(strings.TrimPrefix(name, "Thread_"))
		c.d.Thread(process.Thread{ID: uint32(id)})
		if _, after, ok := strings.Cut(queue, ": "); ok {
			queue = after
		}
		c.name(queue)
		c.branch(tree[1:end])
		tree = tree[end:]
	}
}

// branch adds the frames of the heaviest branch.
func (c *crash) branch(rest []node) {
	var path []node
	for len(rest) > 0 {
		best, end := 0, 0
		for i := range rest {
			if rest[i].depth == rest[0].depth && (i == 0 || rest[i].count > rest[best].count) {
				best = i
			}
		}
		for end = best + 1; end < len(rest) && rest[end].depth > rest[best].depth; end++ {
		}
		path = append(path, rest[best])
		rest = rest[best+1 : end]
	}
	for i := len(path) - 1; i >= 0; i-- {
		c.call(path[i].text, i < len(path)-1)
	}
}

// spin reads a line of a process in a report of spindump, whose threads are trees, and reports whether it is one:
//
//	Thread 0x18ef8    DispatchQueue "com.apple.main-thread"(1)    Thread name "main"    567 samples (1-567)    priority 31 (base 31)
//	567  start + 1 (libdyld.dylib + 91093) [0x7fff7e82a3d5]
//	  567  ??? (sh + 10774) [0x104010a16]
//	   *567  thread_block (kernel + 5678) [0xffffff8000215678]
//
// Source: Apple, spindump(8), and the tool's own output.
func (c *crash) spin(line string) bool {
	s := strings.TrimSpace(line)
	n, isNode := nodeOf(line)
	rest, isThread := strings.CutPrefix(s, "Thread 0x")
	id, rest, hex := text.Hex(rest)
	switch {
	case c.nodes == nil && !strings.HasPrefix(s, "Num samples:"):
		return false
	case isThread && hex && strings.Contains(rest, " sample"):
		c.branch(c.nodes)
		c.d.Thread(process.Thread{ID: uint32(id)})
		for _, word := range []string{"DispatchQueue ", "Thread name "} {
			_, quoted, _ := strings.Cut(rest, word)
			if name, _, ok := text.Between(quoted, `"`, `"`); ok && strings.HasPrefix(quoted, `"`) {
				c.name(name)
			}
		}
	case isNode && c.section == header:
		if len(c.d.Process.Threads) == 0 {
			c.d.Thread(process.Thread{})
		}
		if len(c.nodes) < maxNodes {
			c.nodes = append(c.nodes, n)
		}
		return true
	case s == "Binary Images:":
		c.branch(c.nodes)
		c.section = images
	case c.nodes != nil:
		return false
	}
	c.nodes = []node{}
	return true
}

func (c *crash) call(s string, caller bool) {
	before, list, ok := text.CutLast(s, "[")
	addr, _, hex := text.Hex(list)
	name, place, in := strings.Cut(before, "  (in ")
	image, place, closed := strings.Cut(place, ")")
	f := text.Frame{Address: addr, Return: caller}
	if call, inner, group := text.CutGroup(strings.TrimSpace(before)); !in && group { // spindump: "(libdyld.dylib + 91093)", "(a.c:12 in libdyld.dylib + 91093)"
		source, after, sourced := strings.Cut(inner, " in ")
		if sourced {
			f.Names.File, f.Names.Line = text.Source(source)
			inner = after
		}
		image, place, closed = strings.Cut(inner, " + ")
		f.Offset, _, f.HasOffset = text.Decimal(place)
		name, place, in = call, "", true
		if f.Image = image; !f.HasOffset {
			f.Image = ""
		}
	}
	if !ok || !hex || !in || !closed {
		return
	}
	f.Names.Module = image
	if _, load, found := strings.Cut(place, "load address "); found {
		base, rest, _ := text.Hex(load)
		offset, _, known := text.Hex(strings.TrimPrefix(strings.TrimSpace(rest), "+ "))
		if known {
			f.Image, f.Offset, f.HasOffset = image, offset, true
			c.d.Image(text.Image{Path: image, Base: base, HasBase: true})
		}
	} else {
		c.function(&f.Names, name+strings.TrimRight(place, " "))
	}
	c.d.Frame(f)
}
