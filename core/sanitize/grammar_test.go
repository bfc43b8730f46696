package sanitize

import (
	"strings"
	"testing"
)

// families are the forms of one rule each. % stands for the secret or the name, which must go.
var families = map[string][]string{
	"elements and attributes": {
		`<password type="x">%</password>`, `<Password Type="plain">%</Password>`, `<wsse:Password Type="http://docs#Text">%</wsse:Password>`,
		`<property name="password">%</property>`,
		`<entry key="password">%</entry>`, `<add key="Password" value="%"/>`, `<param value="%" name="password"/>`, `<input value="%" type="password">`,
		"<setting name=\"Password\" serializeAs=\"String\">\n  <value>%</value></setting>", `<user name="tomcat" password="%" roles="x"/>`,
	},
	"members and lists": {
		`{"name":"password","value":"%"}`, `{"value":"%","name":"password"}`, `{"key":"password","type":"string","value":"%"}`, `{"password":{"plain":"%","x":1},"y":2}`,
		`{"passwords":{"a":"%"}}`,
		`{"auth":{"password":{"$t":"%"}}}`, `{"password": [{"a": "b"}, "%"]}`, `{"auths":{"r.io":{"auth":"%"}}}`, "- name: DB_PASSWORD\n  value: %", `('password','%')`,
		`{\"name\":\"password\",\"value\":\"%\"}`,
	},
	"tails of names": {
		"password1=%", "password_2=%", "passwordHash=%", "password_confirmation=%", "newPasswordAgain=%", "user[password]=%", "user%5Bpassword%5D=%", "password[]=%",
		"$x['password'] = '%'", "token2=%", "password.value=%",
	},
	"owners of names": {"SMTPPASS=%", "rootpw=%", "adminpass: %", "keypass=%", "-storepass %", "--storepass %", "srckeypass=%", "mySmtpPass=%", "ROOTPASS=%",
		"[SSHPASS=%]", "set SMBPass %"},
	"variables": {
		"GITHUB_PAT=%", "FERNET_KEY=%", "MAILGUN_KEY=%", "NPM_CONFIG__AUTH=%", "//registry.npmjs.org/:_authToken=%", "//r.example.org/:_auth=%",
		"npm config set //r.example.org/:_authToken %", "AZURE_STORAGE_KEY=%",
		"APP_KEY=base64:%", "SALT=%", "SharedAccessSignature=%", "InstrumentationKey=%", "ODBC_DSN=%", "HTTPS_PROXY=u:%@p:3128",
	},
	"headers": {
		"Authorization: Token %", "Authorization: %", `Authorization: Digest username="x", response="%"`, "Authorization: AWS4-HMAC-SHA256 Credential=x, Signature=%",
		"bearer %", "Bearer: %", "basic %", `-H "Authorization: Digest a=\"b\", c=\"%\""`,
		"Proxy-Authorization: Negotiate %", `"authorization":"ApiKey %"`, "-H 'Authorization: Token %' https://x", "AUTH PLAIN %",
	},
	"literals and sentences": {
		`password == "%"`, `setPassword("%")`, `password=b'a %'`, `password=L"a %"`, `password=@"a %"`, "password        = %", `pwd: !!str %`, `password=a\ %`,
		"password is %", "password was %", "Password for jane: %", "Passwort für jane: %",
		"ALTER USER x WITH PASSWORD '%'", "IDENTIFIED BY '%'", "password -> %", "password&equals;%", `pwd\x3d%`, "Passwörter: %", "Şifreniz=%", "claveAcceso=%", "?key=%",
		"?ticket=%", "password=<%>",
	},
	"languages": {"kata laluan=%", "fjalëkalimi=%", "cyfrinair=%", "პაროლი=%", "գաղտնաբառ=%", "құпиясөз=%", "нууц үг=%", "পাসওয়ার্ড=%", "கடவுச்சொல்=%", "كلمه السر=%",
		"رمز=%", "pasvorto=%", "iphasiwedi=%"},
	"commands": {
		"curl -sSu jane:% https://x", "ldapsearch -xw % -D cn", "lftp -u jane,% ftp://x", "net user jane % /add", "psexec.py dom/jane:%@10.0.0.1",
		"kubectl create secret generic x --from-literal=foo=%", "vault login %", "docker login -u x -p %",
		"wpa_passphrase ssid %", "nmcli dev wifi connect x password %", "iwconfig wlan0 key s:%", "wpa-psk %", "usermod -p % jane", "ipmitool -H h -U root -P %",
		"snmpget -v3 -A % x", "etcdctl --user root:%", "http -a jane:% h", "sqlmap --auth-cred=jane:%",
		"hydra -l jane -p % h", "qpdf --encrypt % % 256 --", "pdftotext -upw % -opw % a", "pdftk in.pdf input_pw % output x user_pw %",
		"signtool sign /f c.pfx /p % a.exe", "steamcmd +login jane % +quit", "bitcoin-cli walletpassphrase % 60",
		"PsExec.exe \\\\h -u x -p % cmd", "machine h login x password %", "gem push -k %", "keytool -storepass % -keypass %", "mysql -p'a %'",
		"[\"curl\",\"-u\",\"jane:%\"]", "requirepass %", "cvs -d :pserver:jane:%@h:/x", "//jane:%@h/share", "postgres://jane:a/%@h/x",
	},
	"tokens": {
		"glft-%", "xoxo-%", "pplx-%", "ntn_%", "HRKU-AA%", "sntryu_%", "123456789:%", "$6$salt$%", "{SSHA}%", "pscale_tkn_%", "doo_v1_%", "gsk_%", "npm_%", "hf_%",
	},
	"homes": {
		"/u/%/x", "/u1/%/x", "/nfs/%/x", "/scratch/%/x", "/home/j/%/x", "/home/students/%/x", "/home/users/%/x", "/home/corp.example.com/%/x", "/home/.ecryptfs/%/x",
		`C:\DOCUME~1\%\x`, `C:\Benutzer\%\x`, `C:\Utilisateurs\%\x`,
		`C:\Пользователи\%\x`, "/Utilisateurs/%/x", `D:\用户\%\x`, `\\server\redirected\%\Documents`, `\\server\UserData\%\x`, "/Volumes/Users/%/x", "/tmp/hsperfdata_%/1", "/afs/cell/user/j/%/x", "/afs/cell/user/j/a/%/x", "/~%/x",
		"/run/screen/S-%/x", "/tmp/kde-%", `\u002fhome\u002f%\u002fx`, "/var/spool/cron/%",
		"USER=%", "LOGNAME=%\x00x", "env SUDO_USER='%' x", "ssh %@host", `\Device\Mup\server\home$\%\x`,
	},
}

// Each rule removes the secret or the name in all of its forms, and nothing is found a second time.
func TestFamilies(t *testing.T) {
	m := NewMasker(nil)
	for family, forms := range families {
		secret := "hunter2xABCDEFGHIJKLMAbcDefGhijKlmnOpqrstUvwxyzabcdefghijkl"
		if family == "homes" {
			secret = "janedoe"
		}
		for _, form := range forms {
			text := strings.ReplaceAll(form, "%", secret)
			if strings.Contains(form, "%5B") {
				text = strings.Replace(form, "=%", "="+secret, 1)
			}
			got := m.Text(text)
			if strings.Contains(got, secret) {
				t.Errorf("%s: %q becomes %q", family, text, got)
			}
			if again := m.Text(got); again != got {
				t.Errorf("%s: %q becomes %q when it is masked again", family, got, again)
			}
		}
	}
}

// What looks like one of these forms and is none stays.
func TestNoFamily(t *testing.T) {
	m := NewMasker(nil)
	for _, text := range []string{
		"renderpass=2", "subpass: 3", "trespass=x", "multipass: on", "password(QString const&)", "setPassword(std::string)", "password == other", "token->next",
		"token -> Token", "password is wrong", "password was not given",
		"docker run -p 8080:80 x", "docker run -p 8080", "the http -a option", "vault is open", "key=abcdefghijkl", "x_key=abcdefghijkl", "HKEY_CURRENT_USER",
		"CACHE_KEYS=abcdefghijkl", "authorization failed",
		"Authorization: none", "basic block 12", "basic authentication failed", "Basic functionality", "Basic types", "negotiate a protocol", "<passwordBox>x</passwordBox>", "<field name=\"user\">x</field>",
		`{"name":"user","value":"x"}`, `["user","password","email"]`,
		"/usr/lib/u/x.so", "/nfs/x.so", `\U00000002\U00000002`, `\u00e4\u0041\u0042`, "/src/screen/s-curve.c", "https://example.org/u/jane", "/home/user/x", "$1$2",
		"12:34:56:7890", "12345678:short", "git@host:x", "npm:left-pad@1.3.0", "node:internal/x@2",
		"SKETCH", "SK: 12", "sha256~x", "LTAIx", "// see x:y@z", "a //jane@h", "NAME=jane", "user=jane", "USERS=jane", "C:/src/benutzer/x.c", "http://localhost:8080/a@b",
		"std::pair<int, Token>{1, 2}", "/src/user/a/main.c", `C:\src\user\x\file.cpp`, "/data/app/~~a1B2c3==/com.example-d4E5==/base.apk",
		"gsk_gpu_node_processor_add_texture_scale_node", "npm_config_registry_of_the_whole_workspace", "sgp_shared_group_policy_initialize_the_subsystem",
	} {
		if got := m.Text(text); got != text {
			t.Errorf("%q becomes %q", text, got)
		}
	}
}
