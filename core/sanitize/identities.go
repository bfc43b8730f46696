package sanitize

import (
	"reflect"
	"slices"
	"strings"

	"crashglass/core/report"
)

// identities are annotations that tell one user or one installation from all
// others, or where the user was: their names in small letters, without what
// parts words.
//
// Sources: Crashpad's MinidumpCrashpadInfo (client_id); Chromium's
// components/crash/core/common/crash_keys (guid); Mozilla's
// CrashAnnotations.yaml; Unreal's GenericPlatformCrashContext.
var identities = []string{
	"clientid", "guid", // Crashpad and Chromium
	"telemetryclientid", "telemetryprofilegroupid", "telemetrysessionid", "email", "url", "profiledirectory", "userid", // Mozilla
	"machineid", "loginid", "epicaccountid", "username", // Unreal
	"deviceid", "installid", "installationid", "useremail", // others' own
}

// isIdentity reports whether an annotation of that name is one.
func isIdentity(name string) bool {
	name = strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(strings.ToLower(name))
	return slices.Contains(identities, name)
}

// maskIdentities takes their values out.
func maskIdentities(r *report.Report) {
	for i := range r.Annotations {
		if a := &r.Annotations[i]; a.Value != "" && isIdentity(a.Name) {
			a.Value = maskedSecret
		}
	}
}

// plainText is the type of text. Codes have types of their own and are not
// masked: a person may be called "scan".
var plainText = reflect.TypeFor[string]()
