package breakpaddump

import (
	"fmt"

	"crashglass/core/dump/minidump"
)

// invalid stands for a field whose flag in Flags1 is clear.
const invalid = "(invalid)"

// The sizes of MINIDUMP_MISC_INFO's versions: a larger one has the fields of
// the next. Source: minidumpapiset.h.
const (
	misc1 = 24
	misc2 = 44
	misc3 = 232
	misc4 = 832
)

// bits of MiscInfo.Flags that mark texts as present.
const buildFlag = 0x100

// miscInfo writes MINIDUMP_MISC_INFO in the version that its size says. Fields whose flag is clear are
// written as "(invalid)".
//
// Source: minidump.cc, MinidumpMiscInfo::Print.
func miscInfo(p *printer) {
	m, _ := p.f.MiscInfo()
	if m == nil {
		return
	}
	p.rows("MDRawMiscInfo", 28, []row{
		{"size_of_info", "%d", int32(m.Size)},
		{"flags1", "0x%x", uint32(m.Flags)},
		{"process_id", "%s", decimal(m.ProcessID)},
	})
	p.more(28, times(m.Times))
	for _, version := range []struct {
		above uint32
		rows  func(*minidump.MiscInfo) []row
	}{{misc1, power}, {misc2, security}, {misc2, zone}, {misc3, builds}, {misc4, extended}} {
		if m.Size > version.above {
			p.more(28, version.rows(m))
		}
	}
	p.text("\n")
}

// decimal formats a number, if it is present.
func decimal(v *uint32) string {
	if v == nil {
		return invalid
	}
	return fmt.Sprint(int32(*v))
}

// hexadecimal formats a number of any type, if it is present.
func hexadecimal[T ~uint32](v *T) string {
	if v == nil {
		return invalid
	}
	return fmt.Sprintf("0x%x", uint32(*v))
}

// allInvalid returns the rows of an absent part.
func allInvalid(names ...string) (rows []row) {
	for _, name := range names {
		rows = append(rows, row{name, "%s", invalid})
	}
	return rows
}

// times returns the rows of MINIDUMP_MISC1_PROCESS_TIMES, in seconds.
func times(t *minidump.ProcessTimes) []row {
	if t == nil {
		return allInvalid("process_create_time", "process_user_time", "process_kernel_time")
	}
	return []row{
		{"process_create_time", "%s", stamped(uint32(t.Create))},
		{"process_user_time", "%d", int32(t.User)},
		{"process_kernel_time", "%d", int32(t.Kernel)},
	}
}

// power returns the rows of MINIDUMP_MISC1_PROCESSOR_POWER_INFO.
func power(m *minidump.MiscInfo) []row {
	c := m.Power
	if c == nil {
		return allInvalid("processor_max_mhz", "processor_current_mhz", "processor_mhz_limit", "processor_max_idle_state", "processor_current_idle_state")
	}
	return []row{
		{"processor_max_mhz", "%d", int32(c.MaxMHz)},
		{"processor_current_mhz", "%d", int32(c.CurrentMHz)},
		{"processor_mhz_limit", "%d", int32(c.LimitMHz)},
		{"processor_max_idle_state", "%d", int32(c.MaxIdle)},
		{"processor_current_idle_state", "%d", int32(c.CurrentIdle)},
	}
}

// security returns three rows, each with a flag of its own.
func security(m *minidump.MiscInfo) []row {
	return []row{
		{"process_integrity_level", "%s", hexadecimal(m.Integrity)},
		{"process_execute_flags", "%s", hexadecimal(m.ExecuteFlags)},
		{"protected_process", "%s", decimal(m.Protected)},
	}
}

// zone returns the rows of MINIDUMP_MISC3_TIMEZONE. Biases are in minutes.
func zone(m *minidump.MiscInfo) []row {
	z := m.TimeZone
	if z == nil {
		return allInvalid("time_zone_id", "time_zone.bias", "time_zone.standard_name", "time_zone.standard_date", "time_zone.standard_bias",
			"time_zone.daylight_name", "time_zone.daylight_date", "time_zone.daylight_bias")
	}
	return []row{
		{"time_zone_id", "%d", int32(z.ID)},
		{"time_zone.bias", "%d", z.Bias},
		{"time_zone.standard_name", "%s", plain(z.Standard)},
		{"time_zone.standard_date", "%s", z.StandardDate},
		{"time_zone.standard_bias", "%d", z.StandardBias},
		{"time_zone.daylight_name", "%s", plain(z.Daylight)},
		{"time_zone.daylight_date", "%s", z.DaylightDate},
		{"time_zone.daylight_bias", "%d", z.DaylightBias},
	}
}

// builds returns the texts of MINIDUMP_MISC4_BUILDSTRING, which share a flag.
func builds(m *minidump.MiscInfo) []row {
	if m.Flags&buildFlag == 0 {
		return allInvalid("build_string", "dbg_bld_str")
	}
	return []row{{"build_string", "%s", plain(m.BuildString)}, {"dbg_bld_str", "%s", plain(m.DebugBuild)}}
}

// extended uses the cookie's flag for all its fields, as the original does.
func extended(m *minidump.MiscInfo) []row {
	x := m.XState
	if x == nil || m.Cookie == nil {
		return allInvalid("xstate_data.size_of_info", "xstate_data.context_size", "xstate_data.enabled_features", "xstate_data.features[]", "process_cookie")
	}
	rows := []row{
		{"xstate_data.size_of_info", "%d", int32(x.Size)},
		{"xstate_data.context_size", "%d", int32(x.ContextSize)},
		{"xstate_data.enabled_features", "0x%x", x.Enabled},
	}
	for _, part := range x.Features {
		rows = append(rows, row{fmt.Sprintf("xstate_data.features[%02d]    ", part.Feature), "%s", fmt.Sprintf("{ %d, %d }", int32(part.Offset), int32(part.Size))})
	}
	if len(x.Features) == 0 {
		rows = append(rows, row{"xstate_data.features[]", "%s", "(empty)"})
	}
	return append(rows, row{"process_cookie", "%s", decimal(m.Cookie)})
}
