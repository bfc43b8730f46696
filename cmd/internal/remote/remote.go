// Package remote shows a process to a debugger by GDB's remote serial protocol, which gdb, lldb, IDA and Ghidra speak: threads, registers,
// memory, and the files of modules. Nothing runs, and nothing is changed: the requests for that are refused.
//
// Read this file first, then queries.go, which has the requests, and target.go with the registers as gdb numbers them.
//
// Source: "Debugging with GDB", appendix E, "GDB Remote Serial Protocol".
package remote

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"

	"crashglass/core/process"
)

// A Target is what the debugger sees.
type Target struct {
	Process   *process.Process
	Signal    uint32                                 // that ended the process, 0 for none
	Auxiliary []byte                                 // the auxiliary vector, in the layout of the process
	Code      func(addr uint64, p []byte) int        // copies code of modules' files, which the dump lacks
	Open      func(path string) (io.ReaderAt, int64) // the file of a module, nil for one that is not at hand
}

// A session is one debugger.
type session struct {
	Target
	cpu    *layout
	in     *bufio.Reader
	out    io.Writer
	silent bool   // packets are not acknowledged
	thread int    // index of the thread whose registers are requested
	listed int    // threads that were listed
	files  []file // a closed one has no reader
	ended  bool
}

type file struct {
	io.ReaderAt
	size int64
}

// mostPacket bounds a packet, in both directions.
const mostPacket = 16 << 10

var errNoDebugger = errors.New("remote: this is no debugger's session")

// errNoCPU is the error for a CPU without a row in target.go.
var errNoCPU = errors.New("remote: the registers of this dump's CPU have no place in the protocol, as far as this program knows")

// Check reports an error for a process of a CPU that cannot be shown.
func Check(p *process.Process) error {
	if layoutOf(p) == nil {
		return errNoCPU
	}
	return nil
}

// Serve answers the debugger at conn until it ends the session. The process passes Check.
func Serve(conn io.ReadWriter, t Target) error {
	s := &session{Target: t, in: bufio.NewReaderSize(conn, mostPacket), out: conn, thread: max(t.Process.Subject, 0)}
	if s.cpu = layoutOf(t.Process); s.cpu == nil {
		return errNoCPU
	}
	// A debugger begins with an acknowledgement or a packet. What a page of the web sends begins with a letter, and gets no answer.
	if first, err := s.in.Peek(1); err != nil || first[0] != '+' && first[0] != '$' {
		return errNoDebugger
	}
	for !s.ended {
		packet, err := s.read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && packet != "" {
			err = s.send(s.answer(packet))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads a packet: "$", the contents, "#" and a checksum of two digits. It returns "" for what needs no answer: acknowledgements,
// and a packet with a wrong checksum, which the debugger sends again.
func (s *session) read() (string, error) {
	first, err := s.in.ReadByte()
	switch {
	case err != nil:
		return "", err
	case first == interrupt:
		return "?", nil
	case first != '$':
		return "", nil
	}
	text, err := s.in.ReadSlice('#')
	if err != nil {
		return "", fmt.Errorf("remote: a packet without an end in %d bytes: %w", mostPacket, err)
	}
	packet := string(text[:len(text)-1])
	var digits [2]byte
	if _, err := io.ReadFull(s.in, digits[:]); err != nil {
		return "", err
	}
	stated, err := strconv.ParseUint(string(digits[:]), 16, 8)
	if good := err == nil && byte(stated) == sum(packet); !s.silent {
		if !good {
			_, err := io.WriteString(s.out, "-")
			return "", err
		}
		if _, err := io.WriteString(s.out, "+"); err != nil {
			return "", err
		}
	}
	return packet, nil
}

// interrupt is the byte that stops a running program.
const interrupt = 3

// send sends a packet.
func (s *session) send(text string) error {
	_, err := fmt.Fprintf(s.out, "$%s#%02x", text, sum(text))
	return err
}

func sum(text string) (n byte) {
	for i := range len(text) {
		n += text[i]
	}
	return n
}
