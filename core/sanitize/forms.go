package sanitize

import "strings"

// patterns are the secrets with a recognizable form.
//
// Sources: the documentation of each service on the form of its tokens, and the rules of gitleaks
// (config/gitleaks.toml), which have the same names; RFC 7468 for keys, RFC 7519 for JSON web
// tokens, RFC 7617 and RFC 6750 for headers. gitleaks itself is not used: it has some forty
// dependencies, and a regular expression for each rule is too slow for the memory of a process.
var patterns = eachOf([]pattern{
	{"a private key", "-----BEGIN ", 10, isPEM, false},
	{"a private key", "AGE-SECRET-KEY-1", 50, isUpperOrDigit, false},
	{"an AWS access key", "AKIA|ASIA|ABIA|ACCA", 16, isUpperOrDigit, false},
	{"a GitHub token", "ghp_|gho_|ghs_|ghu_|ghr_", 30, isWordByte, false},
	{"a GitHub token", "github_pat_", 20, isWordByte, false},
	{"a GitLab token", "glpat-|gldt-|glrt-|glcbt-|glptt-", 16, isTokenByte, false},
	{"a Slack token", "xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxe|xapp-", 10, isTokenByte, false},
	{"a Slack webhook", "hooks.slack.com/", 20, isPathByte, true},
	{"a Discord webhook", "discord.com/api/webhooks/", 20, isPathByte, true},
	{"a Google API key", "AIza", 30, isTokenByte, false},
	{"a Google token", "ya29.", 20, isTokenByte, false},
	{"a Google client secret", "GOCSPX-", 20, isTokenByte, false},
	{"a Stripe key", "sk_live_|rk_live_|sk_test_|rk_test_", 16, isWordByte, false},
	{"a Stripe key", "whsec_", 16, isBase64, false},
	{"an OpenAI or Anthropic key", "sk-", 20, isTokenByte, false},
	{"a Hugging Face token", "hf_", 30, isWordByte, false},
	{"an npm token", "npm_", 30, isWordByte, false},
	{"a PyPI token", "pypi-", 20, isTokenByte, false},
	{"a SendGrid key", "SG.", 30, isTokenByte, false},
	{"a DigitalOcean token", "dop_v1_", 30, isWordByte, false},
	{"a Shopify token", "shpat_|shpss_", 30, isWordByte, false},
	{"a Square token", "sq0csp-", 20, isTokenByte, false},
	{"an Atlassian token", "ATATT3|ATCTT3", 30, isTokenByte, false},
	{"a Docker token", "dckr_pat_", 20, isTokenByte, false},
	{"a Groq key", "gsk_", 30, isWordByte, false},
	{"a Brevo key", "xkeysib-", 30, isTokenByte, false},
	{"a Linear key", "lin_api_", 30, isWordByte, false},
	{"a Postman key", "PMAK-", 30, isTokenByte, false},
	{"a Vault token", "hvs.", 20, isTokenByte, false},
	{"a Grafana token", "glsa_", 30, isWordByte, false},
	{"a Sentry token", "sntrys_", 30, isBase64, false},
	{"a Tailscale key", "tskey-", 16, isTokenByte, false},
	{"a JSON web token", "eyJ", 30, isTokenByte, false},
	{"an authorization header", "Bearer ", 12, isTokenByte, true},
	{"an authorization header", "Basic ", 12, isBase64, true},
}, func(p *pattern) *string { return &p.mark })

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
