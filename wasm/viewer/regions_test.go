package main

import (
	"testing"

	"crashglass/wasm/internal/bridge"
)

// TestRegions: the page gets the regions of memory once, and again if it has others.
func TestRegions(t *testing.T) {
	v := newViewer()
	d := v.openFiles(&OpenRequest{Next: 1}, []bridge.File{exampleFile(t, "crash.dmp")}).Opened[0].Dump
	all := len(reportOf(t, v, d, 0)[0].Report.MemoryRegions)
	if all == 0 {
		t.Fatal("the example has no regions")
	}
	for _, tt := range []struct{ known, want int }{{0, all}, {all, 0}, {all - 1, all}} {
		result, err := v.report(d, &ReportRequest{Regions: tt.known})
		if err != nil || len(result.Opened) != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		if got := len(result.Opened[0].Report.MemoryRegions); got != tt.want {
			t.Errorf("with %d known, the report has %d regions, want %d", tt.known, got, tt.want)
		}
	}
	if got := len(v.dumps[0].report.MemoryRegions); got != all {
		t.Errorf("the viewer keeps %d regions, want %d", got, all)
	}
}
