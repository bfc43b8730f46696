package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/report"
)

// harmless are annotations that identify a build or a kind of crash, and say nothing about a
// person. Names are in lower case, without separators of words. Every other annotation belongs to
// the program, and may hold any of its data.
//
// Sources: Crashpad's handler, which adds prod, ver, plat and ptype; Chromium's
// components/crash/core/common/crash_keys; Mozilla's CrashAnnotations.yaml;
// Unreal's GenericPlatformCrashContext.
var harmless = []string{
	"reportid", "prod", "ver", "plat", "ptype", "channel", "osarch", "osversion", "lsbrelease", // Crashpad and Chromium
	"productname", "productid", "vendor", "version", "buildid", "releasechannel", "processtype", "platformversion", "gecko", // Mozilla
	"engineversion", "buildversion", "buildconfiguration", "platformname", "enginemode", // Unreal
}

// longestHarmless is above the length of all their values.
const longestHarmless = 64

// isHarmless reports whether an annotation says nothing about a person.
func isHarmless(a *report.Annotation) bool {
	name := strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(strings.ToLower(a.Name))
	return slices.Contains(harmless, name) && len(a.Value) <= longestHarmless
}

// maskAnnotations removes the values of all others. Comments of users and logs of programs are
// annotations, too.
func maskAnnotations(r *report.Report) {
	for i := range r.Annotations {
		if a := &r.Annotations[i]; a.Value != "" && !isHarmless(a) {
			a.Value = leftOut
		}
	}
}
