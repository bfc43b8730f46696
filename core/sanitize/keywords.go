package sanitize

import (
	"bytes"
	"slices"
	"strings"
)

// keys lists the relevant names. A longer name counts by its end: "db_password", "refresh_token".
//
// Sources: gitleaks' generic-api-key and curl-auth-header; RFC 6265 for cookies;
// for signed URLs Amazon's Signature Version 4, Google Cloud Storage's V4
// signatures, Azure's shared access signatures and CloudFront's signed URLs.
// The manuals of the programs for their variables: sshpass(1), openssl(1),
// redis-cli, Rails (SECRET_KEY_BASE), Sentry (SENTRY_DSN), Docker (DOCKER_AUTH_CONFIG).
var keys = slices.Concat([]key{
	{kind: "a password", name: "password", least: 1},
	{kind: "a password", name: "passwords", least: 1},
	{kind: "a password", name: "passwd", least: 1},
	{kind: "a password", name: "pwd", least: 1},
	{kind: "a password", name: "pswd", least: 1},
	{kind: "a password", name: "psswd", least: 1},
	{kind: "a password", name: "passphrase", least: 1},
	{kind: "a password", name: "passcode", least: 1},
	{kind: "a password", name: "passkey", least: 1},
	{kind: "a password", name: "sshpass", least: 1},
	{kind: "a password", name: "userpass", least: 1},
	{kind: "a password", name: "passin", least: 1, word: true},
	{kind: "a password", name: "passout", least: 1, word: true},
	{kind: "a password", name: "bindpw", least: 1},
	{kind: "a password", name: "pass", least: 1, word: true},
	{kind: "a password", name: "pw", least: 1, word: true},
	{kind: "a password", name: "psk", least: 1, word: true},
	{kind: "a password", name: "pin", least: 4, word: true},
	{kind: "a password", name: "cli_auth", least: 1},
	{kind: "a secret", name: "secret", least: 1},
	{kind: "a secret", name: "secrets", least: 1},
	{kind: "a secret", name: "secret_key_base", least: 6},
	{kind: "a token", name: "token", least: 6},
	{kind: "a token", name: "tokens", least: 6},
	{kind: "a token", name: "jwt", least: 6},
	{kind: "a token", name: "otp", least: 4, word: true},
	{kind: "an API key", name: "api_key", least: 6},
	{kind: "an access key", name: "access_key", least: 6},
	{kind: "an access key", name: "account_key", least: 6},
	{kind: "an access key", name: "secret_key", least: 6},
	{kind: "an access key", name: "private_key", least: 6},
	{kind: "an access key", name: "auth_key", least: 6},
	{kind: "an access key", name: "encryption_key", least: 6},
	{kind: "an access key", name: "master_key", least: 6},
	{kind: "an access key", name: "license_key", least: 6},
	{kind: "credentials", name: "credentials", least: 6},
	{kind: "credentials", name: "creds", least: 6, word: true},
	{kind: "credentials", name: "auth_config", least: 6},
	{kind: "credentials", name: "connection_string", least: 6, rest: true},
	{kind: "credentials", name: "sentry_dsn", least: 6},
	{kind: "credentials", name: "webhook_url", least: 6},
	{kind: "credentials", name: "http_auth", least: 1},
	{kind: "a session", name: "session_id", least: 6},
	{kind: "a session", name: "session_key", least: 6},
	{kind: "a session", name: "sess_id", least: 6},
	{kind: "a session", name: "jsessionid", least: 6},
	{kind: "a session", name: "phpsessid", least: 6},
	{kind: "a cookie", name: "cookie", least: 6, rest: true},
	{kind: "the signature of a URL", name: "x_amz_signature", least: 6},
	{kind: "the signature of a URL", name: "x_amz_credential", least: 6},
	{kind: "the signature of a URL", name: "x_goog_signature", least: 6},
	{kind: "the signature of a URL", name: "x_goog_credential", least: 6},
	{kind: "the signature of a URL", name: "signature", least: 12, query: true},
	{kind: "the signature of a URL", name: "sig", least: 12, query: true},
	{kind: "the signature of a URL", name: "key_pair_id", least: 6},
	{kind: "a code of an authorization", name: "code", least: 12, query: true},
}, translated())

// translations are the words for "password" in other languages. _ is as in names of keys; letters that
// ASCII lacks are often written without their marks.
var translations = []string{
	"passwort", "kennwort", "losungswort", // German
	"mot_de_passe", "mdp", // French
	"contraseña", "contrasena", "contrasenya", // Spanish, Catalan
	"senha", "palavra_passe", // Portuguese
	"parola_d'ordine", "parola", "parole", "parolă", // Italian, Turkish, Latvian, Romanian
	"wachtwoord", "wagwoord", // Dutch, Afrikaans
	"lösenord", "losenord", "adgangskode", "kodeord", "passord", "lykilorð", "aðgangsorð", // Swedish, Danish, Norwegian, Icelandic
	"salasana", "tunnussana", "parool", "salasõna", // Finnish, Estonian
	"hasło", "haslo", "heslo", "geslo", "lozinka", "zaporka", // Polish, Czech and Slovak, Slovene, Croatian
	"jelszó", "jelszo", "slaptažodis", "slaptazodis", // Hungarian, Lithuanian
	"пароль", "парола", "лозинка", // Russian and Ukrainian, Bulgarian, Serbian
	"κωδικός", "κωδικος", "συνθηματικό", // Greek
	"şifre", "şİfre", "sifre", "şifrə", // Turkish, Azerbaijani
	"סיסמה", "סיסמא", "ססמה", "كلمة_المرور", "كلمة_السر", "رمز_عبور", "گذرواژه", // Hebrew, Arabic, Persian
	"パスワード", "暗証番号", "密码", "密碼", "口令", "비밀번호", "암호", // Japanese, Chinese, Korean
	"mật_khẩu", "mat_khau", "kata_sandi", "รหัสผ่าน", "पासवर्ड", // Vietnamese, Indonesian, Thai, Hindi
	"pasahitza", "facal_faire", "nenosiri", // Basque, Gaelic, Swahili
}

// translated are the keys of the translations.
func translated() (out []key) {
	for _, word := range translations {
		out = append(out, key{kind: "a password", name: word, least: 1})
	}
	return out
}

// A program takes a password behind an option of one letter, whose meaning others do not share.
type program struct {
	names  []string
	option string
	joined bool // the value may follow at once: "-psecret"
	apart  bool // the value may be the next word
	pair   bool // the value is "name:password", or "name%password"
}

// programs are those whose manuals say so: mysql(1), sshpass(1), curl(1), 7z(1), zip(1), unzip(1),
// redis-cli, ldapsearch(1), smbclient(1), xfreerdp(1), rdesktop(1), docker-login(1), mongo(1), rar(1).
var programs = []program{
	{names: []string{"mysql", "mysqldump", "mysqladmin", "mysqlimport", "mariadb", "mariadb-dump"}, option: "-p", joined: true},
	{names: []string{"sshpass"}, option: "-p", joined: true, apart: true},
	{names: []string{"curl"}, option: "-u", joined: true, apart: true, pair: true},
	{names: []string{"curl"}, option: "--user", apart: true, pair: true},
	{names: []string{"curl"}, option: "--proxy-user", apart: true, pair: true},
	{names: []string{"7z", "7za", "7zz", "7zr"}, option: "-p", joined: true},
	{names: []string{"rar", "unrar"}, option: "-hp", joined: true},
	{names: []string{"rar", "unrar"}, option: "-p", joined: true},
	{names: []string{"zip", "unzip"}, option: "-P", joined: true, apart: true},
	{names: []string{"redis-cli"}, option: "-a", apart: true},
	{names: []string{"ldapsearch", "ldapmodify", "ldapadd", "ldapdelete", "ldapwhoami"}, option: "-w", joined: true, apart: true},
	{names: []string{"smbclient", "net", "rpcclient"}, option: "-U", joined: true, apart: true, pair: true},
	{names: []string{"xfreerdp", "wfreerdp", "sdl-freerdp"}, option: "/p:", joined: true},
	{names: []string{"rdesktop", "docker", "podman", "mongo", "mongosh", "mongodump", "sqlplus"}, option: "-p", joined: true, apart: true},
	{names: []string{"sqlcmd", "bcp", "isql"}, option: "-P", joined: true, apart: true},
}

// mostLine is how far before an option the name of its program is searched.
const mostLine = 256

// find finds the password behind the option at i, in a command line of the program.
func (p *program) find(data []byte, i, _ int) (hit, bool) {
	if i == 0 || strings.IndexByte(" \t\x00\"'", data[i-1]) < 0 {
		return hit{}, false
	}
	if !bytes.HasPrefix(data[i:], []byte(p.option)) || !p.runs(data[max(0, i-mostLine):i]) {
		return hit{}, false
	}
	end := i + len(p.option)
	at := quote(data, end)
	if at < len(data) && at > end && data[at] == ',' {
		at++
	}
	from := blanks(data, at)
	if from < len(data) && data[from] == 0 {
		from++
	}
	isApart := from > end && (from > at || at > end+1)
	switch {
	case isApart && !p.apart, !isApart && !p.joined, from >= len(data), isApart && data[from] == '-':
		return hit{}, false
	case !isApart:
		from = end
	}
	from, to := (&key{}).value(data, from)
	if p.pair {
		n := strings.IndexAny(string(data[from:to]), ":%")
		if n < 0 {
			return hit{}, false
		}
		from += n + 1
	}
	return hit{"a password", from, to}, to > from
}

// runs reports whether a command line has the program's name, as a word or at the end of a path.
func (p *program) runs(line []byte) bool {
	if n := strings.LastIndexAny(string(line), "\n|;"); n >= 0 {
		line = line[n+1:]
	}
	return slices.ContainsFunc(p.names, func(name string) bool {
		for from := 0; ; {
			n := bytes.Index(line[from:], []byte(name))
			if n < 0 {
				return false
			}
			start, end := from+n, from+n+len(name)
			from = end
			if bytes.HasPrefix(line[end:], []byte(".exe")) {
				end += len(".exe")
			}
			if (start == 0 || !isTokenByte(line[start-1])) && (end == len(line) || strings.IndexByte(" \t\x00\"'", line[end]) >= 0) {
				return true
			}
		}
	})
}
