package analyze

import (
	"slices"
	"strings"

	"crashglass/core/report"
)

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
