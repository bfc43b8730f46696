package minidump

import (
	"fmt"

	"crashglass/core/base/bin"
	"crashglass/core/dump/minidump/format"
)

// MiscInfoStream is the number of the stream that this file reads.
const MiscInfoStream StreamType = 15

// MiscInfo is MINIDUMP_MISC_INFO in its five versions. Each version appends fields. A field that the
// version lacks is nil or "".
//
// Spec: https://learn.microsoft.com/windows/win32/api/minidumpapiset/ns-minidumpapiset-minidump_misc_info_4;
// the fifth is in the Windows SDK's minidumpapiset.h only.
type MiscInfo struct {
	Size         uint32 // by the stream itself; the directory's size is used
	Flags        MiscFlags
	ProcessID    *uint32
	Times        *ProcessTimes
	Power        *PowerInfo
	Integrity    *Integrity
	ExecuteFlags *ExecuteFlags
	Protected    *uint32 // not 0 for a protected process
	TimeZone     *TimeZone
	BuildString  string // of the system: "ntkrnlmp.exe, ..."
	DebugBuild   string // of dbghelp or another writer of the dump: "dbghelp.i386,6.1.7600"
	XState       *XState
	Cookie       *uint32 // the cookie that encodes pointers
}

// ProcessTimes are in seconds; Create counts from 1970 UTC.
type ProcessTimes struct {
	Create       UnixTime
	User, Kernel uint32
}

// PowerInfo is the processor's clock.
type PowerInfo struct{ MaxMHz, CurrentMHz, LimitMHz, MaxIdle, CurrentIdle uint32 }

// XState has the offsets of features in an extended context.
type XState struct {
	Size        uint32 // of this part of the stream
	ContextSize uint32
	Enabled     uint64          // a bit for each feature
	Features    []XStateFeature // those that are enabled
}

// An XStateFeature is a part of the XSAVE area.
type XStateFeature struct {
	Feature      Feature
	Offset, Size uint32
}

// MiscInfo reads stream 15, MiscInfoStream. A stream that ends within a version has the fields of
// that version up to its end.
func (f *File) MiscInfo() (*MiscInfo, error) {
	s, err := f.section(MiscInfoStream)
	if err != nil {
		return nil, err
	}
	s.Names("SizeOfInfo Flags1")
	m := &MiscInfo{Size: s.U32(), Flags: MiscFlags(s.U32())}
	for _, part := range []func(*bin.Cursor){m.version1, m.version2, m.version3, m.version4, m.version5} {
		if s.Len() == 0 {
			break
		}
		part(s.Cursor)
	}
	return m, s.err()
}

// optional returns a value if its flag is set and the stream is long enough.
func (m *MiscInfo) optional(c *bin.Cursor, flag MiscFlags) *uint32 {
	v := c.U32()
	if m.Flags&flag == 0 || c.Err() != nil {
		return nil
	}
	return &v
}

func (m *MiscInfo) version1(c *bin.Cursor) {
	c.Names("ProcessId ProcessCreateTime ProcessUserTime ProcessKernelTime")
	m.ProcessID = m.optional(c, format.MiscProcessID)
	t := ProcessTimes{UnixTime(c.U32()), c.U32(), c.U32()}
	if m.Flags&format.MiscTimes != 0 && c.Err() == nil {
		m.Times = &t
	}
}

func (m *MiscInfo) version2(c *bin.Cursor) {
	c.Names("ProcessorMaxMhz ProcessorCurrentMhz ProcessorMhzLimit ProcessorMaxIdleState ProcessorCurrentIdleState")
	p := PowerInfo{c.U32(), c.U32(), c.U32(), c.U32(), c.U32()}
	if m.Flags&format.MiscPower != 0 && c.Err() == nil {
		m.Power = &p
	}
}

func (m *MiscInfo) version3(c *bin.Cursor) {
	c.Names("ProcessIntegrityLevel ProcessExecuteFlags ProtectedProcess")
	m.Integrity = (*Integrity)(m.optional(c, format.MiscIntegrity))
	m.ExecuteFlags = (*ExecuteFlags)(m.optional(c, format.MiscExecuteFlags))
	m.Protected = m.optional(c, format.MiscProtected)
	z := timeZone(c)
	if m.Flags&format.MiscTimeZone != 0 && c.Err() == nil {
		m.TimeZone = &z
	}
}

func (m *MiscInfo) version4(c *bin.Cursor) {
	c.Names("BuildString DbgBldStr")
	build, debug := c.Bytes(2*260), c.Bytes(2*40)
	if m.Flags&format.MiscBuild != 0 {
		m.BuildString, m.DebugBuild = fixedUTF16(build, c.Order()), fixedUTF16(debug, c.Order())
	}
}

func (m *MiscInfo) version5(c *bin.Cursor) {
	c.Names("XStateData.SizeOfInfo XStateData.ContextSize XStateData.EnabledFeatures")
	x := &XState{Size: c.U32(), ContextSize: c.U32(), Enabled: c.U64()}
	for i := range Feature(64) {
		c.Record("feature of the extended state", "Offset Size")
		part := XStateFeature{i, c.U32(), c.U32()}
		if x.Enabled>>i&1 != 0 {
			x.Features = append(x.Features, part)
		}
	}
	if c.Err() == nil {
		m.XState = x
	}
	c.Names("ProcessCookie")
	m.Cookie = m.optional(c, format.MiscCookie)
}

// A TimeZone is the system's time zone. Biases are minutes that are added to
// local time to get UTC.
//
// Spec: https://learn.microsoft.com/windows/win32/api/timezoneapi/ns-timezoneapi-time_zone_information
type TimeZone struct {
	ID           uint32 // 0 unknown, 1 standard time, 2 daylight time
	Bias         int32
	Standard     string
	StandardDate SystemTime // when it begins
	StandardBias int32
	Daylight     string
	DaylightDate SystemTime
	DaylightBias int32
}

// A SystemTime is SYSTEMTIME. In a time zone with year 0, Day says which
// weekday of the month is meant, 5 being the last.
type SystemTime struct {
	Year, Month, Weekday, Day, Hour, Minute, Second, Milliseconds uint16
}

// String writes the parts as they are: year-month-day (weekday) time.
func (t SystemTime) String() string {
	return fmt.Sprintf("%04d-%02d-%02d (%d) %02d:%02d:%02d.%03d", t.Year, t.Month, t.Day, t.Weekday, t.Hour, t.Minute, t.Second, t.Milliseconds)
}

// timeZoneNames are the fields' names in the header.
const timeZoneNames = "TimeZoneId TimeZone.Bias TimeZone.StandardName" +
	" StandardDate.wYear StandardDate.wMonth StandardDate.wDayOfWeek StandardDate.wDay" +
	" StandardDate.wHour StandardDate.wMinute StandardDate.wSecond StandardDate.wMilliseconds" +
	" TimeZone.StandardBias TimeZone.DaylightName" +
	" DaylightDate.wYear DaylightDate.wMonth DaylightDate.wDayOfWeek DaylightDate.wDay" +
	" DaylightDate.wHour DaylightDate.wMinute DaylightDate.wSecond DaylightDate.wMilliseconds" +
	" TimeZone.DaylightBias"

func timeZone(c *bin.Cursor) TimeZone {
	c.Names(timeZoneNames)
	return TimeZone{
		ID: c.U32(), Bias: int32(c.U32()),
		Standard: fixedUTF16(c.Bytes(64), c.Order()), StandardDate: systemTime(c), StandardBias: int32(c.U32()),
		Daylight: fixedUTF16(c.Bytes(64), c.Order()), DaylightDate: systemTime(c), DaylightBias: int32(c.U32()),
	}
}

func systemTime(c *bin.Cursor) SystemTime {
	return SystemTime{c.U16(), c.U16(), c.U16(), c.U16(), c.U16(), c.U16(), c.U16(), c.U16()}
}
