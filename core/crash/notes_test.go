package crash

import "testing"

// names.of needs every table of explanations sorted, too.
func TestNotesAreSorted(t *testing.T) {
	tables := map[string]names{
		"windowsNotes": windowsNotes, "windowsNames": windowsNames, "luaCodes": luaCodes, "signalNotes": signalNotes, "machNotes": machNotes,
		"fastFailNotes": fastFailNotes, "laterFastFails": laterFastFails, "otherSignals": otherSignals, "auditArchs": auditArchs, "results": results,
	}
	for signal, list := range laterCodes {
		tables["laterCodes of "+signals.of(signal)] = list
	}
	for _, list := range laterFlavors {
		tables["laterFlavors"+list[0].text] = list
	}
	for name, list := range tables {
		for i := range list {
			if i > 0 && list[i-1].code >= list[i].code {
				t.Errorf("%s: %#x follows %#x", name, list[i].code, list[i-1].code)
			}
		}
	}
}
