package analyze

import (
	"slices"
	"strings"

	"crashglass/core/cause/crash"
	"crashglass/core/process"
	"crashglass/core/report"
)

func (a *analysis) crashInfo(c *crash.Analysis) report.CrashInfo {
	out := report.CrashInfo{
		Type:             some(c.Reason),
		Instruction:      some(c.Instruction),
		MemoryAccesses:   a.accesses(c.Accesses),
		PossibleBitFlips: a.bitFlips(c.BitFlips),
		Note:             some(c.Note),
		Reason:           some(c.ReasonName),
		NoAddress:        some(c.NoAddress),
		PointerRegister:  some(c.PointerRegister),
	}
	if a.p.Event != nil { // without an exception there is nothing to be inconsistent
		out.Inconsistencies = append([]string{}, c.Inconsistencies...)
	}
	if c.HasAddress {
		out.Address = ptr(a.addr(c.Address))
	}
	if c.HasAccessed {
		out.Accessed = ptr(a.addr(c.Accessed))
	}
	if adj := c.Adjusted; adj != nil {
		value := ptr(a.addr(adj.Value))
		if adj.Null {
			out.AdjustedAddress = &report.Adjusted{Kind: "null-pointer", Offset: value}
		} else {
			out.AdjustedAddress = &report.Adjusted{Kind: "non-canonical", Address: value}
		}
	}
	if u := c.IPUpdate; u != nil {
		out.InstructionPointerUpdate = &report.IPUpdate{Address: a.addr(u.Address), LikelyGuard: u.LikelyGuard}
	}
	if e := a.p.Event; e != nil && !a.p.Lacks.Has(process.SignalNumber) {
		out.Code = ptr(report.Addr(uint64(e.Code), 4))
		if !a.p.Lacks.Has(process.SignalCode) {
			out.Flags = ptr(report.Addr(uint64(e.Flags), 4))
		}
	}
	for _, p := range c.Parameters {
		out.Parameters, out.ParameterMeanings = append(out.Parameters, a.addr(p.Value)), append(out.ParameterMeanings, p.Meaning)
	}
	return out
}

// accesses keeps the difference between none (empty) and not known (null).
func (a *analysis) accesses(list []crash.Access) []report.Access {
	if list == nil {
		return nil
	}
	out := []report.Access{}
	for _, acc := range list {
		r := report.Access{Address: a.addr(acc.Address), LikelyGuard: acc.LikelyGuard, AccessType: acc.Kind.String()}
		if acc.Size > 0 && acc.Size < 256 {
			r.Size = ptr(uint8(acc.Size))
		}
		out = append(out, r)
	}
	return out
}

// bitFlips converts the candidates of package crash. rust-minidump computes the confidence with 32
// bits and writes all its digits, so it is converted and not rounded.
func (a *analysis) bitFlips(list []crash.BitFlip) []report.BitFlip {
	var out []report.BitFlip
	for _, b := range list {
		out = append(out, report.BitFlip{
			Address: a.addr(b.Address), SourceRegister: some(b.Register), Confidence: ptr(float64(b.Confidence)),
			Details: report.BitFlipDetails{
				WasNonCanonical: b.NonCanonical, IsNull: b.Null, WasLow: b.Low,
				NearbyRegisters: b.NearbyRegisters, PoisonRegisters: b.Poison,
			},
		})
	}
	return out
}

func verdict(in *crash.Input, v crash.Result) report.Verdict {
	out := report.Verdict{
		What: v.What, Where: some(v.Where), At: some(v.At), Detail: v.Detail, Crashed: v.Crashed, Guess: v.Guess,
		Badges: []report.Badge{},
	}
	if v.Goroutine != 0 {
		out.Goroutine = &v.Goroutine
	}
	if v.Frame >= 0 {
		out.Row = ptr(in.Skipped + v.Frame)
		if call := in.Frames[v.Frame].Inline; call != nil {
			out.Kind = call.Kind
		}
	}
	for _, b := range v.Badges {
		badge := report.Badge{Kind: report.BadgeKind(b.Kind), Finding: report.FindingKind(b.Finding), Text: b.Text, Evidence: append([]string{}, b.Evidence...)}
		if b.HasConfidence {
			badge.Confidence = ptr(b.Confidence)
		}
		if badge.Kind == report.BadgeCause {
			out.Finding, out.Confidence = badge.Finding, badge.Confidence
		}
		out.Badges = append(out.Badges, badge)
	}
	return out
}

// fresh keeps the badges that add something to the verdict's title and explanation, and to the
// badges before them. A repeated claim is not evidence.
func fresh(v *report.Verdict) []report.Badge {
	out := []report.Badge{}
	said := []string{v.Detail}
	for _, b := range v.Badges {
		b.Evidence = slices.DeleteFunc(slices.Clone(b.Evidence), func(sentence string) bool {
			return slices.ContainsFunc(said, func(s string) bool { return strings.Contains(s, sentence) })
		})
		if len(b.Evidence) == 0 || !fits(&b, v) {
			continue
		}
		said = append(said, b.Evidence...)
		out = append(out, b)
	}
	return out
}

// unexplained are the causes that say what failed, but not why. Only for these may a flipped bit be
// the reason; with any other cause it is a coincidence.
var unexplained = []report.FindingKind{"", report.FindingBitFlip, report.FindingUnmapped, report.FindingNonCanonical}

// fits reports whether a claim is shown with the verdict.
func fits(b *report.Badge, v *report.Verdict) bool {
	switch b.Finding {
	case report.FindingBitFlip:
		return slices.Contains(unexplained, v.Finding)
	case report.FindingFirstOwn: // the title names it
		return v.Where == nil || !strings.HasSuffix(b.Text, *v.Where)
	}
	return true
}
