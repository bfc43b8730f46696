package dwarf

import (
	"strings"
	"testing"

	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/values"
	"crashglass/core/values/variables"
)

// staticsOf lists the variables outside of functions with their values.
func staticsOf(t *testing.T, d *tree, m captured) string {
	t.Helper()
	f := d.open(t)
	var list []string
	for _, v := range variables.Named([]string{"*"}, variables.Limits{})(frame(f, 0x1000, m)) {
		list = append(list, values.One(v))
	}
	check(t, f)
	return strings.Join(list, ", ")
}

func global(name string, at byte) ent {
	return tag(tagVariable, name, of("int"), says{atLocation, ops{opAddr, 0, at, 0, 0, 0, 0, 0, 0}})
}

// A file of variables only is a unit without code. Such units are found beyond
// those that are read in any case, too.
func TestStaticsOfAUnitWithoutCode(t *testing.T) {
	i := base("int", encodingSigned, 4)
	large := says{0x3fff, raw{formBlock4, append(asm.At(0).U32(maxUnplaced).Build(t), make([]byte, maxUnplaced)...)}}
	code := cplus(i, global("beside_code", 0x30), body())
	data := tag(tagCompileUnit, says{atLanguage, langC11}, i, global("only_here", 0x20))
	other := data
	other.says = append([]says{large}, data.says...)
	for want, d := range map[string]*tree{
		"only_here = 5, beside_code = 6": newTree().unit(5, data).unit(4, code),
		"beside_code = 6, only_here = 5": newTree().unit(5, other).unit(4, code),
	} {
		if got := staticsOf(t, d, captured{0x7000_2000: 5, 0x7000_3000: 6}); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
