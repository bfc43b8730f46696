package cpu

import (
	"slices"
	"testing"
)

// TestArchs checks what must be true of every description.
func TestArchs(t *testing.T) {
	for _, a := range All() {
		if a.Word != 4 && a.Word != 8 {
			t.Errorf("%s: word of %d bytes", a.Name, a.Word)
		}
		if len(a.Regs) == 0 || len(a.Regs) > maxRegs {
			t.Errorf("%s: %d registers", a.Name, len(a.Regs))
		}
		if ByName(a.Name) != a {
			t.Errorf("%s is not found by its name", a.Name)
		}
		for i, name := range a.Regs {
			if slices.Index(a.Regs, name) != i {
				t.Errorf("%s: %s is there twice", a.Name, name)
			}
			if r, ok := a.Reg(name); !ok || r != Reg(i) || a.RegName(r) != name {
				t.Errorf("%s: %s is register %d", a.Name, name, r)
			}
			if r, ok := a.Reg("$" + name); !ok || r != Reg(i) {
				t.Errorf("%s: $%s is register %d", a.Name, name, r)
			}
		}
		for alias, r := range a.Aliases {
			if slices.Contains(a.Regs, alias) || int(r) >= len(a.Regs) || r < 0 {
				t.Errorf("%s: alias %s for register %d", a.Name, alias, r)
			}
			if got, ok := a.Reg(alias); !ok || got != r {
				t.Errorf("%s: alias %s is register %d", a.Name, alias, got)
			}
		}
		for r := range Reg(maxRegs) {
			if a.CalleeSaved.Has(r) && (int(r) >= len(a.Regs) || r == a.PC || r == a.SP) {
				t.Errorf("%s: register %d is callee-saved", a.Name, r)
			}
		}
	}
	if ByName("vax") != nil {
		t.Error("there is a vax")
	}
}

// TestRoles names the registers that unwinding depends on, from the ABIs.
func TestRoles(t *testing.T) {
	tests := []struct {
		arch           *Arch
		pc, sp, fp, lr string
		callee         []string // some of them
	}{
		{&X86, "eip", "esp", "ebp", "", []string{"ebx", "esi", "edi", "ebp"}},
		{&AMD64, "rip", "rsp", "rbp", "", []string{"rbx", "rbp", "r12", "r15"}},
		{&ARM, "pc", "sp", "fp", "lr", []string{"r4", "r10", "fp"}},
		{&ARM64, "pc", "sp", "fp", "lr", []string{"x19", "x28", "fp"}},
		{&MIPS, "pc", "sp", "fp", "ra", []string{"s0", "s7", "fp"}},
		{&MIPS64, "pc", "sp", "fp", "ra", []string{"s0", "s7", "fp", "gp"}},
		{&PPC, "srr0", "r1", "", "lr", []string{"r14", "r31"}},
		{&PPC64, "srr0", "r1", "", "lr", []string{"r14", "r31"}},
		{&RISCV, "pc", "sp", "s0", "ra", []string{"s0", "s1", "s2", "s11"}},
		{&RISCV64, "pc", "sp", "s0", "ra", []string{"s0", "s1", "s2", "s11"}},
	}
	for _, tt := range tests {
		a := tt.arch
		if a.RegName(a.PC) != tt.pc || a.RegName(a.SP) != tt.sp || a.RegName(a.FP) != tt.fp || a.RegName(a.LR) != tt.lr {
			t.Errorf("%s: pc %s, sp %s, fp %s, lr %s", a.Name, a.RegName(a.PC), a.RegName(a.SP), a.RegName(a.FP), a.RegName(a.LR))
		}
		for _, name := range tt.callee {
			if r, _ := a.Reg(name); !a.CalleeSaved.Has(r) {
				t.Errorf("%s: %s is not callee-saved", a.Name, name)
			}
		}
	}
}

func TestAliases(t *testing.T) {
	tests := []struct {
		arch        *Arch
		alias, name string
	}{
		{&AMD64, "rflags", "eflags"}, {&X86, "efl", "eflags"}, {&ARM, "r11", "fp"}, {&ARM, "r13", "sp"}, {&ARM, "r15", "pc"},
		{&ARM64, "x29", "fp"}, {&ARM64, "x30", "lr"}, {&MIPS, "$to", "t0"}, {&PPC, "sp", "r1"}, {&RISCV, "x2", "sp"},
		{&RISCV64, "fp", "s0"}, {&RISCV64, "x31", "t6"}, {&RISCV64, "x18", "s2"},
	}
	for _, tt := range tests {
		r, ok := tt.arch.Reg(tt.alias)
		if !ok || tt.arch.RegName(r) != tt.name {
			t.Errorf("%s: %s is %s", tt.arch.Name, tt.alias, tt.arch.RegName(r))
		}
	}
	for _, name := range []string{"", "$", "$$sp", "nope", "RIP"} {
		if _, ok := AMD64.Reg(name); ok {
			t.Errorf("there is a register %q", name)
		}
	}
	if AMD64.RegName(None) != "" || AMD64.RegName(100) != "" {
		t.Error("a register that is none has a name")
	}
}

func TestRegs(t *testing.T) {
	var r Regs
	if _, ok := r.Get(RAX); ok || r.Value(RAX) != 0 || r.Known() != 0 {
		t.Error("the zero value knows something")
	}
	r.Set(RAX, 0)
	r.Set(RIP, 7)
	r.Set(None, 9)
	r.Set(maxRegs, 9)
	if v, ok := r.Get(RAX); v != 0 || !ok {
		t.Error("zero is not unknown")
	}
	if r.Value(RIP) != 7 || r.Known() != SetOf(RAX, RIP) {
		t.Errorf("known %b", r.Known())
	}
	if _, ok := r.Get(None); ok {
		t.Error("None has a value")
	}
	kept := r.Keep(SetOf(RIP))
	if kept.Known() != SetOf(RIP) || r.Known() != SetOf(RAX, RIP) {
		t.Errorf("kept %b of %b", kept.Known(), r.Known())
	}
	var order []Reg
	for reg, v := range r.All() {
		order = append(order, reg)
		if v != r.Value(reg) {
			t.Errorf("%d is %d", reg, v)
		}
	}
	if !slices.Equal(order, []Reg{RAX, RIP}) {
		t.Errorf("order %v", order)
	}
	for range r.All() { // stopping early is allowed
		break
	}
	r.Forget(RAX)
	r.Forget(None)
	if r.Known() != SetOf(RIP) {
		t.Errorf("known %b after forgetting", r.Known())
	}
}

func TestMask(t *testing.T) {
	if X86.Mask() != 0xffff_ffff || AMD64.Mask() != ^uint64(0) {
		t.Error("masks")
	}
}
