package sanitize

import (
	"bytes"
	"encoding/json"
	"html"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"crashglass/core/report"
	"crashglass/core/testkit/asm"
)

// leaks are secrets and names as programs have them in thread names, command lines, environments and
// JSON within strings. ¤ stands before and behind the part that must go.
var leaks = []string{
	// Letters and signs in values.
	"password=¤hünter2¤", "DB_PASSWORD=¤пароль123¤ next", "password: ¤密码四五六¤", "password: \"¤é è & <ü>¤\"", "password=¤a&b,c;d<e>f¤",
	"PASSWORD=¤it's\"odd¤ next", "token=¤abc{d}(e)[f]¤", "Server=db;Password=¤a;b,c<d¤;Timeout=5", "https://x/?token=¤abcdéf¤&z=1", "password=¤p@ss:w/rd?#%¤",
	"pwd=‘¤two words¤’", "password: „¤zwei Wörter¤“", "password: «¤два слова¤»", `PASSWORD='¤it'\''s¤'`, `"password":"¤a\u00e4\u0026b\"c¤"`,
	// URLs.
	"postgres://jane:¤pässwörd¤@db/x", "https://jane:¤a&b;c,d<e¤@host/", "redis://:¤пароль¤@host:6379", "amqp://u:¤it's¤@h", "https://u:¤密码¤@h/p?q",
	// Names of keys and options.
	"DB_PASS=¤hunter2¤", "MYSQL_ROOT_PASS: ¤hunter2¤", "dbPass = ¤hunter2¤", "app --pass ¤hunter2¤", "app --pass=¤hunter2¤", "app\x00--db-pass\x00¤hunter2¤\x00x", "app -pass ¤hunter2¤ x",
	`{"pass": "¤hunter2¤"}`, "SSHPASS=¤hunter2¤", "REDISCLI_AUTH=¤hunter2¤", "SECRET_KEY_BASE=¤0123456789¤", "SENTRY_DSN=¤https://abc@o1.ingest.sentry.io/2¤", "user=jane&pw=¤hunter2¤&x=1",
	"passwort=¤hunter2¤", "Mot de passe : ¤hunter2¤", "contraseña: ¤hunter2¤", "SENHA=¤hunter2¤", "Пароль: ¤hunter2¤", "パスワード：¤hunter2¤", "密码=¤hunter2¤", "hasło: ¤hunter2¤", "비밀번호: ¤hunter2¤", "wachtwoord=¤hunter2¤", "Şifre: ¤hunter2¤", "كلمة المرور: ¤hunter2¤",
	// Options of programs.
	"mysql -u jane -p¤hunter2¤ db", "sshpass -p ¤hunter2¤ ssh host", "/usr/bin/curl -u jane:¤hünter2¤ https://x", "curl\x00--user\x00jane:¤hunter2¤\x00", "7z x -p¤hunter2¤ a.7z", "redis-cli -a ¤hunter2¤ ping",
	"DBPASS=¤hunter2¤", "dbpass: ¤hunter2¤", "Clave: ¤hunter2¤", "clave_secreta=x clave=¤hunter2¤",
	"az login -u jane -p ¤hunter2¤", "helm registry login -u x -p ¤hunter2¤", "mosquitto_pub -u j -P ¤hunter2¤ -t x", "winexe -U j%¤hunter2¤ //h cmd", "ssh-keygen -N ¤hunter2¤ -f x",
	"openssl enc -k ¤hunter2¤ -in x",
	"openssl rsa -passin pass:¤hunter2¤ -in x", "smbclient //h/s -U jane%¤hunter2¤", "docker login -u jane -p ¤hunter2¤", `["mysql","-p¤hunter2¤"]`,
	`net use Z: \\srv\share /user:jane ¤hunter2¤`, `net use Z: \\srv\share ¤hunter2¤ /user:jane`, `net use \\srv\share ¤hunter2¤`, "htpasswd -b .htpasswd jane ¤hunter2¤", "htpasswd -nb jane ¤hunter2¤",
	"mysqladmin -u root password ¤hunter2¤", "cryptsetup --key ¤hunter2¤ open x", "cryptsetup open x --key-file=¤/media/keys/k1¤", "sqlplus jane/¤hunter2¤@db", "sqlplus -s jane/¤hunter2¤", "sqlplus.exe jane/¤hunter2¤@db",
	"jdbc:oracle:thin:jane/¤hunter2¤@db:1521:x", "url=jdbc:oracle:oci:jane/¤hünter2¤@//db/x", "rman target sys/¤hunter2¤@db", "expdp jane/¤hunter2¤ full=y",
	// Lists, and words for an access code.
	`{"passwords": ["¤hunter2", "sécond", "third¤"], "x": 1}`, `passwords=['¤a b', 'cdef¤']`, `{\"passwords\":[\"¤hunter2\",\"second¤\"]}`,
	"Zugangscode: ¤hunter2¤", "access_code=¤hunter2¤", "code d'accès : ¤hunter2¤", "Código de acceso: ¤hunter2¤", "codice di accesso=¤hunter2¤", "toegangscode=¤hunter2¤", "kod dostępu: ¤hunter2¤", "Код доступа: ¤hunter2¤",
	"アクセスコード：¤hunter2¤", "访问码=¤hunter2¤", "액세스 코드: ¤hunter2¤", "erişim kodu: ¤hunter2¤", "tilgangskode=¤hunter2¤", "åtkomstkod=¤hunter2¤", "přístupový kód: ¤hunter2¤",
	// Encodings and markup.
	`{"cmd":"app --token ¤abcdef1¤","x":1}`, `{"log":"{\"password\":\"¤a\\u00e4 b\\\"c¤\"}"}`, `{\"password\":\"¤a\u00e4b¤\",\"x\":1}`, "password%3D¤hunter2%26more¤", "password=&quot;¤two words¤&quot; x", "&quot;password&quot;:&quot;¤a b¤&quot;",
	`password\u003d¤hunter2\u0026more¤`, "<password>¤hünter & 2¤</password>", "&lt;password&gt;¤hunter2¤&lt;/password&gt;", "<key>password</key>\n  <string>¤hunter2¤</string>",
	`<add key="DbPassword" value="¤a b¤"/>`, `{"name":"DB_PASSWORD","value":"¤hunter2¤"}`, "¤jäne.müller@exämple.org¤",
	// Folders of people.
	"/home/./¤janedoe¤/x", "/home//.//¤janedoe¤/x", "/export/¤janedoe¤/x", "/export/home/¤janedoe¤/x", "/nfs/homes/¤janedoe¤/x", `D:\Profiles\¤Jane Doe¤\x`, `C:\Users\.\¤Jane Doe¤\x`, "/homes/¤jänedoe¤/x", "/nethome/¤janedoe¤/x",
	"/home2/¤janedoe¤/x", "/export/home1/¤janedoe¤/x", "/home/¤CORP/janedoe¤/x", `/home/¤CORP\janedoe¤/x`, "/var/mail/¤janedoe¤", "/var/spool/cron/crontabs/¤janedoe¤", "/Library/Managed Preferences/¤janedoe¤/x",
	`C:\WINDOWS\Profiles\¤janedoe¤\x`, "https://x/?file=%2Fhome%2F¤janedoe¤%2Fx", "https://x/?file=C%3A%5CUsers%5C¤janedoe¤%5cx&y=1", "https://x/?file=%2fUsers%2f¤jane%20doe¤",
	"/afs/¤example.org¤/user/j/x", "/afs/x.org/user/j/¤janedoe¤/a", "/afs/x.org/user/j/d/¤janedoe¤/a", "~¤janedoe¤/x", "cd ~¤janedoe¤/plans", "https://example.org/~¤janedoe¤/x.html", `E:\Profile\¤Jane Doe¤\x`,
	// Tokens by their form.
	"¤rk_test_abcdefghijklmnop¤", "¤dckr_pat_abcdefghijklmnopqrst¤", "¤gsk_abcdefghijklmnopqrstuvwxyzABCDEF¤", "¤xkeysib-abcdefghijklmnopqrstuvwxyzABCDEF¤", "¤lin_api_abcdefghijklmnopqrstuvwxyzABCDEF¤", "¤ATCTT3xFfGN0abcdefghijklmnopqrstuvwxyz¤",
	`\\¤u0026¤\share\x`, `\\¤u0026x¤\share\x`, `\\fs01\profiles$\¤janedoe¤\x`, `\\fs01\home$\¤janedoe¤\x`, `D:\\Profiles\\¤janedoe¤\\x`,
}

// Each form is masked wherever programs have it: as a text of its own, in a report, as an argument, as the words of a
// command, in a variable of the environment, and in JSON within strings.
func TestLeaks(t *testing.T) {
	m := NewMasker(nil)
	for _, leak := range leaks {
		secret := strings.Split(leak, "¤")[1]
		for place, in := range leakPlaces {
			planted := in(leak)
			if planted == "" {
				continue
			}
			parts := strings.Split(planted, "¤")
			text := strings.Join(parts, "")
			got := m.Text(text)
			for _, part := range append([]string{parts[1]}, wordsOf(secret)...) {
				if strings.Contains(got, part) {
					t.Errorf("%s: %q becomes %q: %q stays", place, text, got, part)
					break
				}
			}
			if again := m.Text(got); again != got {
				t.Errorf("%s: %q becomes %q when it is masked again", place, got, again)
			}
			r := report.Report{Threads: []report.Thread{{Name: &text}}, LinuxFiles: []report.TextFile{{Name: "/proc/PID/cmdline", Text: text}}}
			if got := marshal(t, Mask(&r, nil)); strings.Contains(got, jsonText(parts[1])) {
				t.Errorf("%s: a report has %s", place, got)
			}
		}
	}
}

// leakPlaces are the places of a form. A place that makes no sense for a form returns "".
var leakPlaces = map[string]func(leak string) string{
	"text":          func(s string) string { return s },
	"argument":      func(s string) string { return "app\x00" + s + "\x00x\x00" },
	"shell":         func(s string) string { return "/bin/sh\x00-c\x00" + s + "\x00" },
	"variable":      func(s string) string { return "PATH=/bin\x00LAST_LINE=" + s + "\x00LANG=C\x00" },
	"last variable": func(s string) string { return "LAST_LINE=" + s },
	"words": func(s string) string {
		if !isCommand(s) {
			return ""
		}
		return strings.ReplaceAll(s, " ", "\x00") + "\x00"
	},
	"list of words": func(s string) string {
		if !isCommand(s) {
			return ""
		}
		return `["` + strings.Join(strings.FieldsFunc(strings.ReplaceAll(s, `\`, `\\`), func(r rune) bool { return r == ' ' || r == 0 }), `","`) + `"]`
	},
	"JSON":         func(s string) string { return `{"line":` + jsonText(s) + `,"x":1}` },
	"JSON in JSON": func(s string) string { return `{"log":` + jsonText(`{"line":`+jsonText(s)+`,"x":1}`) + `,"y":2}` },
	"JSON of HTML": func(s string) string { return `{"line":` + escapedText(s) + `,"x":1}` },
	"JSON of HTML in JSON": func(s string) string {
		return `{"log":` + escapedText(`{"line":`+escapedText(s)+`,"x":1}`) + `,"y":2}`
	},
	"JSON in a variable": func(s string) string { return "PATH=/bin\x00CONFIG={\"line\":" + jsonText(s) + "}\x00LANG=C\x00" },
}

// jsonText is a text as most programs write it in JSON, and escapedText as Go and those do that put it into HTML.
func jsonText(s string) string {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(out.String())
}

func escapedText(s string) string {
	out, _ := json.Marshal(s)
	return string(out)
}

// isCommand reports whether a form begins with a program that takes passwords.
func isCommand(leak string) bool {
	first := leak[:strings.IndexAny(leak+" ", " \x00")]
	first = strings.TrimSuffix(first[strings.LastIndexByte(first, '/')+1:], ".exe")
	isLogon := slices.ContainsFunc(logons, func(l logon) bool { return strings.HasPrefix(l.mark, first) })
	return first == "app" || first != "" && isLogon || slices.ContainsFunc(tables().programs, func(p program) bool { return p.named[first] })
}

// besideSecret is a form without its secret.
func besideSecret(leak string) string {
	parts := strings.Split(leak, "¤")
	return parts[0] + "¤" + parts[2]
}

// A sanitized dump has none of them, whose command line, environment, memory and names of threads have all.
func TestLeaksInDumps(t *testing.T) {
	const apart = 64 // from another form, which must not hide it
	for place, in := range map[string]func(string) string{"as they are": func(s string) string { return s }, "in JSON": leakPlaces["JSON"], "wide": wide} {
		b := crash(t, stack(nil, nil))
		at := uint64(heapBase)
		var args, environment string
		for _, leak := range leaks {
			text := in(strings.ReplaceAll(leak, "¤", ""))
			args, environment = args+text+"\x00", environment+"LAST_LINE="+text+"\x00"
			b.Memory(at, []byte(text))
			at += uint64(len(text) + apart)
		}
		b.Stream(0x47670006, asm.At(0).Text(args)).Stream(0x47670007, asm.At(0).Text(environment))
		b.Name(1, strings.ReplaceAll(strings.Join(leaks, " \n "), "¤", ""))
		data := b.Build(t)
		r, _ := clean(t, data, Options{})
		for _, leak := range leaks {
			secret := strings.Split(leak, "¤")[1]
			if !bytes.Contains(data, []byte(wide(secret))) {
				t.Errorf("%s: %q is not planted", place, secret)
			}
			if slices.ContainsFunc(leaks, func(other string) bool { return strings.Contains(besideSecret(other), secret) }) {
				continue // as the word for "password", or the name of a public host
			}
			if bytes.Contains(r.Data, []byte(secret)) || bytes.Contains(r.Data, []byte(wide(secret))) {
				t.Errorf("%s: %q stays of %q", place, secret, leak)
			}
		}
	}
}

// wordsOf are the words of a secret: none of them may stay.
func wordsOf(secret string) (out []string) {
	for _, w := range strings.FieldsFunc(secret, func(r rune) bool { return strings.ContainsRune(" &,;<>'\"\\:%/?#@", r) }) {
		if len(w) > 3 {
			out = append(out, w)
		}
	}
	return out
}

// readable are texts that are about secrets and paths, and have none.
var readable = []string{
	"The password is wrong.", "Enter your password to continue", "the password hunter2", "password reset requested by user", "vi /etc/passwd now", "Bypass the cache", "compass=north", "autoclave=on", "openssl version -keys",
	"the second pass: register allocation", "3 passed, 2 failed", "std::pass::run(int)", "token::parse(int)", "secrets of the trade", "pin the thread to CPU 3", "Passwort vergessen?",
	"Mot de passe oublié", "la contraseña es incorrecta", "Пароль неверный", "密码错误", "parole board", "spin lock taken twice", "opinion: none", "map -p 80 was closed", "mysql is not running",
	"curl failed with error 7", "export PATH first", "/usr/share/export/x.csv", `C:\Program Files\Mozilla\Firefox\Profiles\x.default\prefs.js`, "https://example.org/export/report", "a < b && c > d; e = f, g = h",
	"net use is slow", "net use", `net use "`, "the net user agent changed", "htpasswd -b", "mysqladmin status", "cryptsetup --key-size 512", "sqlplus failed with error 1/2",
	"Foo::~Foo/x", "HEAD~1/2", "x = ~mask/2", "~/x", "file~ and other/x", "access code generation is on", "the passwords [1, 2]", "/usr/lib/user/x.so", "jdbc:oracle:thin:@//db:1521/x",
	"see https://example.org:8080/x?a=1&b=2 for more", "memcpy@GLIBC_2.2.5", "std::map<std::string, Token>::at", "unwrap() on a None value: src/token.rs:12", "operator-p -u x", "MODE=net is slow", `C:\new\n-p x`, `a\u0000b\n-p x`,
}

// A text without a secret stays, and one with a secret keeps the rest of its sentence.
func TestReadable(t *testing.T) {
	m := NewMasker(nil)
	for _, text := range readable {
		if got := m.Text(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"login with password=hünter2, then retry the call": "login with password=[removed], then retry the call",
		"pass: 12 fail: 3":              "pass: [removed] fail: 3",
		"(see password: x) and go on":   "(see password: [removed] and go on",
		`{"password":"a","next":"b"}`:   `{"password":"[removed]","next":"b"}`,
		"<p>password=x</p> <p>next</p>": "<p>password=[removed]</p> <p>next</p>",
		"?token=abcdef&lang=de&page=2":  "?token=[removed]&lang=de&page=2",
		"?token=abcdef&amp;lang=de":     "?token=[removed]&amp;lang=de",
		`run 'PASSWORD=x app' now`:      `run 'PASSWORD=[removed] app' now`,
		`sh -c "PASSWORD=x", done`:      `sh -c "PASSWORD=[removed]", done`,
	} {
		if got := m.Text(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// The forms in which a canary stands as a value.
var (
	canaryKeys     = []string{"password", "DB_PASS", "--pass", "--db-password", "Passwort", "пароль", "密码", "api_key", "client-secret", "SSHPASS"}
	canarySigns    = []string{"=", ": ", " = ", ":=", " => "}
	canaryValues   = []string{"CANARY", "CANARYüCANARY", "CANARY&CANARY", "CANARY,CANARY", "CANARY;CANARY", "CANARY<CANARY", "CANARY>CANARY", "ÄCANARY", "密CANARY", "CANARY'CANARY", "(CANARY)"}
	canaryQuotes   = []string{"%", `"%"`, "“%”", "«%»"}
	canaryAround   = []string{"%", "x % y", "x;%", "[%]", "(%)", "?a=1&%&b=2"}
	canaryEncoding = []func(string) string{
		func(s string) string { return s },
		func(s string) string { b, _ := json.Marshal(map[string]string{"line": s}); return string(b) },
		func(s string) string {
			b, _ := json.Marshal(s)
			b, _ = json.Marshal("{" + string(b) + "}")
			return string(b)
		},
		func(s string) string { return html.EscapeString(s) },
		url.QueryEscape,
		func(s string) string { return strings.ReplaceAll(url.PathEscape(s), "%3D", "%3d") },
	}
)

// canaryText puts a canary into a text in one of the forms.
func canaryText(key, sign, value, quote, around, encoding uint8) string {
	pick := func(list []string, n uint8) string { return list[int(n)%len(list)] }
	text := pick(canaryKeys, key) + pick(canarySigns, sign) + strings.Replace(pick(canaryQuotes, quote), "%", pick(canaryValues, value), 1)
	return canaryEncoding[int(encoding)%len(canaryEncoding)](strings.Replace(pick(canaryAround, around), "%", text, 1))
}

// checkCanary masks a text, as bytes of one and of two, and looks for the canary.
func checkCanary(t *testing.T, text string) {
	t.Helper()
	if got := NewMasker(nil).Text(text); strings.Contains(got, "CANARY") {
		t.Errorf("%q becomes %q", text, got)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 && !strings.ContainsRune("üÄ密“”«»", r) }) || strings.Contains(text, "密码") {
		return // in UTF-16 keys are of ASCII
	}
	var wide []byte
	for _, u := range utf16.Encode([]rune(text)) {
		wide = append(wide, byte(u), byte(u>>8))
	}
	for h := range everySecret(wide) {
		clear(wide[h.from:h.to])
	}
	if bytes.Contains(bytes.ReplaceAll(wide, []byte{0}, nil), []byte("CANARY")) {
		t.Errorf("%q stays in UTF-16", text)
	}
}

// Every combination is too many; a few thousand find what is missing.
func TestCanaryForms(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for range 4000 {
		n := func() uint8 { return uint8(rnd.UintN(256)) }
		checkCanary(t, canaryText(n(), n(), n(), n(), n(), n()))
	}
}

func FuzzMask(f *testing.F) {
	f.Add(uint8(0), uint8(0), uint8(0), uint8(0), uint8(0), uint8(0))
	f.Add(uint8(5), uint8(1), uint8(2), uint8(3), uint8(4), uint8(5))
	f.Fuzz(func(t *testing.T, key, sign, value, quote, around, encoding uint8) {
		checkCanary(t, canaryText(key, sign, value, quote, around, encoding))
	})
}
