package triage

// A State is the change of a group since a baseline.
type State string

// The states.
const (
	New   State = "new"   // the baseline does not have it
	Back  State = "back"  // the baseline has it as gone, so an older one had it
	Grown State = "grown" // it has more dumps
	Known State = "known" // it has as many dumps, or fewer
	Gone  State = "gone"  // only the baseline has it
)

// A Change is a group with its state.
type Change struct {
	Group
	State  State  `json:"state,omitempty"`
	Before uint64 `json:"before,omitempty"` // its count in the baseline
}

// Against compares groups with those of a baseline. Groups that only the baseline has come last.
// Without a baseline no group has a state. A group without dumps, which an earlier comparison wrote as
// gone, counts as absent.
func (s *Set) Against(baseline *Set) (out []Change) {
	for _, g := range s.Groups() {
		c := Change{Group: g}
		if baseline != nil && g.Count == 0 {
			continue
		}
		if baseline != nil {
			was, known := baseline.groups[key{g.Kind, g.Signature}]
			c.Before = was.Count
			c.State = stateOf(known, c.Before, g.Count)
		}
		out = append(out, c)
	}
	if baseline == nil {
		return out
	}
	for _, g := range baseline.Groups() {
		if s.groups[key{g.Kind, g.Signature}].Count == 0 && g.Count > 0 {
			before := g.Count
			g.Count = 0
			out = append(out, Change{g, Gone, before})
		}
	}
	return out
}

func stateOf(known bool, before, now uint64) State {
	switch {
	case !known:
		return New
	case before == 0:
		return Back
	case now > before:
		return Grown
	}
	return Known
}
