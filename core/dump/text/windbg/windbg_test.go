package windbg

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

func describe(all []*process.Process) string {
	var b strings.Builder
	for _, p := range all {
		fmt.Fprintf(&b, "subject %d\n", p.Subject)
		if e := p.Event; e != nil {
			fmt.Fprintf(&b, "event %d %#x at %#x %t %x\n", e.Kind, e.Code, e.Address, e.NoAddress, e.Parameters)
		}
		for _, f := range p.Threads[0].Frames {
			fmt.Fprintf(&b, "  %#x %s %s+%#x %s:%d", f.Instruction, f.Stated.Module, f.Stated.Function, f.Stated.Offset, f.Stated.File, f.Stated.Line)
			for _, in := range f.Stated.Inlines {
				fmt.Fprintf(&b, " < %s", in.Function)
			}
			if f.Interrupted {
				b.WriteString(" !")
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

const analysis = `EXCEPTION_RECORD:  (.exr -1)
ExceptionAddress: 00007ff7c4bd59ea (dock!Slot::write+0x00000000000003ba)
   ExceptionCode: c0000005 (Access violation)
  ExceptionFlags: 00000000
NumberParameters: 2
   Parameter[0]: 0000000000000001
   Parameter[1]: 00000000000043cb
Attempt to write to address 00000000000043cb

PROCESS_NAME:  dock.exe

STACK_TEXT:  
000000a8` + "`" + `56aff230 00007ff7` + "`" + `c4bd59ea     : 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 : dock!handler+0x7
000000a8` + "`" + `56aff240 00007ff7` + "`" + `c4bc6bae     : 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 : dock!Slot::write+0x3ba
(Inline Function) --------` + "`" + `--------     : --------` + "`" + `-------- --------` + "`" + `-------- --------` + "`" + `-------- --------` + "`" + `-------- : dock!Slot::next+0xb
000000a8` + "`" + `56aff340 00007ffc` + "`" + `21cce8d7     : 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 : dock!run+0x10e
000000a8` + "`" + `56affce0 00000000` + "`" + `00000000     : 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 : KERNEL32+0x17


STACK_COMMAND:  ~0s; .ecxr ; kb
`

func TestAnalysis(t *testing.T) {
	const want = `subject 0
event 0 0xc0000005 at 0x7ff7c4bd59ea false [1 43cb]
  0x0 dock handler+0x7 :0
  0x7ff7c4bd59ea dock Slot::write+0x3ba :0 !
  0x7ff7c4bc6bad dock run+0x10e :0 < Slot::next
  0x7ffc21cce8d6 KERNEL32 +0x0 :0
`
	for _, log := range []string{analysis, "0:000> !analyze -v\n\t" + strings.ReplaceAll(analysis, "\n", "\n\t"), "> " + strings.ReplaceAll(analysis, "\n", "\n> ")} {
		all := textreport.Open(Family, log)
		if got := describe(all); got != want {
			t.Errorf("%s\n%s\nwant\n%s", log, got, want)
		}
	}
}

const bugCheck = `DRIVER_IRQL_NOT_LESS_OR_EQUAL (d1)
An attempt was made to access a pageable (or completely invalid) address.
Arguments:
Arg1: 0000000000000028, memory referenced
Arg2: 0000000000000002, IRQL

STACK_TEXT:  
fffff807` + "`" + `0a3f1e88 fffff807` + "`" + `0c2069e9     : 00000000` + "`" + `0000000a 00000000` + "`" + `00000028 00000000` + "`" + `00000002 00000000` + "`" + `00000000 : nt!KeBugCheckEx
fffff807` + "`" + `0a3f2160 fffff807` + "`" + `0c000000     : 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 00000000` + "`" + `00000000 : dial!Turn+0x38

`

func TestBugCheck(t *testing.T) {
	const want = "subject 0\nevent 1 0xd1 at 0x0 true [28 2]\n  0x0 nt KeBugCheckEx+0x0 :0\n  0xfffff8070c2069e8 dial Turn+0x38 :0\n"
	if got := describe(textreport.Open(Family, bugCheck)); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// The exception that a bug check was raised for has a code and parameters of its own.
func TestBugCheckOfException(t *testing.T) {
	log := strings.Replace(bugCheck, "\nSTACK_TEXT", "\nEXCEPTION_RECORD:  fffff8800dc2b1f8 -- (.exr 0xfffff8800dc2b1f8)\nExceptionAddress: fffff80003abcdef (dial!Turn+0x38)\n"+
		"   ExceptionCode: c0000409 (Security check failure)\n   Parameter[0]: 0000000000000003\nSTACK_TEXT", 1)
	const want = "subject 0\nevent 1 0xd1 at 0x0 true [28 2]\n"
	if got := describe(textreport.Open(Family, log)); !strings.HasPrefix(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// Stacks alone have numbers and source lines, and on x86 three arguments.
func TestStacks(t *testing.T) {
	for log, want := range map[string]string{
		" # Child-SP          RetAddr               Call Site\n00 000000f1`0bcff9b8 00007ffc`21cce8d7     dock!slot(int n = 0n3)+0x1b [C:\\a b\\dock.cpp @ 12] \n" +
			"01 000000f1`0bcff9f0 00000000`00000000     KERNEL32!BaseThreadInitThunk+0x17\n0:000> q\n": "subject -1\n  0x0 dock slot+0x1b C:\\a b\\dock.cpp:12\n  0x7ffc21cce8d6 KERNEL32 BaseThreadInitThunk+0x17 :0\n",
		"ChildEBP RetAddr  Args to Child\n0012f7a4 00401254 00000000 00000000 00000000 dock+0x1200\nWARNING: Stack unwind information not available. Following frames may be wrong.\n" +
			"0012ffc0 7c817067 00000000 dock+0x1254\n": "subject -1\n  0x401200 dock +0x0 :0\n  0x401253 dock +0x0 :0\n",
		" # Child-SP          RetAddr               Call Site\n00 000000f1`0bcff9b8 00007ffc`21cce8d7     dock!slot(\n\t\t\tint n = 0n3,\n\t\t\tchar * s = 0x00007ffc`21cc0000 \"a\")+0x1b [C:\\a (b)\\dock.cpp @ 12]\n" +
			"01 000000f1`0bcff9f0 00007ffc`21cd0000     0x00007ffc`21cce8d7\n02 000000f1`0bcffa00 00000000`00000000     dock!main(void)\n": "subject -1\n" +
			"  0x0 dock slot+0x1b C:\\a (b)\\dock.cpp:12\n  0x7ffc21cce8d6  +0x0 :0\n  0x7ffc21ccffff dock main(void)+0x0 :0\n",
	} {
		if got := describe(textreport.Open(Family, log)); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
	for _, log := range []string{"EXCEPTION_RECORD: x\n", "Arg1: 5\nSTACK_TEXT:\nno frame\n", " RetAddr \n1 2 3\n"} {
		if all := textreport.Open(Family, log); len(all) > 0 {
			t.Errorf("%q: %+v", log, all[0])
		}
	}
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, analysis, bugCheck) }
