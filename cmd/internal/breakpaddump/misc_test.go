package breakpaddump

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"crashglass/core/dump/minidump"
	"crashglass/core/testkit/asm"
	"crashglass/core/testkit/dump"
)

// The five versions of MINIDUMP_MISC_INFO, each with the fields that it appends.
var miscVersions = []struct {
	size  uint32
	lines string
}{
	{24, `  process_id                   = 42
  process_create_time          = 0x3e8 1970-01-01 00:16:40
  process_user_time            = 20
  process_kernel_time          = 30
`},
	{44, `  processor_max_mhz            = 3000
  processor_current_mhz        = 2900
  processor_mhz_limit          = 3100
  processor_max_idle_state     = 2
  processor_current_idle_state = 1
`},
	{232, `  process_integrity_level      = 0x2000
  process_execute_flags        = 0xd
  protected_process            = 1
  time_zone_id                 = 2
  time_zone.bias               = -60
  time_zone.standard_name      = CET
  time_zone.standard_date      = 0000-10-05 (0) 03:00:00.000
  time_zone.standard_bias      = 0
  time_zone.daylight_name      = CEST
  time_zone.daylight_date      = 0000-03-05 (0) 02:00:00.000
  time_zone.daylight_bias      = -60
`},
	{832, `  build_string                 = ntkrnlmp.exe
  dbg_bld_str                  = dbghelp.amd64,10.0
`},
	{1364, `  xstate_data.size_of_info     = 528
  xstate_data.context_size     = 2688
  xstate_data.enabled_features = 0x7
  xstate_data.features[00]     = { 0, 1 }
  xstate_data.features[01]     = { 1, 2 }
  xstate_data.features[02]     = { 2, 3 }
  process_cookie               = 12586014
`},
}

// misc is dump.MiscInfo, cut to a version and with its size.
func misc(t *testing.T, flags, size uint32) *dump.Builder {
	data := dump.MiscInfo(flags).Build(t)[4:size]
	return dump.New().Stream(uint32(minidump.MiscInfoStream), asm.At(0).U32(size).Bytes(data))
}

func TestMiscInfo(t *testing.T) {
	rows := ""
	for _, v := range miscVersions {
		rows += v.lines
		head := fmt.Sprintf("\nMDRawMiscInfo\n  size_of_info                 = %d\n  flags1                       = 0x3f7\n", v.size)
		shows(t, misc(t, 0x3f7, v.size), head+rows+"\n")
	}
}

// A field whose flag is clear is "(invalid)", as Breakpad says of each; so are all parts of the extended
// state without the cookie's flag, which stands for them.
func TestMiscInvalid(t *testing.T) {
	all := slices.Sorted(maps.Keys(fields(strings.Join([]string{miscVersions[0].lines, miscVersions[1].lines, miscVersions[2].lines, miscVersions[3].lines}, ""))))
	extended := []string{"process_cookie", "xstate_data.context_size", "xstate_data.enabled_features", "xstate_data.features[]", "xstate_data.size_of_info"}
	zone := "time_zone.bias time_zone.daylight_bias time_zone.daylight_date time_zone.daylight_name time_zone.standard_bias time_zone.standard_date time_zone.standard_name time_zone_id"
	for name, tt := range map[string]struct {
		flags uint32
		want  []string // that are invalid
	}{
		"every flag":       {0x3f7, nil},
		"no flag":          {0, append(all, extended...)},
		"no process ID":    {0x3f6, []string{"process_id"}},
		"no times":         {0x3f5, []string{"process_create_time", "process_kernel_time", "process_user_time"}},
		"no power":         {0x3f3, []string{"processor_current_idle_state", "processor_current_mhz", "processor_max_idle_state", "processor_max_mhz", "processor_mhz_limit"}},
		"no integrity":     {0x3e7, []string{"process_integrity_level"}},
		"no execute flags": {0x3d7, []string{"process_execute_flags"}},
		"no time zone":     {0x3b7, strings.Fields(zone)},
		"no protection":    {0x377, []string{"protected_process"}},
		"no build":         {0x2f7, []string{"build_string", "dbg_bld_str"}},
		"no cookie":        {0x1f7, extended},
	} {
		var got []string
		for label, value := range fields(written(t, misc(t, tt.flags, 1364).Build(t), Options{})) {
			if value == "(invalid)" {
				got = append(got, label)
			}
		}
		slices.Sort(got)
		slices.Sort(tt.want)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q is invalid, want %q", name, got, tt.want)
		}
	}
}

// An extended state without features says so.
func TestMiscNoFeatures(t *testing.T) {
	data := dump.MiscInfo(0x3f7).Build(t)
	copy(data[832+8:], make([]byte, 8)) // EnabledFeatures
	text := written(t, dump.New().Stream(uint32(minidump.MiscInfoStream), asm.At(0).Bytes(data)).Build(t), Options{})
	if got := fields(text)["xstate_data.features[]"]; got != "(empty)" {
		t.Errorf("features %q", got)
	}
}
