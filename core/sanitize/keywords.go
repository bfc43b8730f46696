package sanitize

import (
	"strconv"
	"strings"
)

// readKeys reads the relevant names: the kind of the secret, the names, the number of its characters, and the flags of the key. A longer name
// counts by its end: "db_password", "refresh_token". Of the words for "password" in other languages, letters that ASCII lacks are often
// written without their marks.
//
// Sources: gitleaks' generic-api-key and curl-auth-header; RFC 6265 for cookies;
// for signed URLs Amazon's Signature Version 4, Google Cloud Storage's V4
// signatures, Azure's shared access signatures and CloudFront's signed URLs.
// The manuals of the programs for their variables: sshpass(1), openssl(1),
// redis-cli, Rails (SECRET_KEY_BASE), Sentry (SENTRY_DSN), Docker (DOCKER_AUTH_CONFIG), npm (.npmrc's _auth),
// Azure's connection strings.
func readKeys() (out []key) {
	for _, c := range rows("keys") {
		k := key{kind: c[0], name: c[1]}
		k.least, _ = strconv.Atoi(c[2])
		flags(c[3], map[string]*bool{
			"rest": &k.rest, "query": &k.query, "word": &k.word, "env": &k.env, "scheme": &k.scheme, "inflected": &k.inflected, "spoken": &k.spoken,
		})
		out = append(out, k)
	}
	return eachOf(out, func(k *key) *string { return &k.name })
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
