package minidump

import (
	"fmt"

	"crashglass/core/base/bin"
)

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
