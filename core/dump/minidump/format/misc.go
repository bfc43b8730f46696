package format

// Bits of MiscInfo.Flags, MINIDUMP_MISC*: each says that fields of the structure are valid.
const (
	MiscProcessID    = 0x1
	MiscTimes        = 0x2
	MiscPower        = 0x4
	MiscIntegrity    = 0x10
	MiscExecuteFlags = 0x20
	MiscTimeZone     = 0x40
	MiscProtected    = 0x80
	MiscBuild        = 0x100
	MiscCookie       = 0x200
)
