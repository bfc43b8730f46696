package sanitize

import "strings"

// patterns are the secrets with a recognizable form.
//
// Sources: the documentation of each service on the form of its tokens, and the rules of gitleaks
// (config/gitleaks.toml), which have the same names; RFC 7468 for keys, RFC 7519 for JSON web
// tokens, RFC 7617 and RFC 6750 for headers. gitleaks itself is not used: it has some forty
// dependencies, and a regular expression for each rule is too slow for the memory of a process.
var patterns = eachOf([]pattern{
	{kind: "a private key", mark: "-----BEGIN ", least: 10, of: isPEM},
	{kind: "a private key", mark: "AGE-SECRET-KEY-1", least: 50, of: isUpperOrDigit},
	{kind: "an AWS access key", mark: "AKIA|ASIA|ABIA|ACCA", least: 16, of: isUpperOrDigit},
	{kind: "a GitHub token", mark: "ghp_|gho_|ghs_|ghu_|ghr_", least: 30, of: isWordByte},
	{kind: "a GitHub token", mark: "github_pat_", least: 20, of: isWordByte},
	{kind: "a GitLab token", mark: "glpat-|gldt-|glrt-|glcbt-|glptt-|glft-|glffct-|glimt-|glagent-|gloas-|glsoat-|GR1348941", least: 16, of: isTokenByte},
	{kind: "a Slack token", mark: "xoxb-|xoxp-|xoxa-|xoxo-|xoxr-|xoxs-|xoxe|xapp-", least: 10, of: isTokenByte},
	{kind: "a Slack webhook", mark: "hooks.slack.com/", least: 20, of: isPathByte, keep: true},
	{kind: "a Discord webhook", mark: "discord.com/api/webhooks/|discordapp.com/api/webhooks/", least: 20, of: isPathByte, keep: true},
	{kind: "a Google API key", mark: "AIza", least: 30, of: isTokenByte},
	{kind: "a Google token", mark: "ya29.", least: 20, of: isTokenByte},
	{kind: "a Google client secret", mark: "GOCSPX-", least: 20, of: isTokenByte},
	{kind: "a Stripe key", mark: "sk_live_|rk_live_|sk_test_|rk_test_|sk_prod_|rk_prod_", least: 16, of: isWordByte},
	{kind: "a Stripe key", mark: "whsec_", least: 16, of: isBase64},
	{kind: "an OpenAI or Anthropic key", mark: "sk-", least: 20, of: isTokenByte},
	{kind: "a Hugging Face token", mark: "hf_", least: 30, of: isAlphanumeric},
	{kind: "an npm token", mark: "npm_", least: 30, of: isAlphanumeric},
	{kind: "a PyPI token", mark: "pypi-", least: 20, of: isTokenByte},
	{kind: "a SendGrid key", mark: "SG.", least: 30, of: isTokenByte},
	{kind: "a DigitalOcean token", mark: "dop_v1_|doo_v1_|dor_v1_", least: 30, of: isWordByte},
	{kind: "a Shopify token", mark: "shpat_|shpss_|shpca_|shppa_", least: 30, of: isWordByte},
	{kind: "a Square token", mark: "sq0csp-|sq0atp-", least: 20, of: isTokenByte},
	{kind: "an Atlassian token", mark: "ATATT3|ATCTT3", least: 30, of: isTokenByte},
	{kind: "a Docker token", mark: "dckr_pat_", least: 20, of: isTokenByte},
	{kind: "a Groq key", mark: "gsk_", least: 30, of: isAlphanumeric},
	{kind: "a Brevo key", mark: "xkeysib-", least: 30, of: isTokenByte},
	{kind: "a Linear key", mark: "lin_api_", least: 30, of: isWordByte},
	{kind: "a Postman key", mark: "PMAK-", least: 30, of: isTokenByte},
	{kind: "a Vault token", mark: "hvs.|hvb.|hvr.", least: 20, of: isTokenByte},
	{kind: "a Grafana token", mark: "glsa_", least: 30, of: isWordByte},
	{kind: "a Grafana token", mark: "glc_", least: 32, of: isBase64},
	{kind: "a Sentry token", mark: "sntrys_|sntryu_", least: 30, of: isBase64},
	{kind: "a 1Password token", mark: "ops_eyJ", least: 100, of: isBase64},
	{kind: "an Alibaba access key", mark: "LTAI", least: 20, of: isWordByte},
	{kind: "an Artifactory key", mark: "AKCp", least: 60, of: isWordByte},
	{kind: "a Bedrock key", mark: "ABSK", least: 100, of: isBase64},
	{kind: "a Clojars token", mark: "CLOJARS_", least: 60, of: isWordByte},
	{kind: "a Databricks token", mark: "dapi", least: 32, of: isHex},
	{kind: "a Doppler token", mark: "dp.pt.", least: 40, of: isWordByte},
	{kind: "a Dynatrace token", mark: "dt0c01.", least: 60, of: isTokenByte},
	{kind: "an EasyPost key", mark: "EZAK|EZTK", least: 54, of: isWordByte},
	{kind: "a Flutterwave key", mark: "FLWSECK_TEST-|FLWSECK-", least: 12, of: isTokenByte},
	{kind: "a Fly.io token", mark: "fo1_|fm1r_|fm1a_|fm2_", least: 40, of: isBase64},
	{kind: "a Frame.io token", mark: "fio-u-", least: 60, of: isTokenByte},
	{kind: "a Heroku key", mark: "HRKU-AA", least: 50, of: isTokenByte},
	{kind: "an Infracost key", mark: "ico-", least: 32, of: isWordByte},
	{kind: "a Notion token", mark: "ntn_", least: 40, of: isAlphanumeric},
	{kind: "an OpenShift token", mark: "sha256~", least: 43, of: isTokenByte},
	{kind: "a Perplexity key", mark: "pplx-", least: 40, of: isWordByte},
	{kind: "a PlanetScale token", mark: "pscale_tkn_|pscale_pw_|pscale_oauth_", least: 32, of: isTokenByte},
	{kind: "a Prefect token", mark: "pnu_", least: 36, of: isAlphanumeric},
	{kind: "a Pulumi token", mark: "pul-", least: 40, of: isHex},
	{kind: "a ReadMe key", mark: "rdme_", least: 60, of: isWordByte},
	{kind: "a RubyGems key", mark: "rubygems_", least: 48, of: isHex},
	{kind: "a Shippo token", mark: "shippo_live_|shippo_test_", least: 40, of: isHex},
	{kind: "a Sourcegraph token", mark: "sgp_local_|sgp_", least: 40, of: isHexOrMark},
	{kind: "a Twilio key", mark: "SK", least: 32, of: isHex},
	{kind: "a Tailscale key", mark: "tskey-", least: 16, of: isTokenByte},
	{kind: "a JSON web token", mark: "eyJ", least: 30, of: isTokenByte},
	{kind: "an authorization header", mark: "Bearer ", least: 12, of: isTokenByte, keep: true},
	{kind: "an authorization header", mark: "Negotiate |NTLM |AUTH PLAIN |AUTH LOGIN ", least: 16, of: isBase64, keep: true},
	{kind: "the hash of a password", mark: "$1$|$5$|$6$|$7$|$y$|$gy$|$2a$|$2b$|$2y$|$argon2i$|$argon2d$|$argon2id$|$scrypt$|$pbkdf2", least: 20, of: isCrypt},
	{kind: "the hash of a password", mark: "{SSHA}|{SHA}|{SMD5}|{SSHA256}|{SSHA512}|{SHA512}|{PBKDF2}|{ARGON2}", least: 20, of: isCrypt},
	{kind: "an authorization header", mark: "Basic ", least: 12, of: isBase64, keep: true, noWord: true},
}, func(p *pattern) *string { return &p.mark })

// isCrypt reports whether a byte may be in a hash of crypt(5), or in a userPassword of RFC 2307.
func isCrypt(b byte) bool { return isBase64(b) || b == '.' || b == '$' || b == ',' }

// isHexOrMark is for tokens with the number of an instance in front: "sgp_0123456789abcdef_".
func isHexOrMark(b byte) bool { return isHex(b) || b == '_' }

func isHex(b byte) bool { return isDigit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' }

// eachOf makes a row for each text of the rows of a table, in which "|" separates several texts.
func eachOf[T any](table []T, text func(*T) *string) (out []T) {
	for _, row := range table {
		for part := range strings.SplitSeq(*text(&row), "|") {
			*text(&row) = part
			out = append(out, row)
		}
	}
	return out
}

// isPathByte reports whether a byte may be in the path of a URL.
func isPathByte(b byte) bool { return isTokenByte(b) || b == '/' }
