package dwarf

import (
	"testing"

	"crashglass/core/testkit/values"
)

// A caller is drawn with what it says of a call that returns to 0x1421.
type caller struct {
	name   string
	says   []any // of the call
	around func(call ent) ent
	value  []any // of what it passed
	want   string
}

// What a caller passed in rdi (register 5) is found through the entry of its
// call (DWARF 5, section 3.4; GNU's before it). The function called is at 0x1000.
func TestCallSites(t *testing.T) {
	const gone, found = "<optimized_out>", "= 7"
	returns := says{atCallReturn, addr(0x1421)}
	origin := says{atCallOrigin, ref4("f")}
	passed := []any{says{atLocation, ops{opReg0 + 5}}, says{atCallValue, ops{opLit0 + 7}}}
	target := func(code ...byte) says { return says{atCallTarget, ops(code)} }
	f := []byte{opAddr, 0, 0x10, 0, 0, 0, 0, 0, 0}
	for _, test := range []caller{
		{name: "DWARF 5", says: []any{returns, origin}, value: passed, want: found},
		{name: "a target that is computed", says: []any{returns, target(f...)}, value: passed, want: found},
		{name: "another target", says: []any{returns, target(opLit0)}, value: passed, want: gone},
		{name: "a target that is not known", says: []any{returns, target(opReg0)}, value: passed, want: gone},
		{name: "a target counts before an origin", says: []any{returns, origin, target(opLit0)}, value: passed, want: gone},
		{name: "no target", says: []any{returns}, value: passed, want: gone},
		{name: "an origin that is not there", says: []any{returns, says{atCallOrigin, raw{formRef4, []byte{0xff, 0xff, 0, 0}}}}, value: passed, want: gone},
		{name: "by declaration", says: []any{returns, says{atCallOrigin, ref4("declared")}}, value: passed, want: found},
		{name: "by a declaration that linkers do not see", says: []any{returns, says{atCallOrigin, ref4("static")}}, value: passed, want: gone},
		{name: "by a declaration of another", says: []any{returns, says{atCallOrigin, ref4("other")}}, value: passed, want: gone},
		{name: "another call", says: []any{says{atCallReturn, addr(0x1430)}, origin}, value: passed, want: gone},
		{name: "a jump", says: []any{returns, origin, says{name: atTailCall, value: true}}, value: passed, want: gone},
		{name: "in a block", says: []any{returns, origin}, value: passed, around: func(call ent) ent { return tag(tagBlock, call) }, want: found},
		{name: "in what is inlined", says: []any{returns, origin}, value: passed, around: func(call ent) ent { return tag(tagInlined, call) }, want: found},
		{name: "in try and catch", says: []any{returns, origin}, value: passed, around: func(call ent) ent { return tag(tagTry, tag(tagCatch, call)) }, want: found},
		{name: "in a function inside", says: []any{returns, origin}, value: passed, around: func(call ent) ent { return tag(tagSubprogram, "lambda", call) }, want: gone},
		{name: "in regx", says: []any{returns, origin}, value: []any{says{atLocation, ops{opRegx, 5}}, says{atCallValue, ops{opLit0 + 7}}}, want: found},
		{name: "in another register", says: []any{returns, origin}, value: []any{says{atLocation, ops{opReg0 + 4}}, says{atCallValue, ops{opLit0 + 7}}}, want: gone},
		{name: "in memory", says: []any{returns, origin}, value: []any{says{atLocation, ops{opBreg0 + 5, 0}}, says{atCallValue, ops{opLit0 + 7}}}, want: gone},
		{name: "in two registers", says: []any{returns, origin}, value: []any{says{atLocation, ops{opReg0 + 5, opReg0 + 4}}, says{atCallValue, ops{opLit0 + 7}}}, want: gone},
		{name: "without a value", says: []any{returns, origin}, value: []any{says{atLocation, ops{opReg0 + 5}}}, want: gone},
		{name: "a register of the caller", says: []any{returns, origin}, value: []any{says{atLocation, ops{opReg0 + 5}}, says{atCallValue, ops{opBreg0 + 3, 2}}}, want: "= 87"},
		{name: "a damaged value", says: []any{returns, origin}, value: []any{says{atLocation, ops{opReg0 + 5}}, says{atCallValue, ops{opPlus}}}, want: "<unreadable>"},
	} {
		site := tag(tagCallSite, append(test.says, tag(tagCallValue, test.value...))...)
		checkCall(t, test.name, test.want, site, test.around, says{name: atAllCalls, value: true})
	}

	// GNU's have other tags and names, and say by DW_AT_low_pc where they return to.
	gnu := tag(tagGNUCallSite, says{atLowPC, addr(0x1421)}, says{atAbstractOrigin, ref4("f")},
		tag(tagGNUCallValue, says{atLocation, ops{opReg0 + 5}}, says{atGNUCallValue, ops{opLit0 + 7}}))
	checkCall(t, "GNU", found, gnu, nil, says{name: atGNUAllCalls, value: true})
	checkCall(t, "GNU's tail calls", found, gnu, nil, says{name: atGNUAllTailCalls, value: true})
	checkCall(t, "all tail calls", found, gnu, nil, says{name: atAllTailCalls, value: true})
	checkCall(t, "calls that are not all there", gone, gnu, nil, says{name: 0x3fff, value: true})
	gnu.says = append(gnu.says, says{name: atGNUTailCall, value: true})
	checkCall(t, "GNU's jump", gone, gnu, nil, says{name: atGNUAllCalls, value: true})
}

// checkCall reads in f what the function at 0x1400 passed to it. all is what f
// says of its own calls.
func checkCall(t *testing.T, name, want string, site ent, around func(ent) ent, all says) {
	t.Helper()
	if around != nil {
		site = around(site)
	}
	variable := tag(tagVariable, "v", of("int"), says{atLocation, ops{opEntryValue, 1, opReg0 + 5, opStackValue}})
	external := says{name: atExternal, value: true}
	f := newTree().unit(5, cplus(base("int", encodingSigned, 4),
		body(external, all, variable),
		tag(tagSubprogram, "g", says{atLowPC, addr(0x1400)}, says{atHighPC, 0x100}, site),
		tag(tagSubprogram, "f", external, says{name: atDeclaration, value: true}).at("declared"),
		tag(tagSubprogram, "f", says{name: atDeclaration, value: true}).at("static"),
		tag(tagSubprogram, "h", external, says{name: atDeclaration, value: true}).at("other"),
	)).open(t)
	at := frame(f, 0x1010, nil)
	at.Caller = frame(f, 0x1420, nil)
	if got := values.Shown(at); got != "f: v "+want {
		t.Errorf("%s: %s, want %s", name, got, want)
	}
}

// A function that is tail-called may tail-call back. Then the registers at entry belong to another
// call.
func TestTailCalls(t *testing.T) {
	function := func(name string, low int, parts ...any) ent {
		return tag(tagSubprogram, append([]any{name, says{atLowPC, addr(low)}, says{atHighPC, 0x10}, says{name: atAllCalls, value: true}}, parts...)...)
	}
	jump := func(to string) ent {
		return tag(tagCallSite, says{name: atTailCall, value: true}, says{atCallOrigin, ref4(to)})
	}
	for _, test := range []struct {
		name string
		f    []any
		want string
	}{
		{"none", nil, ""},
		{"to a function that ends", []any{jump("end")}, ""},
		{"to itself", []any{jump("f")}, "f may have been entered by a jump from itself"},
		{"to one that jumps back", []any{jump("back")}, "f may have been entered by a jump from itself"},
		{"in a circle without it", []any{jump("circle")}, ""},
		{"to one of another module", []any{jump("elsewhere")}, "f ends in a jump to elsewhere, which may have jumped back"},
		{"to one that does not say", []any{jump("silent")}, "what silent jumps to at its end is not known, so it may have been entered by a jump"},
		{"to what is computed", []any{tag(tagCallSite, says{name: atTailCall, value: true}, says{atCallOrigin, ref4("end")}, says{atCallTarget, ops{opReg0}})},
			"what f jumps to at its end is not known, so it may have been entered by a jump"},
		{"to what is not named", []any{tag(tagCallSite, says{name: atTailCall, value: true})}, "what f jumps to at its end is not known, so it may have been entered by a jump"},
	} {
		f := newTree().unit(5, cplus(
			function("f", 0x1000, append([]any{says{name: atExternal, value: true}}, test.f...)...), function("end", 0x1100), function("back", 0x1200, jump("f")),
			function("circle", 0x1300, jump("other")), function("other", 0x1400, jump("circle")),
			tag(tagSubprogram, "elsewhere", says{name: atDeclaration, value: true}), tag(tagSubprogram, "silent", says{atLowPC, addr(0x1500)}, says{atHighPC, 0x10}),
		)).open(t)
		start, name, err := f.Entered(0x1008)
		got := ""
		if err != nil {
			got = err.Error()
		} else if start != 0x1000 || name != "f" {
			t.Errorf("%s: entered at %#x, %s", test.name, start, name)
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if _, _, err := twoFunctions().open(t).Entered(0x1150); err == nil || err.Error() != "nothing is known of how the function was entered" {
		t.Errorf("outside: %v", err)
	}
}
