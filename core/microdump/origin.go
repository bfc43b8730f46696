package microdump

import (
	"fmt"
	"strings"

	"crashglass/core/snapshot"
)

// origin returns the facts of a microdump that have no stream in a minidump. The streams were laid
// out in memory and have no offset in a file. The version of the system is a text.
func (m *micro) origin() snapshot.Origin {
	lacks := snapshot.CPUModel | snapshot.SystemVersion | snapshot.SignalCode | snapshot.CodeIDs | snapshot.Places | snapshot.Copy
	if m.Signal == "" {
		lacks |= snapshot.SignalNumber
	}
	return snapshot.Origin{
		Kind: "microdump", Size: m.Size, Writer: "Breakpad", System: m.Build, GPU: m.GPU, Facts: m.facts(), Lacks: lacks, Notes: m.Notes, Detail: &m.Microdump,
	}
}

// facts have the names that crash reporters use.
func (m *micro) facts() []snapshot.Fact {
	// Breakpad asks its clients for "name:version".
	product, version := m.Product, ""
	if i := strings.LastIndexByte(product, ':'); i >= 0 {
		product, version = product[:i], product[i+1:]
	}
	space := ""
	if f := m.Space; f != nil {
		space = fmt.Sprintf("%d bytes in %d holes, the largest of %d", f.Total, f.Holes, f.Largest)
	}
	var out []snapshot.Fact
	for _, a := range []struct{ name, value string }{
		{"product", product}, {"version", version}, {"process_type", m.ProcessType},
		{"machine", m.Machine}, {"logged", m.Logged}, {"free address space", space},
	} {
		if a.value != "" {
			out = append(out, snapshot.Fact{Name: a.name, Value: a.value, Source: "microdump"})
		}
	}
	return out
}
