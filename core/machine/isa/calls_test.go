package isa

import "testing"

// EndsInCall reports whether code of x86 or amd64 ends in a call.
func (s *Set) EndsInCall(code []byte) bool {
	_, direct, indirect := s.CallBefore(code)
	return direct || indirect
}

func TestEndsInCall(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       bool
	}{
		{name: "call rel32", code: "e800000000", want: true},
		{name: "call rax", code: "ffd0", want: true},
		{name: "call r12", code: "41ffd4", want: true},
		{name: "call [rax+58h]", code: "ff5058", want: true},
		{name: "call [rsp+10h]", code: "ff542410", want: true},
		{name: "call [rip+20h]", code: "ff1520000000", want: true},
		{name: "call [rax*8+1000h]", code: "ff14c500100000", want: true},
		{name: "jmp rax", code: "ffe0"},
		{name: "call [rax+58h]; ret", code: "ff5058c3"},
		{name: "nothing", code: ""},
		{name: "the end of an operand", code: "00000000"},
	} {
		if got := AMD64.EndsInCall(unhex(t, tt.code)); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
	far := unhex(t, "9a000000000000") // call far, which is no instruction of amd64
	if !X86.EndsInCall(far) || AMD64.EndsInCall(far) {
		t.Error("call far")
	}
	if rel, direct, indirect := AMD64.CallBefore(unhex(t, "90e8f0ffffff")); rel != -16 || !direct || indirect {
		t.Errorf("%d %v %v", rel, direct, indirect)
	}
}

// Clang checks a return address that autibsp has authenticated before it jumps
// to another function.
func TestAuthCheck(t *testing.T) {
	for _, tt := range []struct {
		name, code string
		want       int
	}{
		{"eor x16, x30, x30, lsl #1; tbz x16, #62, .+8; brk #0xc471", "d0071eca5000f0b6208e38d4", 12},
		{"eor x17, x30, x30, lsl #1; tbz x17, #62, .+8; brk #0xc470", "d1071eca5100f0b6008e38d4", 12},
		{"tbz x16, #62, .+8; brk #0xc471", "5000f0b6208e38d4", 8},
		{"brk #0xc471", "208e38d4", 4},
		{"brk #0xc472: authentication of data", "408e38d4", 0},
		{"brk #1", "200020d4", 0},
		{"tbz x16, #62, .+8; nop", "5000f0b61f2003d5", 0},
		{"not all of it", "d0071eca5000f0b6", 0},
		{"nothing", "", 0},
	} {
		if got := AuthCheck(unhex(t, tt.code)); got != tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, got, tt.want)
		}
	}
}
