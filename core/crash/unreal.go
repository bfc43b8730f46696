package crash

// Exceptions that Unreal raises.
// Source: Engine/Source/Runtime/Core/Private/Windows/WindowsPlatformCrashContext.cpp.
const (
	unrealAssert = 0x4000
	unrealGPU    = 0x8000
	unrealMemory = 0xc000
)

const unrealWhy = "A check of Unreal failed; the message is in the game's log."

// unrealSigns are the functions of failed checks.
// Source: Engine/Source/Runtime/Core/Private/Misc/AssertionMacros.cpp.
var unrealSigns = []sign{
	{"FDebug::AssertFailed*", Asserted, "Unreal assertion failed", unrealWhy},
	{"FDebug::CheckVerifyFailed*", Asserted, "Unreal assertion failed", unrealWhy},
	{"FDebug::EnsureFailed*", Asserted, "Unreal ensure failed", unrealWhy},
	{"FDebug::OptionallyLogFormattedEnsure*", Asserted, "Unreal ensure failed", unrealWhy},
	{"ReportAssert", Asserted, "Unreal assertion failed", unrealWhy},
	{"ReportGPUCrash", Asserted, "GPU crash", "The graphics device was lost; Unreal ended the program."},
	{"FWindowsErrorOutputDevice::Serialize", Asserted, "Fatal error of Unreal", unrealWhy},
	{"StaticFailDebug", Asserted, "Unreal assertion failed", unrealWhy},
}
