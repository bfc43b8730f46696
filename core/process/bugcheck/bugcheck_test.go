package bugcheck

import (
	"slices"
	"strings"
	"testing"
)

// The whole table is read: each kind has a meaning, names are those of constants, and texts are clauses.
func TestTable(t *testing.T) {
	all, err := parse(table)
	if err != nil || len(all) < 400 {
		t.Fatalf("%d bug checks, %v", len(all), err)
	}
	check := func(c *Check, r *row) {
		for _, k := range r.kinds {
			if Kind(k) != None && Kind(k).Meaning() == "" {
				t.Errorf("%s has a parameter of kind %q", c.Name, k)
			}
		}
		for i, w := range strings.Split(r.words, ";") {
			if w != "" && (i >= 4 || i < len(r.kinds) && r.kinds[i] == byte(None) && r == &c.row) {
				t.Errorf("%s: parameter %d is reserved, and has the word %q", c.Name, i+1, w)
			}
		}
		if strings.HasSuffix(r.text, ".") || strings.TrimSpace(r.text) != r.text {
			t.Errorf("%s: %q is no clause", c.Name, r.text)
		}
	}
	for code, c := range all {
		if c.Name != strings.ToUpper(c.Name) || strings.Trim(c.Name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" || code != c.Code {
			t.Errorf("%#x is %q", code, c.Name)
		}
		check(c, &c.row)
		for _, s := range c.sub {
			check(c, s.row)
			if s.text == "" && c.text == "" || s.from > s.to || len(s.kinds) < c.key {
				t.Errorf("%s, %#x to %#x: %q", c.Name, s.from, s.to, s.text)
			}
		}
		for _, f := range c.flags {
			if !strings.ContainsRune("lpmdghv", f) {
				t.Errorf("%s has the flag %q", c.Name, f)
			}
		}
	}
}

// Names and parameters of frequent bug checks, from Microsoft's reference.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		code  uint32
		first uint64
		name  string
		kinds string
		exact string
	}{
		{0xa, 0, "IRQL_NOT_LESS_OR_EQUAL", "aiow", ""},
		{0xd1, 0, "DRIVER_IRQL_NOT_LESS_OR_EQUAL", "aiow", ""},
		{0x7e, 0, "SYSTEM_THREAD_EXCEPTION_NOT_HANDLED", "xwrc", ""},
		{0x1000007e, 0, "SYSTEM_THREAD_EXCEPTION_NOT_HANDLED_M", "xwrc", ""},
		{0x100000d1, 0, "DRIVER_IRQL_NOT_LESS_OR_EQUAL", "aiow", ""},
		{0x3b, 0, "SYSTEM_SERVICE_EXCEPTION", "xwc-", ""},
		{0x9f, 3, "DRIVER_POWER_STATE_FAILURE", "kd*Q", "a driver has not completed a power request in time"},
		{0x133, 0, "DPC_WATCHDOG_VIOLATION", "kTT*", "one interrupt or deferred call (DPC) of a driver ran longer than its limit"},
		{0xf4, 3, "CRITICAL_OBJECT_TERMINATION", "kpu*", "a process that Windows cannot run without ended"},
		{0x1a7, 0, "SMB_REDIRECTOR_LIVEDUMP", "k*", ""},
		{0x131, 0, "INVALID_EXTENDED_PROCESSOR_STATE", "####", ""},
		{0x18d, 0, "SECURE_FAULT_UNHANDLED", "#arc", ""},
		{0xc4, 0x34, "DRIVER_VERIFIER_DETECTED_VIOLATION", "ki#L", "a driver acquired or released a lock at a wrong IRQL"},
		{0xc4, 0x123, "DRIVER_VERIFIER_DETECTED_VIOLATION", "k*--", "a driver waited for a program with an object on the kernel's stack"},
		{0x109, 0, "CRITICAL_STRUCTURE_CORRUPTION", "---k", ""},
		{0x7c, 9, "BUGCODE_NDIS_DRIVER", "k**-", "a network driver stopped while one of its timers runs"},
		{0xa5, 0xd, "ACPI_BIOS_ERROR", "k*##", "the firmware lacks a method or an object, or has it twice"},
		{0x15c, 7, "PDC_WATCHDOG_TIMEOUT_LIVEDUMP", "#k--", ""},
	} {
		c, ok := Of(tt.code)
		if !ok || c.Name != tt.name || Name(tt.code) != tt.name {
			t.Errorf("%#x: %+v", tt.code, c)
			continue
		}
		r := c.Read([]uint64{tt.first, 0, 0, 0})
		if r.Exact != tt.exact {
			t.Errorf("%#x: %q, want %q", tt.code, r.Exact, tt.exact)
		}
		for i := range tt.kinds {
			if r.Kinds[i] != Kind(tt.kinds[i]) {
				t.Errorf("%#x: parameter %d is %q, want %q", tt.code, i+1, r.Kinds[i], tt.kinds[i])
			}
		}
	}
	if c, ok := Of(0xdead); ok || c.Has(Live) || Name(0xdead) != "0x0000dead" {
		t.Errorf("an unknown code: %+v", c)
	}
}

func TestFlags(t *testing.T) {
	for code, want := range map[uint32]Flag{0x117: Live, 0x15e: Live, 0xe2: Asked, 0x161: Asked, 0x1a: Memory, 0x7a: Disk, 0x116: Graphics, 0x124: Hardware, 0xc4: Verifier} {
		if c, _ := Of(code); !c.Has(want) {
			t.Errorf("%#x lacks %c", code, want)
		}
	}
}

func TestAccessOf(t *testing.T) {
	d1, _ := Of(0xd1)
	fault, _ := Of(0x50)
	for _, tt := range []struct {
		c    *Check
		v    uint64
		want Access
	}{{d1, 0, Read}, {d1, 1, Write}, {d1, 2, Execute}, {d1, 8, Execute}, {d1, 7, Unknown}, {fault, 0, Read}, {fault, 2, Write}, {fault, 0x10, Execute}, {fault, 1, Write}} {
		if got := tt.c.AccessOf(tt.v); got != tt.want {
			t.Errorf("%s, %#x: %d, want %d", tt.c.Name, tt.v, got, tt.want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, text := range []string{"=1 a\n", " text only\n", "x - NAME\n", "1 - A\n=x -\n", "1\n"} {
		if all, err := parse(text); err == nil {
			t.Errorf("%q: %v", text, slices.Sorted(func(yield func(uint32) bool) {
				for k := range all {
					yield(k)
				}
			}))
		}
	}
}
