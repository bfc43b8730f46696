package sanitize

import "strings"

// keys lists the relevant names. A longer name counts by its end: "db_password", "refresh_token".
//
// Sources: gitleaks' generic-api-key and curl-auth-header; RFC 6265 for cookies;
// for signed URLs Amazon's Signature Version 4, Google Cloud Storage's V4
// signatures, Azure's shared access signatures and CloudFront's signed URLs.
// The manuals of the programs for their variables: sshpass(1), openssl(1),
// redis-cli, Rails (SECRET_KEY_BASE), Sentry (SENTRY_DSN), Docker (DOCKER_AUTH_CONFIG), npm (.npmrc's _auth),
// Azure's connection strings.
var keys = eachOf([]key{
	{kind: "a password", name: "password|passwords|passwd|pwd|pswd|psswd|pass_phrase|pass_code|passkey|bindpw|cli_auth|identified_by|wep_key", least: 1, spoken: true},
	{kind: "a password", name: "access_code", least: 4, spoken: true},
	{kind: "a password", name: "passin|passout|pass|pw|psk", least: 1, word: true, spoken: true},
	{kind: "a password", name: "clave", least: 1, word: true, spoken: true}, // Spanish, and the end of "autoclave"
	{kind: "a password", name: "رمز", least: 4, word: true, spoken: true},   // Persian, and the beginning of other words
	{kind: "a password", name: "pin", least: 4, word: true, spoken: true},
	{kind: "a password", name: "cvv|cvc", least: 3, word: true, spoken: true},
	{kind: "a password", name: strings.Join(translations, "|"), least: 1, inflected: true, spoken: true},
	{kind: "a secret", name: "secret|secrets", least: 1},
	{kind: "a secret", name: "secret_key_base", least: 6},
	{kind: "a secret", name: "recovery_code|backup_code|2fa_code|mfa_code|security_answer|seed_phrase", least: 4},
	{kind: "a secret", name: "salt", least: 8, word: true},
	{kind: "a token", name: "token|tokens|jwt", least: 6},
	{kind: "a token", name: "otp", least: 4, word: true},
	{kind: "an API key", name: "api_key", least: 6},
	{kind: "an access key", name: "access_key|account_key|secret_key|private_key|auth_key|encryption_key|decryption_key|encrypt_key|crypt_key|" +
		"cipher_key|signing_key|master_key|license_key|storage_key|shared_key|hmac_key|ssh_key|app_key|subscription_key|instrumentation_key|functions_key", least: 6},
	{kind: "credentials", name: "credentials|auth_config|sentry_dsn|webhook_url|shared_access_signature|:_auth|auths", least: 6},
	{kind: "credentials", name: "creds", least: 6, word: true},
	{kind: "credentials", name: "connection_string", least: 6, rest: true},
	{kind: "credentials", name: "http_auth", least: 1},
	{kind: "a session", name: "session_id|session_key|sess_id|jsessionid|phpsessid", least: 6},
	{kind: "credentials", name: "key|pat|auth|dsn", least: 8, env: true},
	{kind: "an authorization header", name: "authorization", least: 12, scheme: true},
	{kind: "an authorization header", name: "bearer", least: 12},
	{kind: "a cookie", name: "cookie", least: 6, rest: true},
	{kind: "the signature of a URL", name: "x_amz_signature|x_amz_credential|x_goog_signature|x_goog_credential|key_pair_id", least: 6},
	{kind: "the signature of a URL", name: "signature|sig", least: 12, query: true},
	{kind: "a code of an authorization", name: "code|auth|key|ticket|assertion|samlresponse", least: 12, query: true},
}, func(k *key) *string { return &k.name })

// translations are the words for "password" in other languages. _ is as in names of keys; letters that
// ASCII lacks are often written without their marks.
var translations = []string{
	"passwort", "passwörter", "kennwort", "kennwörter", "losungswort", "zugangscode", "zugangskennwort", "zugangsschlüssel", // German
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
	"fjalëkalim", "құпиясөз", "құпия_сөз", "сырсөз", "серсүз", "нууц_үг", "парол", "рамз", // Albanian, Kazakh, Kyrgyz, Tatar, Mongolian, Tajik
	"գաղտնաբառ", "პაროლი", "ពាក្យសម្ងាត់", "ລະຫັດຜ່ານ", "စကားဝှက်", "የይለፍ_ቃል", // Armenian, Georgian, Khmer, Lao, Burmese, Amharic
	"পাসওয়ার্ড", "પાસવર્ડ", "ਪਾਸਵਰਡ", "கடவுச்சொல்", "పాస్‌వర్డ్", "ಪಾಸ್‌ವರ್ಡ್", "പാസ്‌വേഡ്", "රහස්_පදය", "මුරපදය", // Bengali to Sinhala
	"كلمه_السر", "كلمه_المرور", "پاس_ورڈ", "پاسورډ", "تێپەڕەوشە", // Arabic without its marks, Urdu, Pashto, Kurdish
	"pasfhocal", "cyfrinair", "ger_tremen", "contrasinal", "pasvorto", "passwuert", "wachtwurd", "parol", // Irish, Welsh, Breton, Galician, Esperanto, Luxembourgish, Frisian, Uzbek
	"mật_khẩu", "mat_khau", "kata_sandi", "kata_laluan", "iphasiwedi", "kalmar_sirri", "รหัสผ่าน", "पासवर्ड", // Vietnamese, Indonesian, Malay, Zulu and Xhosa, Hausa, Thai, Hindi
	"pasahitza", "facal_faire", "nenosiri", // Basque, Gaelic, Swahili
}

// tails are what may follow a key in its name: "passwordHash", "password_2". _ is as in names of keys.
var tails = []string{
	"_confirmation", "_digest", "_confirm", "_again", "_repeat", "_retype", "_verify", "_hash", "_value", "_text", "_plain", "_clear", "_string", "_str", "_base64", "_b64", "_enc",
	"_encrypted", "_old", "_new", "_current", "_default", "_env", "_db", "_bd", "_acceso", "_usuario", "_user", "_admin", "_root",
}

// brackets are those behind a key that is an index: user[password]=, $x['password'] =.
var brackets = []string{"[]", "]", "%5B%5D", "%5b%5d", "%5D", "%5d"}

// owners are what "pass" and "pw" may follow in a name without a mark between them: "rootpw". Other words
// end in "pass", too: compass, bypass, renderpass.
var owners = strings.Fields("admin ansible api app archive auth backup become bind cert client db dest destkey" +
	" deststore email enc ftp git guest host http https imap irc key keystore" +
	" ldap login mail master mongo mq my mysql new nick old require pdf pfx pg pop pop3 postgres proxy rabbit rar rcon rdp redis root router rpc samba server smb smtp sql srckey" +
	" srcstore ssh ssl store su sudo svn sys system trust truststore user vnc vpn web wifi win wlan wpa zip")

// schemes are those of HTTP's Authorization.
//
// Sources: IANA's registry of authentication schemes; the documentation of AWS, Azure, GitHub, Okta, Discord and Splunk for others.
var schemes = []string{
	"Basic", "Bearer", "Digest", "DPoP", "GNAP", "HOBA", "Mutual", "Negotiate", "NTLM", "Kerberos", "OAuth", "PrivateToken", "SCRAM-SHA-1", "SCRAM-SHA-256", "vapid", "Concealed",
	"Token", "ApiKey", "Api-Key", "Api-Token", "Key", "JWT", "MAC", "Hawk", "Signature", "SSWS", "Bot", "Splunk", "GoogleLogin", "Client-ID", "SharedKey", "SharedKeyLite",
	"SharedAccessSignature", "AWS", "AWS4-HMAC-SHA256", "AWS4-ECDSA-P256-SHA256", "Atl-JWT", "Snowflake",
}
