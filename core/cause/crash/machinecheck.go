package crash

import (
	"fmt"
	"strings"
)

// Bug checks of machine checks: the parameters that have the upper and lower half of MCi_STATUS.
const wheaError = 0x124

// Bits of MCi_STATUS. Sources: Intel SDM, volume 3, "Machine-Check Error Codes"; AMD64 APM, volume 2, "Machine Check Architecture". The
// codes below are the same in both.
const (
	mcaValid       = 1 << 63
	mcaUncorrected = 1 << 61
	mcaDamaged     = 1 << 57 // the state of the processor
)

// mcaErrors are the classes of error codes, the lower 16 bits. Bit 12 says that corrections are filtered.
var mcaErrors = []struct {
	mask, code uint16
	what       string
}{
	{0xefff, 0x0005, "internal parity error"}, {0xefff, 0x0400, "internal timer error"}, {0xefff, 0x0e0b, "I/O error"},
	{0xeff0, 0x0010, "error in a translation buffer (TLB)"}, {0xef80, 0x0080, "error of the memory controller"}, {0xef00, 0x0100, "error in a cache"},
	{0xeffc, 0x000c, "error in a cache"}, {0xe800, 0x0800, "error on the bus or interconnect"},
}

// machineCheck says what a machine check reports, "" for other bug checks.
func (s *Stop) machineCheck() string {
	status := s.param(2)<<32 | s.param(3)&0xffff_ffff
	if s.Code != wheaError || s.param(0) != 0 || status&mcaValid == 0 {
		return ""
	}
	out := []string{fmt.Sprintf("machine check status %#x", status)}
	for _, e := range mcaErrors {
		if uint16(status)&e.mask == e.code {
			out = append(out, e.what)
			break
		}
	}
	if status&mcaUncorrected != 0 {
		out = append(out, "not corrected")
	}
	if status&mcaDamaged != 0 {
		out = append(out, "the state of the processor is lost")
	}
	return strings.Join(out, ", ")
}
