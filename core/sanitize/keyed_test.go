package sanitize

import (
	"strings"
	"testing"
	"time"

	"crashglass/core/testkit/sample"
)

// TestSecrets has secrets as programs write them: in settings, JSON, headers,
// commands and URLs.
func TestSecrets(t *testing.T) {
	key := strings.Repeat("aB3", 14)
	for text, want := range map[string]string{
		`password: hunter2`:                             `password: [removed]`,
		`password = hunter2`:                            `password = [removed]`,
		`"password": "correct horse battery"`:           `"password": "[removed]"`,
		`{"password":"a\",b"}`:                          `{"password":"[removed]"}`,
		`{\"token\": \"abcdef123\"}`:                    `{\"token\": \"[removed]\"}`,
		`{'api-key' => 'abcdef123'}`:                    `{'api-key' => '[removed]'}`,
		`DB_PASSWORD=hunter2 next`:                      `DB_PASSWORD=[removed] next`,
		`apiKey: abcdef123`:                             `apiKey: [removed]`,
		`X-Api-Key: abcdef123`:                          `X-Api-Key: [removed]`,
		`passphrase := "open sesame"`:                   `passphrase := "[removed]"`,
		`aws_secret_access_key = wJalrXUtnFEMI/`:        `aws_secret_access_key = [removed]`,
		`AccountKey=abcd1234==;Endpoint=x`:              `AccountKey=[removed];Endpoint=x`,
		"Cookie: sid=abc; theme=dark\r\nHost: x":        "Cookie: [removed]\r\nHost: x",
		"Set-Cookie: sid=abcdef; Path=/":                "Set-Cookie: [removed]",
		"Authorization: Basic amFuZTpodW50ZXIy":         "Authorization: Basic [removed]",
		"to jane.doe+x@mail.example.org, now":           "to [removed], now",
		"jane@example.org.":                             "[removed].",
		"ghr_" + key:                                    "[removed]",
		"xapp-1-A012-" + key:                            "[removed]",
		"https://hooks.slack.com/services/T0/B0/" + key: "https://hooks.slack.com/[removed]",
		"https://b.s3.amazonaws.com/x?X-Amz-Credential=AB%2F20&X-Amz-Signature=fe5f80f77d5fa3beca03&z=1": "https://b.s3.amazonaws.com/x?X-Amz-Credential=[removed]&X-Amz-Signature=[removed]&z=1",
		"https://a.blob.core.windows.net/c?sv=2020&sig=abcdefghijklmnop%3D&se=1":                         "https://a.blob.core.windows.net/c?sv=2020&sig=[removed]&se=1",
		"https://x/cb?code=abcdefghijklmnop":                                                             "https://x/cb?code=[removed]",

		"token::parse(int)":           "token::parse(int)",
		"config sig=abcdefghijklmnop": "config sig=abcdefghijklmnop",
		"memcpy@GLIBC_2.2.5":          "memcpy@GLIBC_2.2.5",
		"_handler@12":                 "_handler@12",
		"left-pad@1.3.0":              "left-pad@1.3.0",
		"password==x":                 "password==x",
		"password:":                   "password:",
		"token: 7":                    "token: 7",
		"secrets of the trade":        "secrets of the trade",
		"@example.org":                "@example.org",
	} {
		got := maskSecrets(text)
		if got != want {
			t.Errorf("%s\nbecame %s\nwant   %s", text, got, want)
		}
		if left := finding().everything.find([]byte(got)); len(left) > 0 {
			t.Errorf("%s: something is left: %+v", got, left)
		}
	}
}

// TestSecretsAreLinear looks through texts that are all beginnings.
func TestSecretsAreLinear(t *testing.T) {
	for _, piece := range []string{"password", "password: ", "token=\"", "@", "a@", "://a:", "cookie:", "password=\\", "eyJ", "_", "a.@b.cd", "?sig=", "password=[", "passwords=[\"", "net use * ", `\u0000-p`, `\n--password `, `\\\\`, "password</key>", `password</key>\n`, "=mysql -p", `rman","target","`, `\u0026quot;password`, `\u003cpassword`, "sqlplus - ", "-/sqlplus ", "jdbc:oracle:thin:a/", "USER= "} {
		text := strings.Repeat(piece, sample.Of(1<<18)/len(piece))
		begin := time.Now()
		finding().everything.find([]byte(text))
		withoutHomes(text)
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("%d bytes of %q took %v", len(text), piece, took)
		}
	}
}

// An option of a command line has its value behind a blank. Words of a sentence
// have none.
func TestOptions(t *testing.T) {
	m := NewMasker(nil)
	for text, want := range map[string]string{
		"app --password hunter2 x":        "app --password [removed] x",
		"app --db-password hunter2":       "app --db-password [removed]",
		"app\x00--token\x00abcdef123\x00": "app\x00--token\x00[removed]\x00",
		"app --s3-secret-key abcdef123":   "app --s3-secret-key [removed]",
		"app --oauth2_token abcdef123":    "app --oauth2_token [removed]",
		"app -password hunter2 x":         "app -password [removed] x",
		"-password hunter2":               "-password [removed]",
		"app -db-password  hunter2":       "app -db-password  [removed]",
		"app /password hunter2":           "app /password [removed]",
		"app\x00-token\x00abcdef123\x00":  "app\x00-token\x00[removed]\x00",
		`["app", "-password", "hunter2"]`: `["app", "-password", "[removed]"]`,
		`["--token","abcdef123"]`:         `["--token","[removed]"]`,
		`app "--password" "hunter2"`:      `app "--password" "[removed]"`,
		"app\n--password hunter2\n":       "app\n--password [removed]\n",
		"app\r\n-password hunter2":        "app\r\n-password [removed]",
		"args=--password hunter2":         "args=--password [removed]",
		"(--password hunter2 x)":          "(--password [removed] x)",
		"cd x;--password hunter2":         "cd x;--password [removed]",
		"app -password -verbose":          "app -password -verbose",
		"vi /etc/passwd now":              "vi /etc/passwd now",
		"left - password hunter2":         "left - password hunter2",
		"app --password --verbose":        "app --password --verbose",
		"app --password":                  "app --password",
		"the password hunter2":            "the password hunter2",
		"a-password hunter2":              "a-password hunter2",
	} {
		if got := m.Text(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
