package oops

import (
	"fmt"
	"strings"
	"testing"

	"crashglass/core/process"
	"crashglass/core/testkit/textreport"
)

const fault = `[   57.658354][  T650] BUG: kernel NULL pointer dereference, address: 0000000000000018
[   57.659526][  T650] #PF: supervisor write access in kernel mode
[   57.659526][  T650] #PF: error_code(0x0002) - not-present page
[   57.659526][  T650] PGD 0 P4D 0
[   57.659526][  T650] Oops: 0002 [#1] SMP NOPTI
[   57.659526][  T650] CPU: 1 PID: 650 Comm: bash Tainted: G           O      6.1.0-13-amd64 #1
[   57.659526][  T650] Hardware name: QEMU Standard PC (i440FX + PIIX, 1996), BIOS 1.10.2-1ubuntu1 04/01/2014
[   57.659526][  T650] RIP: 0010:dock_write+0x12/0x40 [dock]
[   57.659526][  T650] Code: 00 b8 01 <48> 89 07 48 89
[   57.659526][  T650] RSP: 0018:ffffc900006dfbf8 EFLAGS: 00000216
[   57.659526][  T650] RAX: 0000000000000000 RBX: dead000000000100 RCX: 000000000000003f
[   57.659526][  T650] CR2: 0000000000000018 CR3: 000000041f04a006 CR4: 0000000000760ee0
[   57.659526][  T650] Call Trace:
[   57.659526][  T650]  <TASK>
[   57.659526][  T650]  ? __die+0x1f/0x70
[   57.659526][  T650]  vfs_write+0xa3/0x2b0 (fs/read_write.c:582)
[   57.659526][  T650]  entry_SYSCALL_64_after_hwframe+0x6e/0xd8
[   57.659526][  T650] RIP: 0033:0x7f202c1b90ea
[   57.659526][  T650] RSP: 002b:00007fffdd32df78 EFLAGS: 00000246 ORIG_RAX: 0000000000000001
[   57.659526][  T650]  </TASK>
[   57.659526][  T650] ---[ end trace 0000000000000000 ]---
`

func TestRead(t *testing.T) {
	for log, want := range map[string]string{
		fault: "650 bash: dock!dock_write+0x12! vmlinux!vfs_write+0xa3@582 vmlinux!entry_SYSCALL_64_after_hwframe+0x6e; signal 11 at 0x18 access 2, rbx dead000000000100\n",
		"BUG: KASAN: slab-use-after-free in dock_close+0x20/0x40 [dock]\nRead of size 8 at addr ffff888 by task cat/9\n\nCPU: 0 PID: 9 Comm: cat Not tainted 6.1\nCall Trace:\n <TASK>\n" +
			" dump_stack_lvl+0x34/0x48\n dock_close+0x20/0x40 [dock]\n </TASK>\n\nAllocated by task 9:\n dock_open+0x10/0x30\n\nFreed by task 9:\n dock_sink+0x10/0x30\n\nThe buggy address belongs to x\n": "" +
			"9 cat: dock!dock_close+0x20; 0 Allocated by task 9: vmlinux!dock_open+0x10; 0 Freed by task 9: vmlinux!dock_sink+0x10; problem 1 \"slab-use-after-free\"\n",
		"Unable to handle kernel NULL pointer dereference at virtual address 0000000000000010\nInternal error: Oops: 96000004 [#1] PREEMPT SMP\nCPU: 2 PID: 7 Comm: sh\npc : dock_read+0x8/0x20\n" +
			"lr : vfs_read+0x10/0x20\nsp : ffff80001\nx1 : 0000000000000007 x0 : 0000000000000009\nCall trace:\n dock_read+0x8/0x20\n vfs_read+0x10/0x20\n": "" +
			"7 sh: vmlinux!dock_read+0x8! vmlinux!vfs_read+0x10; signal 11 at 0x10 access 1\n",
		"Unable to handle kernel paging request at virtual address 12005456\nInternal error: Oops: 805 [#1] ARM\nPC is at unlink+0xbc/0x1f4\nBacktrace: \n[<802044a8>] (unlink) from [<80204500>] (free+0x10/0x20)\n" +
			" exit_mmap from do_exit+0x10/0x30\n": "0 : vmlinux!unlink+0xbc! vmlinux!free+0x10 vmlinux!do_exit+0x10; signal 11 at 0x12005456 access 2\n",
		"kernel BUG at fs/dock.c:12!\ninvalid opcode: 0000 [#1] SMP\nRIP: 0010:dock_bug+0x1/0x2\nCall Trace:\n [<ffffffff81000010>] main_loop+0x10/0x20\n": "" +
			"0 : vmlinux!dock_bug+0x1! vmlinux!main_loop+0x10; problem 19 \"fs/dock.c:12!\"\n",
		"Kernel panic - not syncing: VFS: Unable to mount root fs\nCall Trace:\n panic+0x1/0x2\n mount_root+0x1/0x2\n---[ end Kernel panic - not syncing: VFS ]---\n": "" +
			"0 : vmlinux!panic+0x1 vmlinux!mount_root+0x1; problem 20 \"VFS: Unable to mount root fs\"\n",
		"Kernel panic - not syncing: x\nCPU: 1 PID: 2 Comm: a\nCall trace:\n f+0x1/0x2\nSMP: stopping secondary CPUs\nCPU: 0 PID: 0 Comm: swapper\nCall trace:\n idle+0x1/0x2\n": "" +
			"2 a: vmlinux!f+0x1; 0 : vmlinux!idle+0x1; problem 20 \"x\"\n",
		"WARNING: at eeh.c:390\nNIP [c000000008068dfc] .f+0x27c/0x390\nCall Trace:\n[c00000001] [c00000002] .f+0x278/0x390 (unreliable)\n[c00000001] [d00000003] .g+0x1/0x2 [ipr]\n[c] g+0x1\n": "" +
			"0 : vmlinux!.f+0x27c! vmlinux!.f+0x278 ipr!.g+0x1; problem 25 \"eeh.c:390\"\n",
		"[ 1.0] [ INFO: possible recursive locking detected ]\n[ 1.0] stack backtrace:\n[ 1.0] Pid: 3, comm: ksoftirqd/0 Not tainted 3.3.7\n[ 1.0] Call Trace:\n[ 1.0]  [<ffffffff81000010>] f+0x1/0x2\n": "" +
			"3 ksoftirqd/0: vmlinux!f+0x1; problem 14 \"]\"\n",
		"[1.0] INFO: task dock:12 blocked for more than 120 seconds.\n[1.0] Call Trace:\n[1.0]  __schedule+0x1/0x2\n":           "0 : vmlinux!__schedule+0x1; problem 23 \"120 seconds.\"\n",
		"general protection fault, probably for non-canonical address 0xdead000000000122: 0000 [#1] SMP\nRIP: 0010:f+0x1/0x2\n": "0 : vmlinux!f+0x1!; signal 11 access 0\n",
		"BUG: unable to handle kernel NULL pointer dereference at 00000008\nEIP: 0060:[<c0123456>] EFLAGS: 00010246 CPU: 0\nEIP is at f+0x1/0x2\nCall Trace:\n [<c0123466>] g+0x1/0x2\n": "" +
			"0 : vmlinux!f+0x1! vmlinux!g+0x1; signal 11 at 0x8 access 0\n",
		"BUG: unable to handle words\n": "", "WARNING: CPU: 0 at a\nCall Trace:\n f+0x1\n f+0xg/0x5\n ? g+0x1/0x2\n": "",
	} {
		got := ""
		for _, p := range textreport.Open(Family, log) {
			got += describe(p) + "\n"
		}
		if got != want {
			t.Errorf("%s\n%q\nwant\n%q", log, got, want)
		}
	}
	if all := textreport.Open(Family, fault+fault); len(all) != 2 {
		t.Errorf("%d reports", len(all))
	}
}

// What the kernel says of a fault tells memory that is mapped from memory that is not, and what the access was.
func TestFaults(t *testing.T) {
	const (
		arm = "Unable to handle kernel %s at virtual address ffff800010a51000\nInternal error: Oops: %s [#1] PREEMPT SMP%s\npc : f+0x10/0x20\n"
		x86 = "BUG: unable to handle kernel paging request at ffffffffa0001000\nOops: %s [#1] SMP\nRIP: 0010:[<ffffffff81234567>]  [<ffffffff81234567>] f+0x10/0x20\nCall Trace:\n" +
			" [<ffffffff81234600>] g+0x30/0x40\n"
		denied, absent = 2, 1
	)
	for _, tt := range []struct {
		log    string
		flags  uint32
		access process.Access
	}{
		{fmt.Sprintf(arm, "write to read-only memory", "9600004f", ""), denied, process.Write},
		{fmt.Sprintf(arm, "execute from non-executable memory", "000000008600000f", ""), denied, process.Execute},
		{fmt.Sprintf(arm, "read from unreadable memory", "9600000f", ""), denied, process.Read},
		{fmt.Sprintf(arm, "access to user memory outside uaccess routines", "9600004f", ""), denied, process.Write},
		{fmt.Sprintf(arm, "execution of user memory", "8600000e", ""), denied, process.Execute},
		{fmt.Sprintf(arm, "paging request", "96000007", ""), absent, process.Read},
		{fmt.Sprintf(arm, "paging request", "9600000d", ""), denied, process.Read},
		{fmt.Sprintf(arm, "paging request", "bf000002", ""), absent, process.UnknownAccess},
		{fmt.Sprintf(arm, "paging request", "805", " ARM"), absent, process.Write},
		{fmt.Sprintf(arm, "paging request", "80f", " ARM"), denied, process.Write},
		{fmt.Sprintf(arm, "paging request", "17", " ARM"), absent, process.UnknownAccess},
		{fmt.Sprintf(arm, "paging request", "805", ""), absent, process.UnknownAccess},
		{fmt.Sprintf(x86, "0000"), absent, process.Read},
		{fmt.Sprintf(x86, "0003"), denied, process.Write},
		{fmt.Sprintf(x86, "0011"), denied, process.Execute},
		{fmt.Sprintf(x86, "x"), absent, process.UnknownAccess},
	} {
		all := textreport.Open(Family, tt.log)
		if len(all) != 1 {
			t.Errorf("%s: %d reports", tt.log, len(all))
			continue
		}
		if e := all[0].Event; e.Flags != tt.flags || e.Access != tt.access {
			t.Errorf("%s: flags %d, access %d", tt.log, e.Flags, e.Access)
		}
		if f := all[0].Threads[0].Frames[0]; f.Stated.Function != "f" || !f.Interrupted {
			t.Errorf("%s: %+v", tt.log, f.Stated)
		}
	}
}

func describe(p *process.Process) string {
	var b strings.Builder
	for _, t := range p.Threads {
		fmt.Fprintf(&b, "%d %s:", t.ID, strings.TrimSuffix(t.Name, ":"))
		for _, f := range t.Frames {
			fmt.Fprintf(&b, " %s!%s+%#x", f.Stated.Module, f.Stated.Function, f.Stated.Offset)
			if f.Interrupted {
				b.WriteString("!")
			}
			if f.Stated.Line > 0 {
				fmt.Fprintf(&b, "@%d", f.Stated.Line)
			}
		}
		b.WriteString("; ")
	}
	if e := p.Event; e != nil {
		fmt.Fprintf(&b, "signal %d", e.Code)
		if !e.NoAddress {
			fmt.Fprintf(&b, " at %#x", e.Address)
		}
		fmt.Fprintf(&b, " access %d", e.Access)
		if regs := p.Threads[0].Registers; regs != nil && regs.Arch.Name == "amd64" {
			if reg, known := regs.Arch.Reg("rbx"); known {
				if v, known := regs.Regs.Get(reg); known {
					fmt.Fprintf(&b, ", rbx %x", v)
				}
			}
		}
	} else {
		fmt.Fprintf(&b, "problem %d %q", p.Problem.Kind, p.Problem.Text)
	}
	return b.String()
}

func FuzzRead(f *testing.F) { textreport.Fuzz(f, Family, fault) }
