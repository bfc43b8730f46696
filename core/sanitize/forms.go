package sanitize

// patterns are the secrets with a recognizable form.
//
// Sources: the documentation of each service on the form of its tokens, and the rules of gitleaks
// (config/gitleaks.toml), which have the same names; RFC 7468 for keys, RFC 7519 for JSON web
// tokens, RFC 7617 and RFC 6750 for headers. gitleaks itself is not used: it has some forty
// dependencies, and a regular expression for each rule is too slow for the memory of a process.
var patterns = []pattern{
	{"a private key", "-----BEGIN ", 10, isPEM, false},
	{"a private key", "AGE-SECRET-KEY-1", 50, isUpperOrDigit, false},
	{"an AWS access key", "AKIA", 16, isUpperOrDigit, false},
	{"an AWS access key", "ASIA", 16, isUpperOrDigit, false},
	{"an AWS access key", "ABIA", 16, isUpperOrDigit, false},
	{"an AWS access key", "ACCA", 16, isUpperOrDigit, false},
	{"a GitHub token", "ghp_", 30, isWordByte, false},
	{"a GitHub token", "gho_", 30, isWordByte, false},
	{"a GitHub token", "ghs_", 30, isWordByte, false},
	{"a GitHub token", "ghu_", 30, isWordByte, false},
	{"a GitHub token", "ghr_", 30, isWordByte, false},
	{"a GitHub token", "github_pat_", 20, isWordByte, false},
	{"a GitLab token", "glpat-", 16, isTokenByte, false},
	{"a GitLab token", "gldt-", 16, isTokenByte, false},
	{"a GitLab token", "glrt-", 16, isTokenByte, false},
	{"a GitLab token", "glcbt-", 16, isTokenByte, false},
	{"a GitLab token", "glptt-", 16, isTokenByte, false},
	{"a Slack token", "xoxb-", 10, isTokenByte, false},
	{"a Slack token", "xoxp-", 10, isTokenByte, false},
	{"a Slack token", "xoxa-", 10, isTokenByte, false},
	{"a Slack token", "xoxr-", 10, isTokenByte, false},
	{"a Slack token", "xoxs-", 10, isTokenByte, false},
	{"a Slack token", "xoxe", 10, isTokenByte, false},
	{"a Slack token", "xapp-", 10, isTokenByte, false},
	{"a Slack webhook", "hooks.slack.com/", 20, isPathByte, true},
	{"a Discord webhook", "discord.com/api/webhooks/", 20, isPathByte, true},
	{"a Google API key", "AIza", 30, isTokenByte, false},
	{"a Google token", "ya29.", 20, isTokenByte, false},
	{"a Google client secret", "GOCSPX-", 20, isTokenByte, false},
	{"a Stripe key", "sk_live_", 16, isWordByte, false},
	{"a Stripe key", "rk_live_", 16, isWordByte, false},
	{"a Stripe key", "sk_test_", 16, isWordByte, false},
	{"a Stripe key", "whsec_", 16, isBase64, false},
	{"an OpenAI or Anthropic key", "sk-", 20, isTokenByte, false},
	{"a Hugging Face token", "hf_", 30, isWordByte, false},
	{"an npm token", "npm_", 30, isWordByte, false},
	{"a PyPI token", "pypi-", 20, isTokenByte, false},
	{"a SendGrid key", "SG.", 30, isTokenByte, false},
	{"a DigitalOcean token", "dop_v1_", 30, isWordByte, false},
	{"a Shopify token", "shpat_", 30, isWordByte, false},
	{"a Shopify token", "shpss_", 30, isWordByte, false},
	{"a Square token", "sq0csp-", 20, isTokenByte, false},
	{"an Atlassian token", "ATATT3", 30, isTokenByte, false},
	{"a Postman key", "PMAK-", 30, isTokenByte, false},
	{"a Vault token", "hvs.", 20, isTokenByte, false},
	{"a Grafana token", "glsa_", 30, isWordByte, false},
	{"a Sentry token", "sntrys_", 30, isBase64, false},
	{"a Tailscale key", "tskey-", 16, isTokenByte, false},
	{"a JSON web token", "eyJ", 30, isTokenByte, false},
	{"an authorization header", "Bearer ", 12, isTokenByte, true},
	{"an authorization header", "Basic ", 12, isBase64, true},
}

// isPathByte reports whether a byte may be in the path of a URL.
func isPathByte(b byte) bool { return isTokenByte(b) || b == '/' }
