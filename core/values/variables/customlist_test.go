package variables

import (
	"testing"

	"crashglass/core/values/types"
)

// A table of two buckets with a list each: 7, 8 and 9.
func TestCustomList(t *testing.T) {
	node := structure("Node", 16)
	node.Members = []types.Member{member("value", 0, long), member("next", 8, pointer(node))}
	table := structure("Table", 24, member("buckets", 0, pointer(pointer(node))), member("count", 8, integer), member("used", 12, integer), member("own", 16, array(integer, 2)))
	m := memory{0x100: words(0x200, 3<<32|2, 6<<32|5), 0x200: words(0x300, 0x320), 0x300: words(7, 0x310), 0x310: words(8, 0), 0x320: words(9, 0)}
	const walk = `<Variable Name="i" InitialValue="0"/><Variable Name="n" InitialValue="*buckets"/>
		<Loop Condition="i &lt; count"><Exec>n = buckets[i]</Exec><Loop Condition="n"><Item>n-&gt;value</Item><Exec>n = n-&gt;next</Exec></Loop><Exec>i++</Exec></Loop>`
	const members = "t {buckets = 0x0000000000000200, count = 2, used = 3, own {[0] = 5, [1] = 6}}"
	const endless = `<Variable Name="i" InitialValue="0"/><Loop><Exec>i++</Exec></Loop>`
	for _, test := range []struct{ name, body, want string }{
		{"nested loops", walk, "t {[0] = 7, [1] = 8, [2] = 9}"},
		{"a size", "<Size>used</Size>" + walk, "t {[0] = 7, [1] = 8, [2] = 9}"},
		{"a size that the list does not reach", "<Size>used + 4</Size>" + walk, "t {[0] = 7, [1] = 8, [2] = 9}"},
		{"branches", `<Variable Name="i" InitialValue="0"/><Loop><Break Condition="i == 4"/><If Condition="i == 0"><Item Name="none">i</Item></If>
			<Elseif Condition="i == 1"><Item Name="key {i}">i + 1</Item></Elseif><Else><Item>i * 10</Item></Else><Exec>i += 1</Exec></Loop>`, "t {none = 0, key 1 = 2, [2] = 20, [3] = 30}"},
		{"an array", `<Variable Name="p" InitialValue="own"/><Loop Condition="p != own + 2"><Item>*p</Item><Exec>++p</Exec></Loop>`, "t {[0] = 5, [1] = 6}"},
		{"a number keeps its type", `<Variable Name="c" InitialValue="(unsigned char)255"/><Exec>c = c + 1</Exec><Item>c == 0</Item>`, "t {[0] = 1}"},
		{"a break outside of loops", `<Item>1</Item><Break/><Item>2</Item>`, "t {[0] = 1}"},
		{"beside an item", `<Item>size_t(1) + 'AB'</Item>`, members}, // there is no type size_t
		{"endless", endless, members},
		{"an unknown variable", `<Exec>x = 1</Exec>`, members},
		{"an address becomes a number", `<Variable Name="i" InitialValue="0"/><Exec>i = *buckets</Exec><Item>i</Item>`, members},
		{"null", `<Variable Name="n" InitialValue="(Node *)0"/><Item>n-&gt;value</Item>`, members},
		{"an unknown condition", `<Loop Condition="gone"><Item>1</Item></Loop>`, members},
		{"an unknown name", `<Item Name="{gone}">1</Item>`, members},
		{"a negative size", `<Size>-1</Size><Item>1</Item>`, members},
	} {
		f := frameOf(m, at("t", 0x100, table))
		f.Symbols.Classes = debugged{types: map[string]*types.Type{"Node": node, "int": integer}}
		f.Lists = CustomLists()
		f.Views = viewsOf(t, `<Type Name="Table"><Expand><CustomListItems>`+test.body+`</CustomListItems></Expand></Type>`)
		v := Read(f, Limits{})[0].Values[0]
		if got := shown([]*Value{withoutRaw(v)}); got != test.want || v.More != 0 {
			t.Errorf("%s: %s and %d more\nwant %s", test.name, got, v.More, test.want)
		}
	}
}

// Of many items some are shown, and the others are counted: by the size, or up to the end or the bound of steps.
func TestCustomListOfMany(t *testing.T) {
	table := structure("Table", 8, member("n", 0, long))
	const loop = `<Variable Name="i" InitialValue="0"/><Loop Condition="i &lt; n"><Item>i</Item><Exec>i++</Exec></Loop>`
	for _, test := range []struct {
		body  string
		items uint64
		more  uint64
	}{
		{loop, 1000, 996},
		{"<Size>n</Size>" + loop, 1000, 996},
		{"<Size>n</Size>" + loop, 1 << 30, 1<<30 - 4},
		{loop, 1 << 30, maxSteps/4 - 4}, // a turn is four steps
		{loop, 4, 0},
	} {
		f := frameOf(memory{0x100: words(test.items)}, at("t", 0x100, table))
		f.Lists = CustomLists()
		f.Views = viewsOf(t, `<Type Name="Table"><Expand><CustomListItems>`+test.body+`</CustomListItems></Expand></Type>`)
		v := withoutRaw(Read(f, Limits{Elements: 4})[0].Values[0])
		if len(v.Children) != 4 || v.More != test.more {
			t.Errorf("%s of %d: %d items and %d more, want 4 and %d", test.body, test.items, len(v.Children), v.More, test.more)
		}
	}
}
