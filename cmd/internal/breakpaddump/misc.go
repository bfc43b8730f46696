package breakpaddump

import (
	"cmp"
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
	p.more(28, times(m))
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

// valid returns the rows of a part, with every value replaced by "(invalid)" if the part is absent.
func valid(there bool, rows ...row) []row {
	for i := range rows {
		if !there {
			rows[i].format, rows[i].value = "%s", invalid
		}
	}
	return rows
}

// times returns the rows of MINIDUMP_MISC1_PROCESS_TIMES, in seconds.
func times(m *minidump.MiscInfo) []row {
	t := cmp.Or(m.Times, &minidump.ProcessTimes{})
	return valid(m.Times != nil,
		row{"process_create_time", "%s", stamped(uint32(t.Create))},
		row{"process_user_time", "%d", int32(t.User)},
		row{"process_kernel_time", "%d", int32(t.Kernel)})
}

// power returns the rows of MINIDUMP_MISC1_PROCESSOR_POWER_INFO.
func power(m *minidump.MiscInfo) []row {
	c := cmp.Or(m.Power, &minidump.PowerInfo{})
	return valid(m.Power != nil,
		row{"processor_max_mhz", "%d", int32(c.MaxMHz)},
		row{"processor_current_mhz", "%d", int32(c.CurrentMHz)},
		row{"processor_mhz_limit", "%d", int32(c.LimitMHz)},
		row{"processor_max_idle_state", "%d", int32(c.MaxIdle)},
		row{"processor_current_idle_state", "%d", int32(c.CurrentIdle)})
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
	z := cmp.Or(m.TimeZone, &minidump.TimeZone{})
	return valid(m.TimeZone != nil,
		row{"time_zone_id", "%d", int32(z.ID)},
		row{"time_zone.bias", "%d", z.Bias},
		row{"time_zone.standard_name", "%s", plain(z.Standard)},
		row{"time_zone.standard_date", "%s", z.StandardDate},
		row{"time_zone.standard_bias", "%d", z.StandardBias},
		row{"time_zone.daylight_name", "%s", plain(z.Daylight)},
		row{"time_zone.daylight_date", "%s", z.DaylightDate},
		row{"time_zone.daylight_bias", "%d", z.DaylightBias})
}

// builds returns the texts of MINIDUMP_MISC4_BUILDSTRING, which share a flag.
func builds(m *minidump.MiscInfo) []row {
	return valid(m.Flags&buildFlag != 0, row{"build_string", "%s", plain(m.BuildString)}, row{"dbg_bld_str", "%s", plain(m.DebugBuild)})
}

// extended uses the cookie's flag for all its fields, as the original does.
func extended(m *minidump.MiscInfo) []row {
	x := cmp.Or(m.XState, &minidump.XState{})
	rows := []row{
		{"xstate_data.size_of_info", "%d", int32(x.Size)},
		{"xstate_data.context_size", "%d", int32(x.ContextSize)},
		{"xstate_data.enabled_features", "0x%x", x.Enabled},
	}
	there := m.XState != nil && m.Cookie != nil
	if len(x.Features) == 0 || !there {
		rows = append(rows, row{"xstate_data.features[]", "%s", "(empty)"})
	} else {
		for _, part := range x.Features {
			rows = append(rows, row{fmt.Sprintf("xstate_data.features[%02d]    ", part.Feature), "%s", fmt.Sprintf("{ %d, %d }", int32(part.Offset), int32(part.Size))})
		}
	}
	return valid(there, append(rows, row{"process_cookie", "%s", decimal(m.Cookie)})...)
}
