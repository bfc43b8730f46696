package unwind

import "testing"

func TestWithhold(t *testing.T) {
	for name, want := range map[string]string{
		"secret(int)":               "?",
		"main":                      "?",
		"_start":                    "_start",
		"__restore_rt":              "__restore_rt",
		"secret(int) [clone .cold]": "?.cold",
		"secret.cold.3":             "?.cold",
	} {
		if got := Withhold(name, "?"); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
