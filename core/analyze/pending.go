package analyze

import (
	"crashglass/core/cpu"
	"crashglass/core/crash"
)

func analyzeCrash(in *crash.Input) *crash.Analysis {
	a := &crash.Analysis{}
	if in.Exception != nil {
		a.Reason, a.Address, a.HasAddress = crash.Reason(in.Exception, in.OS, in.Arch), crash.Address(in.Exception, in.OS, in.Arch), true
	}
	return a
}
func verdictOf(in *crash.Input, a *crash.Analysis) crash.Result { return crash.Result{} }
func decode(*cpu.Arch, []byte, uint64) (cpu.Inst, bool)         { return cpu.Inst{}, false }
