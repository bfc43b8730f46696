package analyze

import (
	"slices"
	"testing"

	"crashglass/core/report"
	"crashglass/core/stack/unwind"
)

// all lists the values of a small enumeration: String knows no others.
func all[T interface {
	~uint8
	String() string
}]() (names []string) {
	defer func() { _ = recover() }()
	for v := T(0); ; v++ {
		names = append(names, v.String())
	}
}

// The codes of a report are those of package unwind, which package report
// cannot import.
func TestCodes(t *testing.T) {
	tests := []struct {
		of         string
		have, want []string
	}{
		{"trust", all[unwind.Trust](), words(report.TrustNone, report.TrustScan, report.TrustCFIScan, report.TrustFramePointer, report.TrustLeaf, report.TrustCFI, report.TrustContext)},
		{"way", all[unwind.Way](), words(report.ByContext, report.ByCFI, report.ByWin, report.BySignal, report.ByCode, report.ByLeaf, report.ByLink,
			report.ByFramePointer, report.ByBackChain, report.ByScan, report.ByShadow)},
		{"method", all[unwind.Method](), words(report.SignalFrames, report.CallFrameInfo, report.WinFrames, report.FunctionCode, report.Nowhere, report.LeafReturn,
			report.LinkRegister, report.FramePointers, report.FrameChains, report.BackChain, report.RegisterWindows, report.StackScan, report.ShadowStack)},
		{"result", all[unwind.Result](), words(report.Nothing, report.Refused, report.Accepted)},
		{"end", all[unwind.EndKind]()[unwind.Undefined:], words(report.Undefined, report.ThreadStart, report.ZeroReturn, report.ShadowEnd, report.GuessedStart, report.GuessedUndefined,
			report.GuessedZero, report.ChainEnd, report.NoReturn, report.MemoryEnds, report.NotCaptured, report.NoStack, report.NoProgress, report.NoCode, report.FrameLimit, report.NoPC, report.NoCPU)},
	}
	for _, tt := range tests {
		if !slices.Equal(tt.have, tt.want) {
			t.Errorf("%s: package unwind has %q, package report %q", tt.of, tt.have, tt.want)
		}
	}
}

func words[T ~string](codes ...T) (out []string) {
	for _, c := range codes {
		out = append(out, string(c))
	}
	return out
}
