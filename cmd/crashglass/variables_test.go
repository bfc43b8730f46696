package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// A variable has the fields that the test reads.
type variable struct {
	Name     string
	State    string
	Value    *string
	Children []variable
}

// values returns the values of a frame by path.
func values(list []variable, prefix string, out map[string]string) {
	for _, v := range list {
		text := "<" + v.State + ">"
		if v.Value != nil {
			text = *v.Value
		}
		out[prefix+v.Name] = text
		values(v.Children, prefix+v.Name+".", out)
	}
}

// Values of variables equal those that LLDB read in the live process (corpus/vars/truth).
func TestVariablesAsALiveDebugger(t *testing.T) {
	const root = "../../../shared/corpus/vars/"
	if _, err := os.Stat(root); err != nil {
		t.Skip(root + " is not there")
	}
	for _, test := range []struct {
		dump, native string
		frame        int
		want         map[string]string
	}{
		{"shop_o0.full", "shop_o0", 0, map[string]string{
			"o.customer": `"Carol with a rather long name that is not inline"`, "o.lines.[1]": "13", "o.prices.[0].first": `"nail"`, "o.color": "blue",
			"c": `'\xfd'`, "ld": "1.25", "w": "L'z'", "ref.p.y": "-4", "grid.[1].[2]": "6", "why": `0x00007fffffffefb8 "/home/build/vars/native/shop_o0"`,
		}},
		{"shop_o0", "shop_o0", 0, map[string]string{"sum": "28", "d.Base.id": "41", "big": "18369614221190020847"}},
		{"shop_o0.full", "shop_o0", 3, map[string]string{"a.pointer": "0x0000555555574020", "v.Value": `"text"`, "fl": "both"}},
		{"plain_o2.full", "plain_o2", 0, map[string]string{"mask": "<optimized_out>", "w": "<optimized_out>"}},
		{"plain_o2.full", "plain_o2", 1, map[string]string{"argc": "1", "r": "0x0000555555558060", "weights.[2]": "-2.25"}},
		{"ledger_o0.full", "ledger_o0", 3, map[string]string{"level": "0", "scaled": "10.5", "total": "7"}},
	} {
		var out, errs strings.Builder
		if status := run([]string{"walk", "--format", "json", "--thread", "crashing", "--variables", "--symbols",
			root + "native/" + test.native, root + "dumps/" + test.dump + ".dmp"}, &out, &errs); status != 0 {
			t.Fatalf("%s: %s", test.dump, errs.String())
		}
		var r struct {
			Crashing struct {
				Frames []struct{ Variables []variable }
			} `json:"crashing_thread"`
		}
		if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
			t.Fatal(err)
		}
		have := map[string]string{}
		values(r.Crashing.Frames[test.frame].Variables, "", have)
		for path, want := range test.want {
			if have[path] != want {
				t.Errorf("%s, frame %d: %s = %s, want %s", test.dump, test.frame, path, have[path], want)
			}
		}
	}
}

// A report without variables has nothing of the process's memory.
func TestVariablesOnlyWhenAsked(t *testing.T) {
	const root = "../../../shared/corpus/vars/"
	if _, err := os.Stat(root); err != nil {
		t.Skip(root + " is not there")
	}
	for _, format := range []string{"json", "text", "html", "markdown"} {
		args := []string{"walk", "--format", format, "--symbols", root + "native/shop_o0", root + "dumps/shop_o0.full.dmp"}
		var out, errs strings.Builder
		if status := run(args, &out, &errs); status != 0 {
			t.Fatal(errs.String())
		}
		for _, secret := range []string{"Carol", "18369614221190020847", "rebate"} {
			if strings.Contains(out.String(), secret) {
				t.Errorf("%s has %q", format, secret)
			}
		}
	}
}

// In the formats for sharing, values are written on request: numbers always, texts only without
// masking.
func TestVariablesInEveryFormat(t *testing.T) {
	const root = "../../../shared/corpus/vars/"
	if _, err := os.Stat(root); err != nil {
		t.Skip(root + " is not there")
	}
	for _, tt := range []struct {
		format string
		reveal bool
		texts  bool
	}{
		{format: "json", texts: true},
		{format: "text", texts: true},
		{format: "html"},
		{format: "markdown"},
		{format: "html", reveal: true, texts: true},
		{format: "markdown", reveal: true, texts: true},
	} {
		args := []string{"walk", "--variables", "--format", tt.format, "--symbols", root + "native/shop_o0", root + "dumps/shop_o0.full.dmp"}
		if tt.reveal {
			args = append(args, "--reveal")
		}
		var out, errs strings.Builder
		if status := run(args, &out, &errs); status != 0 {
			t.Fatal(errs.String())
		}
		if got := out.String(); !strings.Contains(got, "rebate") || !strings.Contains(got, "1069547520") || strings.Contains(got, "Carol") != tt.texts {
			t.Errorf("%+v: member %v, number %v, text %v", tt, strings.Contains(got, "rebate"), strings.Contains(got, "1069547520"), strings.Contains(got, "Carol"))
		}
	}
}
