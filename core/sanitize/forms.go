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
	{kind: "a GitLab token", mark: "glpat-|gldt-|glrt-|glcbt-|glptt-", least: 16, of: isTokenByte},
	{kind: "a Slack token", mark: "xoxb-|xoxp-|xoxa-|xoxr-|xoxs-|xoxe|xapp-", least: 10, of: isTokenByte},
	{kind: "a Slack webhook", mark: "hooks.slack.com/", least: 20, of: isPathByte, keep: true},
	{kind: "a Discord webhook", mark: "discord.com/api/webhooks/", least: 20, of: isPathByte, keep: true},
	{kind: "a Google API key", mark: "AIza", least: 30, of: isTokenByte},
	{kind: "a Google token", mark: "ya29.", least: 20, of: isTokenByte},
	{kind: "a Google client secret", mark: "GOCSPX-", least: 20, of: isTokenByte},
	{kind: "a Stripe key", mark: "sk_live_|rk_live_|sk_test_|rk_test_", least: 16, of: isWordByte},
	{kind: "a Stripe key", mark: "whsec_", least: 16, of: isBase64},
	{kind: "an OpenAI or Anthropic key", mark: "sk-", least: 20, of: isTokenByte},
	{kind: "a Hugging Face token", mark: "hf_", least: 30, of: isWordByte},
	{kind: "an npm token", mark: "npm_", least: 30, of: isWordByte},
	{kind: "a PyPI token", mark: "pypi-", least: 20, of: isTokenByte},
	{kind: "a SendGrid key", mark: "SG.", least: 30, of: isTokenByte},
	{kind: "a DigitalOcean token", mark: "dop_v1_", least: 30, of: isWordByte},
	{kind: "a Shopify token", mark: "shpat_|shpss_", least: 30, of: isWordByte},
	{kind: "a Square token", mark: "sq0csp-", least: 20, of: isTokenByte},
	{kind: "an Atlassian token", mark: "ATATT3|ATCTT3", least: 30, of: isTokenByte},
	{kind: "a Docker token", mark: "dckr_pat_", least: 20, of: isTokenByte},
	{kind: "a Groq key", mark: "gsk_", least: 30, of: isWordByte},
	{kind: "a Brevo key", mark: "xkeysib-", least: 30, of: isTokenByte},
	{kind: "a Linear key", mark: "lin_api_", least: 30, of: isWordByte},
	{kind: "a Postman key", mark: "PMAK-", least: 30, of: isTokenByte},
	{kind: "a Vault token", mark: "hvs.", least: 20, of: isTokenByte},
	{kind: "a Grafana token", mark: "glsa_", least: 30, of: isWordByte},
	{kind: "a Sentry token", mark: "sntrys_", least: 30, of: isBase64},
	{kind: "a Tailscale key", mark: "tskey-", least: 16, of: isTokenByte},
	{kind: "a JSON web token", mark: "eyJ", least: 30, of: isTokenByte},
	{kind: "an authorization header", mark: "Bearer ", least: 12, of: isTokenByte, keep: true},
	{kind: "an authorization header", mark: "Basic ", least: 12, of: isBase64, keep: true},
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
