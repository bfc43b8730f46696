package elfcore

import (
	"bytes"
	"slices"
	"strings"

	"crashglass/core/base/bin"
)

// Bounds of reading at the end of the main stack, where the kernel puts arguments and environment:
// MAX_ARG_STRLEN for one text, and the part of the stack that is searched for the vector of
// pointers.
const (
	maxArgument  = 128 << 10
	maxArguments = 1 << 14
	maxTexts     = 4 << 20
)

// stackWindows are the sizes of the ranges below the program's path that are searched for the
// vector, the smallest first.
var stackWindows = []uint64{64 << 10, 1 << 20, 4 << 20}

// arguments reads the command line and the environment with which the process was started. The
// stack has, from low to high addresses: the number of arguments, a pointer to each, 0, a pointer
// to each variable, 0, the auxiliary vector, and the texts, AT_EXECFN last.
//
// Source: Linux, fs/binfmt_elf.c, create_elf_tables.
func (c *core) arguments() (args, env []string) {
	words, end := c.belowAuxv()
	if end == 0 {
		return c.lineArguments(), nil
	}
	vars, rest := splitPointers(words)
	pointers, _ := splitPointers(rest)
	left := maxTexts
	if args = c.texts(pointers, &left); len(args) == 0 {
		args = c.lineArguments()
	}
	return args, c.texts(vars, &left)
}

// lineArguments returns the command line of NT_PRPSINFO, which has 79 bytes and no separators
// between arguments.
func (c *core) lineArguments() []string { return strings.Fields(c.process.line) }

// belowAuxv finds the auxiliary vector on the stack by its contents, and
// returns the words before it, the last one first.
func (c *core) belowAuxv() (words []uint64, at uint64) {
	top := c.aux(auxFile)
	mark := c.encodedAuxv()
	stack := c.segmentAt(top)
	if stack == nil || len(mark) == 0 {
		return nil, 0
	}
	for _, size := range stackWindows {
		low := max(top-min(size, top), stack.addr)
		data := c.bytes(low, int(top-low))
		if i := bytes.LastIndex(data, mark); i >= 0 {
			return c.wordsBackwards(data[:i]), low + uint64(i)
		}
	}
	return nil, 0
}

func (c *core) encodedAuxv() (out []byte) {
	for _, a := range c.auxv {
		for _, v := range []uint64{a.Type, a.Value} {
			var b [8]byte
			if c.word == 8 {
				c.order.PutUint64(b[:], v)
			} else {
				c.order.PutUint32(b[:], uint32(v))
			}
			out = append(out, b[:c.word]...)
		}
	}
	return out
}

func (c *core) wordsBackwards(data []byte) (words []uint64) {
	for len(data) >= c.word && len(words) < 2*maxArguments {
		tail := data[len(data)-c.word:]
		words = append(words, address(bin.NewOrderedCursor("stack", 0, tail, c.order), c.word))
		data = data[:len(data)-c.word]
	}
	return words
}

// splitPointers takes the vector that ends at the first word, a zero: its
// pointers in their order, and the words before it. A vector begins behind
// another zero, or behind the number of its pointers.
func splitPointers(words []uint64) (pointers, rest []uint64) {
	if len(words) == 0 || words[0] != 0 {
		return nil, nil
	}
	for i, v := range words[1:] {
		if v == 0 || v == uint64(i) {
			pointers = slices.Clone(words[1 : 1+i])
			slices.Reverse(pointers)
			return pointers, words[1+i:]
		}
	}
	return nil, nil
}

// texts reads the texts behind pointers, up to a number of bytes.
func (c *core) texts(pointers []uint64, left *int) (out []string) {
	for _, at := range pointers {
		text, ok := c.text(at, min(maxArgument, *left))
		if !ok {
			break
		}
		*left -= len(text) + 1
		out = append(out, strings.ToValidUTF8(text, "\ufffd"))
	}
	return out
}
