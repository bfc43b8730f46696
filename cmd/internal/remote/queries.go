package remote

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Answers that have a meaning of their own.
const (
	done    = "OK"
	failed  = "E01"
	unknown = "" // the request is not supported
)

// refusal is what a debugger shows when the user wants the program to run.
const refusal = "This is a dump: nothing in it can run or step.\n"

// answer answers a packet.
func (s *session) answer(packet string) string {
	name, rest, _ := strings.Cut(packet, ":")
	switch {
	case packet == "QStartNoAckMode":
		s.silent = true // from the next packet on
		return done
	case name == "qSupported":
		return fmt.Sprintf("PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:auxv:read+;qXfer:exec-file:read+", mostPacket/2)
	case name == "qXfer":
		return s.transfer(rest)
	case name == "vFile":
		return s.file(rest)
	case packet == "qAttached":
		return "1"
	case packet == "qC":
		return "QC" + s.id(s.thread)
	case packet == "qfThreadInfo":
		s.listed = 0
		return s.threads()
	case packet == "qsThreadInfo":
		return s.threads()
	case strings.HasPrefix(packet, "qThreadExtraInfo,"):
		if i := s.index(strings.TrimPrefix(packet, "qThreadExtraInfo,")); i >= 0 {
			return hex.EncodeToString([]byte(s.Process.Threads[i].Name))
		}
		return failed
	case packet == "vCont?":
		return "vCont;c;s"
	case strings.HasPrefix(packet, "vCont"):
		return s.stays()
	case strings.HasPrefix(packet, "vKill"):
		s.ended = true
		return done
	}
	return s.letter(packet[0], packet[1:])
}

// letter answers a packet whose name is one letter.
func (s *session) letter(name byte, rest string) string {
	switch name {
	case '?':
		return s.stopped()
	case 'c', 'C', 's', 'S':
		return s.stays()
	case 'D', 'k':
		s.ended = true
		return done
	case 'H':
		i := -1
		if rest != "" {
			i = s.index(rest[1:])
		}
		if i < 0 {
			return failed
		}
		if rest[0] == 'g' { // 'c' is for running, which nothing does
			s.thread = i
		}
		return done
	case 'T':
		if s.index(rest) >= 0 {
			return done
		}
		return failed
	case 'g':
		var out strings.Builder
		for i := range s.cpu.registers {
			out.WriteString(s.register(i))
		}
		return out.String()
	case 'p':
		if i, err := strconv.ParseUint(rest, 16, 16); err == nil && int(i) < len(s.cpu.registers) {
			return s.register(int(i))
		}
		return failed
	case 'm':
		return s.memory(rest)
	case 'G', 'M', 'P', 'X':
		return failed // nothing can be changed
	}
	return unknown
}

// stays says that the program does not run, and that it is where it was.
func (s *session) stays() string {
	if s.send("O"+hex.EncodeToString([]byte(refusal))) != nil {
		s.ended = true
	}
	return s.stopped()
}

// stopped says where the program is. The debugger takes the thread that is named for the one that it selected.
func (s *session) stopped() string {
	s.thread = max(s.Process.Subject, 0)
	return fmt.Sprintf("T%02xthread:%s;", s.Signal&0xff, s.id(max(s.Process.Subject, 0)))
}

// id is a thread's number in packets, where 0 is any thread.
func (s *session) id(i int) string {
	if i >= len(s.Process.Threads) {
		return "1"
	}
	return fmt.Sprintf("%x", max(s.Process.Threads[i].ID, 1))
}

// index returns the index of the thread with a number, or -1. 0 and -1 stand for any: the crashed one.
func (s *session) index(id string) int {
	if len(s.Process.Threads) == 0 {
		return -1
	}
	if id == "0" || id == "-1" {
		return max(s.Process.Subject, 0)
	}
	for i := range s.Process.Threads {
		if s.id(i) == id {
			return i
		}
	}
	return -1
}

// threads lists the next threads, as many as a packet holds: the crashed one, and then all others.
func (s *session) threads() string {
	subject := max(s.Process.Subject, 0)
	var ids []string
	if s.listed == 0 {
		ids = append(ids, s.id(subject))
	}
	for ; s.listed < len(s.Process.Threads) && len(ids) < mostPacket/20; s.listed++ {
		if s.listed != subject {
			ids = append(ids, s.id(s.listed))
		}
	}
	if ids == nil {
		return "l"
	}
	return "m" + strings.Join(ids, ",")
}

// memory answers "ADDRESS,SIZE" with the bytes up to the first that is neither captured nor in a file.
func (s *session) memory(request string) string {
	at, size, ok := strings.Cut(request, ",")
	addr, err1 := strconv.ParseUint(at, 16, 64)
	n, err2 := strconv.ParseUint(size, 16, 32)
	if !ok || err1 != nil || err2 != nil {
		return failed
	}
	data := make([]byte, min(n, mostPacket/2-16))
	done := 0
	for done < len(data) {
		got := s.Process.Memory.Read(addr+uint64(done), data[done:])
		if got == 0 {
			got = s.Code(addr+uint64(done), data[done:])
		}
		if got == 0 {
			break
		}
		done += got
	}
	if done == 0 && n > 0 {
		return failed
	}
	return hex.EncodeToString(data[:done])
}

// transfer answers "OBJECT:read:ANNEX:OFFSET,SIZE".
func (s *session) transfer(request string) string {
	part := strings.SplitN(request, ":", 4)
	if len(part) < 4 || part[1] != "read" {
		return unknown
	}
	var object []byte
	switch part[0] {
	case "features":
		if part[2] != "target.xml" {
			return failed
		}
		object = []byte(s.cpu.description(s.Process.OS()))
	case "auxv":
		object = s.Auxiliary
	case "exec-file":
		if len(s.Process.Modules) > 0 {
			object = []byte(s.Process.Modules[0].CodeFile)
		}
	default:
		return unknown
	}
	at, size, _ := strings.Cut(part[3], ",")
	off, err1 := strconv.ParseUint(at, 16, 32)
	n, err2 := strconv.ParseUint(size, 16, 32)
	if err1 != nil || err2 != nil {
		return failed
	}
	off = min(off, uint64(len(object)))
	end := min(off+min(n, mostPacket/4), uint64(len(object)))
	mark := "m"
	if end == uint64(len(object)) {
		mark = "l"
	}
	return mark + escaped(object[off:end])
}

// escaped returns binary data in the form of a packet.
func escaped(data []byte) string {
	out := make([]byte, 0, len(data))
	for _, b := range data {
		switch b {
		case '#', '$', '}', '*':
			out = append(out, '}', b^0x20)
		default:
			out = append(out, b)
		}
	}
	return string(out)
}

// Errors of files. Source: "Host I/O Packets" and "Errno Values" of the manual.
const (
	noFile   = "F-1,2" // ENOENT
	badFile  = "F-1,9" // EBADF
	mostFile = 1 << 10 // open files of a session
)

// file answers a request for a file of a module: "open:NAME,…", "pread:FILE,SIZE,OFFSET", "close:FILE".
func (s *session) file(request string) string {
	name, args, _ := strings.Cut(request, ":")
	arg := strings.Split(args, ",")
	switch name {
	case "setfs":
		return "F0"
	case "open":
		path, err := hex.DecodeString(arg[0])
		if err != nil || len(s.files) >= mostFile { // which no debugger has open at once
			return noFile
		}
		r, size := s.Open(string(path))
		if r == nil {
			return noFile
		}
		at := slices.IndexFunc(s.files, func(f file) bool { return f.ReaderAt == nil })
		if at < 0 {
			at, s.files = len(s.files), append(s.files, file{})
		}
		s.files[at] = file{r, size}
		return fmt.Sprintf("F%x", at)
	case "close", "pread", "fstat":
	default:
		return unknown
	}
	fd, err := strconv.ParseUint(arg[0], 16, 31)
	if err != nil || int(fd) >= len(s.files) || s.files[fd].ReaderAt == nil {
		return badFile
	}
	f := s.files[fd]
	switch {
	case name == "close":
		s.files[fd] = file{}
		return "F0"
	case name == "fstat":
		return stat(f.size)
	case len(arg) < 3:
		return badFile
	}
	n, err1 := strconv.ParseUint(arg[1], 16, 32)
	off, err2 := strconv.ParseUint(arg[2], 16, 63)
	if err1 != nil || err2 != nil {
		return badFile
	}
	data := make([]byte, min(n, mostPacket/4))
	got, _ := io.NewSectionReader(f, 0, f.size).ReadAt(data, int64(off))
	return fmt.Sprintf("F%x;", got) + escaped(data[:got])
}

// stat is struct stat of the protocol, of which only the mode (a regular file that may be read) and the size are set. It is big-endian.
func stat(size int64) string {
	data := make([]byte, 64)
	data[10], data[11] = 0x81, 0x24 // st_mode 0100444
	for i := range 8 {
		data[28+i] = byte(size >> (56 - 8*i))
	}
	return fmt.Sprintf("F%x;", len(data)) + escaped(data)
}
