package text

import (
	"strconv"
	"strings"

	"crashglass/core/machine/cpu"
)

// A Table maps keys to values: ";amd64=amd64;i386=x86". Each pair begins with a semicolon, so ";key=" finds a whole key and no end of another one.
// Keys and values are constants of this program, without ';' and '=', and each key is there once: TestTables checks all tables. A set has empty
// values: ";Unit=;Package=". Tables of the same kind can be added.
//
// A constant text needs no code. The compiler fills each map by code of its own, which the page loads: a hundred bytes for each key.
// A search is linear, and tables are short.
type Table string

// Of returns the value of a key. A key comes from a report: one with ';' or '=' is in no table, and must not match parts of several pairs.
func (t Table) Of(key string) (value string, ok bool) {
	if strings.ContainsAny(key, ";=") {
		return "", false
	}
	_, value, ok = strings.Cut(string(t), ";"+key+"=")
	value, _, _ = strings.Cut(value, ";")
	return value, ok
}

// Number returns the value of a key as a number: decimal, or hexadecimal behind 0x.
func (t Table) Number(key string) (uint32, bool) {
	value, _ := t.Of(key)
	n, err := strconv.ParseUint(value, 0, 32)
	return uint32(n), err == nil
}

// CPU returns the CPU whose name is the value of a key, or nil.
func (t Table) CPU(key string) *cpu.Arch {
	name, _ := t.Of(key)
	return cpu.ByName(name)
}
