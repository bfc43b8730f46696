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
var keys = eachOf([]key{
	{kind: "a password", name: "password|passwords|passwd|pwd|pswd|psswd|passphrase|passcode|passkey|sshpass|userpass|dbpass|bindpw|cli_auth", least: 1},
	{kind: "a password", name: "access_code", least: 4},
	{kind: "a password", name: "passin|passout|pass|pw|psk", least: 1, word: true},
	{kind: "a password", name: "clave", least: 1, word: true}, // Spanish, and the end of "autoclave"
	{kind: "a password", name: "pin", least: 4, word: true},
	{kind: "a password", name: strings.Join(translations, "|"), least: 1},
	{kind: "a secret", name: "secret|secrets", least: 1},
	{kind: "a secret", name: "secret_key_base", least: 6},
	{kind: "a token", name: "token|tokens|jwt", least: 6},
	{kind: "a token", name: "otp", least: 4, word: true},
	{kind: "an API key", name: "api_key", least: 6},
	{kind: "an access key", name: "access_key|account_key|secret_key|private_key|auth_key|encryption_key|master_key|license_key", least: 6},
	{kind: "credentials", name: "credentials|auth_config|sentry_dsn|webhook_url", least: 6},
	{kind: "credentials", name: "creds", least: 6, word: true},
	{kind: "credentials", name: "connection_string", least: 6, rest: true},
	{kind: "credentials", name: "http_auth", least: 1},
	{kind: "a session", name: "session_id|session_key|sess_id|jsessionid|phpsessid", least: 6},
	{kind: "a cookie", name: "cookie", least: 6, rest: true},
	{kind: "the signature of a URL", name: "x_amz_signature|x_amz_credential|x_goog_signature|x_goog_credential|key_pair_id", least: 6},
	{kind: "the signature of a URL", name: "signature|sig", least: 12, query: true},
	{kind: "a code of an authorization", name: "code", least: 12, query: true},
}, func(k *key) *string { return &k.name })

// translations are the words for "password" in other languages. _ is as in names of keys; letters that
// ASCII lacks are often written without their marks.
var translations = []string{
	"passwort", "kennwort", "losungswort", "zugangscode", "zugangskennwort", "zugangsschlüssel", // German
	"mot_de_passe", "mdp", "code_d'accès", "code_d'acces", "code_d’accès", "code_secret", // French
	"contraseña", "contrasena", "contrasenya", "código_de_acceso", "codigo_de_acceso", "clave_de_acceso", // Spanish, Catalan
	"senha", "palavra_passe", "código_de_acesso", "codigo_de_acesso", "chave_de_acesso", // Portuguese
	"parola_d'ordine", "codice_di_accesso", "codice_d'accesso", "parola", "parole", "parolă", // Italian, Turkish, Latvian, Romanian
	"wachtwoord", "wagwoord", "toegangscode", "toegangskode", // Dutch, Afrikaans
	"lösenord", "losenord", "åtkomstkod", "adgangskode", "kodeord", "passord", "tilgangskode", "aðgangskóði", "lykilorð", "aðgangsorð", // Swedish, Danish, Norwegian, Icelandic
	"salasana", "tunnussana", "pääsykoodi", "parool", "salasõna", "juurdepääsukood", // Finnish, Estonian
	"hasło", "haslo", "kod_dostępu", "kod_dostepu", "heslo", "přístupový_kód", "prístupový_kód", // Polish, Czech and Slovak
	"geslo", "lozinka", "zaporka", "pristupni_kod", // Slovene, Croatian
	"jelszó", "jelszo", "hozzáférési_kód", "belépési_kód", "slaptažodis", "slaptazodis", // Hungarian, Lithuanian
	"пароль", "код_доступа", "код_доступу", "парола", "код_за_достъп", "лозинка", "приступни_код", // Russian and Ukrainian, Bulgarian, Serbian
	"κωδικός", "κωδικος", "κωδικός_πρόσβασης", "συνθηματικό", // Greek
	"erişim_kodu", "giriş_kodu", "şifre", "şİfre", "sifre", "şifrə", // Turkish, Azerbaijani
	"סיסמה", "סיסמא", "ססמה", "كلمة_المرور", "كلمة_السر", "رمز_عبور", "گذرواژه", // Hebrew, Arabic, Persian
	"パスワード", "暗証番号", "アクセスコード", "密码", "密碼", "口令", "访问码", "存取碼", "비밀번호", "암호", "액세스_코드", // Japanese, Chinese, Korean
	"mật_khẩu", "mat_khau", "kata_sandi", "รหัสผ่าน", "पासवर्ड", // Vietnamese, Indonesian, Thai, Hindi
	"pasahitza", "facal_faire", "nenosiri", // Basque, Gaelic, Swahili
}

// A program takes a password behind an option of one letter, whose meaning others do not share.
type program struct {
	names  []string
	option string
	joined bool // the value may follow at once: "-psecret"
	apart  bool // the value may be the next word
	skip   int  // words before the value, behind the option
	pair   bool // the value is "name:password", or "name%password"
}

// programs are those whose manuals say so: mysql(1), sshpass(1), curl(1), 7z(1), zip(1), unzip(1),
// redis-cli, ldapsearch(1), smbclient(1), xfreerdp(1), rdesktop(1), docker-login(1), mongo(1), rar(1),
// htpasswd(1), cryptsetup(8), net use of Windows, az-login, helm registry login, winexe(1), mosquitto_pub(1), ssh-keygen(1), openssl-enc(1), PsExec.
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
	{names: []string{"smbclient", "net", "rpcclient", "smbget", "winexe"}, option: "-U", joined: true, apart: true, pair: true},
	{names: []string{"xfreerdp", "wfreerdp", "sdl-freerdp"}, option: "/p:", joined: true},
	{names: []string{"rdesktop", "docker", "podman", "mongo", "mongosh", "mongodump", "sqlplus", "az", "helm", "psexec"}, option: "-p", joined: true, apart: true},
	{names: []string{"sqlcmd", "bcp", "isql", "mosquitto_pub", "mosquitto_sub"}, option: "-P", joined: true, apart: true},
	{names: []string{"ssh-keygen"}, option: "-N", apart: true},
	{names: []string{"openssl"}, option: "-k", apart: true},
	{names: []string{"mysqladmin", "mariadb-admin"}, option: "password", apart: true},
	{names: []string{"htpasswd"}, option: "-b", apart: true, skip: 2},
	{names: []string{"htpasswd"}, option: "-nb", apart: true, skip: 1},
	{names: []string{"htpasswd"}, option: "-cb", apart: true, skip: 2},
	{names: []string{"htpasswd"}, option: "-bc", apart: true, skip: 2},
	{names: []string{"htpasswd"}, option: "-bn", apart: true, skip: 1},
	{names: []string{"net", "net1"}, option: "/user:", joined: true, skip: 1},
	{names: []string{"net", "net1"}, option: "use", apart: true, skip: 1},
	{names: []string{"net", "net1"}, option: "use", apart: true, skip: 2},
	{names: []string{"cryptsetup"}, option: "--key", apart: true},
	{names: []string{"cryptsetup"}, option: "--key=", joined: true},
	{names: []string{"cryptsetup"}, option: "--key-file", apart: true},
	{names: []string{"cryptsetup"}, option: "--key-file=", joined: true},
	{names: []string{"cryptsetup"}, option: "--master-key-file", apart: true},
	{names: []string{"cryptsetup"}, option: "--master-key-file=", joined: true},
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
	from, isApart := nextWord(data, end)
	switch {
	case isApart && !p.apart, !isApart && !p.joined, from >= len(data), isApart && data[from] == '-':
		return hit{}, false
	case !isApart:
		from = end
	}
	for range p.skip {
		first, to := (&key{}).value(data, from)
		if p.option == "use" && !bytes.HasPrefix(data[first:], []byte(`\\`)) && data[to-1] != ':' && !bytes.HasPrefix(data[first:], []byte("*")) {
			return hit{}, false // neither a share nor a device
		}
		if from, isApart = nextWord(data, to); !isApart || from >= len(data) {
			return hit{}, false
		}
	}
	if p.skip > 0 && strings.IndexByte(`-/\*`, data[from]) >= 0 { // another option, a share, or a password that is asked for
		return hit{}, false
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

// A logon is a name and a password with a slash between them, before an @ or at the end of the word.
type logon struct {
	mark    string
	command bool // the mark is a program, and options may precede the logon
}

// logons are those of Oracle's programs and drivers. Source: SQL*Plus User's Guide, and JDBC Developer's Guide,
// "Database URLs and Database Specifiers".
var logons = eachOf([]logon{
	{mark: "sqlplus|sqlldr|expdp|impdp|rman target", command: true},
	{mark: "jdbc:oracle:thin:|jdbc:oracle:oci:|jdbc:oracle:oci8:"},
}, func(l *logon) *string { return &l.mark })

// find finds the password of a logon behind the mark at i.
func (l *logon) find(data []byte, i, _ int) (hit, bool) {
	end := i + len(l.mark)
	if end > len(data) || !strings.EqualFold(string(data[i:end]), l.mark) || i > 0 && isTokenByte(data[i-1]) {
		return hit{}, false
	}
	for l.command {
		if bytes.HasPrefix(data[end:], []byte(".exe")) {
			end += len(".exe")
		}
		from, apart := nextWord(data, end)
		if !apart || from >= len(data) {
			return hit{}, false
		}
		if end = from; data[from] != '-' {
			break
		}
		end = wordEnd(data, from)
	}
	from, to := (&key{}).value(data, end)
	slash := bytes.IndexByte(data[from:to], '/')
	if slash <= 0 || bytes.IndexByte(data[from:from+slash], '@') >= 0 || data[from] == '/' {
		return hit{}, false
	}
	from += slash + 1
	if at := bytes.LastIndexByte(data[from:to], '@'); at >= 0 {
		to = from + at
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
