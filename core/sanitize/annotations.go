package sanitize

import (
	"slices"
	"strings"

	"crashglass/core/report"
)

// harmless are annotations that tell one build of a program from another, or
// one crash from another, and nothing of a person: their names in small
// letters, without what parts words. Every other annotation is a program's own,
// and may hold whatever the program knows.
//
// Sources: Crashpad's handler, which adds prod, ver, plat and ptype; Chromium's
// components/crash/core/common/crash_keys; Mozilla's CrashAnnotations.yaml;
// Unreal's GenericPlatformCrashContext.
var harmless = []string{
	"reportid", "prod", "ver", "plat", "ptype", "channel", "osarch", "osversion", "lsbrelease", // Crashpad and Chromium
	"productname", "productid", "vendor", "version", "buildid", "releasechannel", "processtype", "platformversion", "gecko", // Mozilla
	"engineversion", "buildversion", "buildconfiguration", "platformname", "enginemode", // Unreal
}

// longestHarmless is above the values of all of them.
const longestHarmless = 64

// isHarmless reports whether an annotation says nothing of a person.
func isHarmless(a *report.Annotation) bool {
	name := strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(strings.ToLower(a.Name))
	return slices.Contains(harmless, name) && len(a.Value) <= longestHarmless
}

// maskAnnotations takes the values of all others out. Comments of a person and
// logs of a program are annotations, too.
func maskAnnotations(r *report.Report) {
	for i := range r.Annotations {
		if a := &r.Annotations[i]; a.Value != "" && !isHarmless(a) {
			a.Value = leftOut
		}
	}
}
