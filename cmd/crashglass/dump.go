package main

import (
	"bufio"
	"errors"
	"fmt"
	"strings"

	"crashglass/core/minidump"
	"crashglass/core/render"
)

// dump writes every stream of dumps, decoded as far as its format is known.
func dump(c *cli, args []string) int {
	f := c.flags()
	if status, ok := c.parse(f, args); !ok {
		return status
	}
	if f.NArg() == 0 {
		return c.wrong("which dump?")
	}
	files := newFiles(c)
	defer files.close()
	status := exitOK
	for _, file := range f.Args() {
		if err := c.dumpFile(files, file); err != nil {
			c.fail(file, err)
			status = exitInput
		}
	}
	return status
}

func (c *cli) dumpFile(files *files, file string) error {
	dumps, err := files.dumps(file)
	if err != nil {
		return err
	}
	for _, d := range dumps {
		opened, err := minidump.OpenAll(d.Source)
		if err != nil {
			return err
		}
		for _, f := range opened {
			if err := c.dumpOne(f); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *cli) dumpOne(f *minidump.File) error {
	p := dumper{printer{bufio.NewWriter(c.out)}, f}
	p.header()
	for i, s := range f.Streams() {
		p.stream(i, s)
	}
	return p.w.Flush()
}

// A dumper writes the streams of one dump.
type dumper struct {
	printer
	f *minidump.File
}

func (p *dumper) header() {
	if m := p.f.Microdump(); m != nil {
		p.printf("Microdump\n")
		p.value("  ", m)
		return
	}
	p.printf("Header\n")
	p.value("  ", p.f.Header())
	p.damage(p.f.Damage())
}

func (p *dumper) stream(i int, s minidump.Stream) {
	p.printf("\nStream %d: %#x %s, %d bytes at %#x\n", i, uint32(s.Type), s.Type.Name(), s.Size, s.RVA)
	switch decode := decoders[s.Type]; {
	case decode != nil:
		v, err := decode(p.f)
		p.value("  ", v)
		p.damage(err)
	case isText(s.Type):
		text, err := p.f.Text(s.Type)
		p.lines(text)
		p.damage(err)
	default:
		data, err := p.f.Bytes("stream", s.Location)
		p.hex("  ", data)
		p.damage(err)
	}
}

// damage says what could not be read.
func (p *dumper) damage(err error) {
	if err != nil && !errors.Is(err, minidump.ErrNoStream) {
		p.printf("  damaged: %s\n", oneLine(err.Error()))
	}
}

// lines writes text with its line ends; a NUL separates values.
func (p *dumper) lines(text string) {
	for line := range strings.SplitSeq(strings.TrimRight(strings.ReplaceAll(text, "\x00", "\n"), "\n"), "\n") {
		p.printf("  %s\n", render.Escape(line))
	}
}

// isText reports whether a stream is text: copies of /proc, and what Mozilla
// and Facebook add.
func isText(t minidump.StreamType) bool {
	switch t {
	case minidump.LinuxProcStatStream, minidump.LinuxProcUptimeStream, minidump.LinuxProcFDStream, minidump.SoftErrorsStream:
		return true
	}
	return t>>16 == 0xface && t.Name() != "FacebookUnwindSymbols"
}

// decoders read the streams whose format is known.
var decoders = map[minidump.StreamType]func(*minidump.File) (any, error){
	minidump.ThreadListStream:          threads,
	minidump.ModuleListStream:          as((*minidump.File).ModuleRecords),
	minidump.MemoryListStream:          as((*minidump.File).MemoryList),
	minidump.ExceptionStream:           exception,
	minidump.SystemInfoStream:          systemInfo,
	minidump.Memory64ListStream:        as((*minidump.File).Memory64List),
	minidump.CommentAStream:            as((*minidump.File).Comments),
	minidump.CommentWStream:            as((*minidump.File).Comments),
	minidump.HandleDataStream:          as((*minidump.File).Handles),
	minidump.FunctionTableStream:       as((*minidump.File).FunctionTables),
	minidump.UnloadedModuleListStream:  as((*minidump.File).UnloadedModules),
	minidump.MiscInfoStream:            as((*minidump.File).MiscInfo),
	minidump.MemoryInfoListStream:      as((*minidump.File).MemoryInfo),
	minidump.ThreadInfoListStream:      as((*minidump.File).ThreadInfos),
	minidump.HandleOperationListStream: as((*minidump.File).HandleOperations),
	minidump.TokenStream:               as((*minidump.File).Tokens),
	minidump.SystemMemoryInfoStream:    as((*minidump.File).SystemMemory),
	minidump.ProcessVMCountersStream:   as((*minidump.File).ProcessVMCounters),
	minidump.ThreadNamesStream:         as((*minidump.File).ThreadNames),
	minidump.BreakpadInfoStream:        as((*minidump.File).BreakpadInfo),
	minidump.AssertionInfoStream:       as((*minidump.File).Assertion),
	minidump.LinuxCPUInfoStream:        as((*minidump.File).LinuxCPUInfo),
	minidump.LinuxProcStatusStream:     as((*minidump.File).LinuxProcStatus),
	minidump.LinuxLSBReleaseStream:     as((*minidump.File).LSBRelease),
	minidump.LinuxCmdLineStream:        as((*minidump.File).CommandLine),
	minidump.LinuxEnvironStream:        as((*minidump.File).Environment),
	minidump.LinuxAuxvStream:           as((*minidump.File).Auxv),
	minidump.LinuxMapsStream:           as((*minidump.File).LinuxMaps),
	minidump.LinuxDSODebugStream:       as((*minidump.File).DSODebug),
	minidump.CrashpadInfoStream:        as((*minidump.File).Crashpad),
	minidump.StabilityReportStream:     as((*minidump.File).StabilityReport),
	minidump.MacCrashInfoStream:        as((*minidump.File).MacCrashInfo),
	minidump.MacBootArgsStream:         as((*minidump.File).MacBootArgs),
	minidump.LinuxLimitsStream:         as((*minidump.File).Limits),
}

func as[T any](read func(*minidump.File) (T, error)) func(*minidump.File) (any, error) {
	return func(f *minidump.File) (any, error) { return read(f) }
}

// A threadDump is a thread with its registers.
type threadDump struct {
	minidump.Thread
	Registers []register
}

type register struct {
	Name  string
	Value uint64
}

func threads(f *minidump.File) (any, error) {
	list, err := f.Threads()
	var out []threadDump
	for _, t := range list {
		regs, regErr := registers(f, t.Context)
		out = append(out, threadDump{t, regs})
		err = errors.Join(err, regErr)
	}
	return out, err
}

func exception(f *minidump.File) (any, error) {
	e, err := f.Exception()
	if e == nil {
		return nil, err
	}
	regs, regErr := registers(f, e.Context)
	return struct {
		minidump.Exception
		Registers []register
	}{*e, regs}, errors.Join(err, regErr)
}

func registers(f *minidump.File, loc minidump.Location) ([]register, error) {
	if loc.Size == 0 {
		return nil, nil
	}
	sys, _ := f.SystemInfo() // its own defects are told with its own stream
	ctx, err := f.Context(loc, sys)
	if ctx.Arch == nil {
		return nil, err
	}
	var out []register
	for reg, v := range ctx.Regs.All() {
		out = append(out, register{ctx.Arch.RegName(reg), v})
	}
	return out, err
}

func systemInfo(f *minidump.File) (any, error) {
	s, err := f.SystemInfo()
	if s == nil {
		return nil, err
	}
	return struct {
		minidump.SystemInfo
		CPUInfo string
	}{*s, s.CPUInfo()}, err
}

// printer writes lines; its writer remembers the first error.
type printer struct{ w *bufio.Writer }

func (p printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }
