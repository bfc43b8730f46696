package next

import (
	"strings"

	"crashglass/core/process"
	"crashglass/core/report"
)

// servers are the public symbol servers. Each is documented by its owner:
//
//	https://learn.microsoft.com/windows-hardware/drivers/debugger/microsoft-public-symbols
//	https://firefox-source-docs.mozilla.org/contributing/debugging/debugging_on_windows.html
//	https://www.chromium.org/developers/how-tos/debugging-on-windows
//	https://www.electronjs.org/docs/latest/development/setting-up-symbol-server
//	https://sourceware.org/elfutils/Debuginfod.html
var servers = map[report.Origin]string{
	report.FromMicrosoft: "https://msdl.microsoft.com/download/symbols",
	report.FromMozilla:   "https://symbols.mozilla.org",
	report.FromChromium:  "https://chromium-browser-symsrv.commondatastorage.googleapis.com",
	report.FromElectron:  "https://symbols.electronjs.org",
	report.FromDistro:    "https://debuginfod.elfutils.org",
}

// publishers maps modules with public symbols to their publishers, by the name of the debug file
// without its extension.
var publishers = map[string]report.Origin{
	"xul": report.FromMozilla, "libxul.so": report.FromMozilla, "XUL": report.FromMozilla, "firefox": report.FromMozilla,
	"mozglue": report.FromMozilla, "libmozglue.dylib": report.FromMozilla, "nss3": report.FromMozilla, "libnss3.dylib": report.FromMozilla,
	"plugin-container": report.FromMozilla, "thunderbird": report.FromMozilla, "mozavcodec": report.FromMozilla, "gkcodecs": report.FromMozilla,
	"softokn3": report.FromMozilla, "freebl3": report.FromMozilla, "lgpllibs": report.FromMozilla, "browsercomps": report.FromMozilla,
	"chrome.dll": report.FromChromium, "chrome.exe": report.FromChromium, "chrome_elf.dll": report.FromChromium, "chrome_child.dll": report.FromChromium,
	"electron.exe": report.FromElectron, "Electron Framework": report.FromElectron, "electron": report.FromElectron,
}

// Server returns the public symbol server of an origin, or "".
func Server(o report.Origin) string { return servers[o] }

// Origin returns the source of the symbols of a module in a report.
func Origin(r *report.Report, index int) report.Origin {
	c := newCrash(r)
	return c.origin(&r.Modules[index], index)
}

// Origins returns the source of every wanted symbol file of a report.
func Origins(r *report.Report) {
	c := newCrash(r)
	for i := range r.WantedSymbols {
		w := &r.WantedSymbols[i]
		if w.Module < 0 || w.Module >= len(r.Modules) {
			continue
		}
		w.Origin = c.origin(&r.Modules[w.Module], w.Module)
		w.Server = servers[w.Origin]
	}
}

// origin returns the source of a module's symbols.
func (c *crashed) origin(m *report.Module, index int) report.Origin {
	for _, name := range []string{m.DebugFile, m.CodeFile} {
		for _, end := range []string{"", ".pdb", ".dll", ".exe"} {
			if stem, ok := strings.CutSuffix(name, end); ok && publishers[stem] != "" {
				return publishers[stem]
			}
		}
	}
	return c.systemOrigin(m, index)
}

// systemOrigin is for modules of the system: its maker, or a Linux distribution, which owns
// everything below /usr.
func (c *crashed) systemOrigin(m *report.Module, index int) report.Origin {
	os := c.SystemInfo.System()
	switch {
	case os.IsLinux() && !os.IsAndroid() && (m.System || packaged(m.Path) || index != c.MainModule && !strings.Contains(m.Path, "/")):
		return report.FromDistro
	case !m.System && !(c.stop() != nil && isWindowsDriver(m.CodeFile)):
		return report.FromBuild
	}
	return systemOrigins[os]
}

// windowsDrivers are drivers that are part of Windows 10 and 11, without their ".sys". Source: the copyright of their files. Drivers of others are
// in the same folder.
const windowsDrivers = ` acpi afd afunix agilevpn ahcache amdppm atapi bam basicdisplay basicrender beep bindflt bthenum bthmini bthpan bthusb cdfs cdrom cea
cimfs cldflt clipsp cmimcext condrv crashdmp csc dfsc disk ehstorclass ehstortcgdrv exfat fastfat fileinfo filecrypt fs_rec fvevol fwpkclnt hdaudbus hdaudio
hidi2c hidparse hidusb http hvservice i8042prt intelide intelpep intelppm iorate kbdclass kbdhid ksecpkg lltdio luafv lxss mmcss monitor mouclass mouhid
mountmgr mrxdav mrxsmb mrxsmb20 msfs msisadrv mslldp msquic mssecflt mup ndisuio ndiswan ndproxy netbt netvsc npfs npsvctrig ntfs ntosext null nwifi pacer
partmgr pci pciide pcw pdc peauth processr rasl2tp raspptp rassstp rdbss rdyboost refs refsv1 rfcomm rspndr sdbus sdstor sgrmagent sleepstudyhelper spaceport
srv2 srvnet storahci stornvme storqosflt storvsc tbs tcpip tdi tdx uaspstor udfs umbus umpass usbaudio usbaudio2 usbccgp usbehci usbhub usbhub3 usbohci usbstor
usbuhci usbxhci vdrvroot vhdmp vid vmbus vmswitch volmgr volmgrx volsnap volume vwifibus vwififlt wanarp wcifs wdfilter wdnisdrv wfplwfs winhvr winusb wof
ws2ifsl `

func isWindowsDriver(file string) bool {
	name, ok := strings.CutSuffix(strings.ToLower(file), ".sys")
	return ok && strings.Contains(strings.ReplaceAll(windowsDrivers, "\n", " "), " "+name+" ")
}

// systemOrigins are the makers of operating systems.
var systemOrigins = map[process.OS]report.Origin{
	process.Windows: report.FromMicrosoft, process.Mac: report.FromMac, process.IOS: report.FromDevice, process.Android: report.FromDevice,
}

// packaged reports whether a path belongs to a distribution's package. By the Filesystem Hierarchy
// Standard, locally built programs are below /usr/local.
func packaged(path string) bool {
	return strings.HasPrefix(path, "/usr/") && !strings.HasPrefix(path, "/usr/local/")
}
