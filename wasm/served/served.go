// Package served has what each server of the page sends with its files: cmd/crashglass, which serves
// them on the user's machine, and wasm/edge, which serves them from Cloudflare's platform.
package served

import (
	"mime"
	"path"
	"strings"
)

// Policy is the Content-Security-Policy of index.html plus frame-ancestors, which only a header can
// set. It lets the page run its own scripts, WebAssembly and workers that it makes itself, and
// reach no other origin. The page narrows it further before it starts a worker that holds a dump. A
// worker that the page makes from a blob: URL inherits the policy.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; " +
	"connect-src 'self'; worker-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'none'; " +
	"require-trusted-types-for 'script'; trusted-types crashglass lit-html; frame-ancestors 'none'"

// Headers are sent with every response, errors included.
var Headers = map[string]string{
	"Content-Security-Policy":      Policy,
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"Permissions-Policy":           permissions,
}

// permissions are those of web/src/privacy/permissions.ts, which says why.
const permissions = "camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), display-capture=(), encrypted-media=(), payment=(), " +
	"publickey-credentials-get=(), publickey-credentials-create=(), identity-credentials-get=(), digital-credentials-get=(), " +
	"digital-credentials-create=(), otp-credentials=(), private-state-token-issuance=(), private-state-token-redemption=(), " +
	"language-model=(), language-detector=(), summarizer=(), translator=()"

// types are the content types of the page's files. Systems and stores differ in what they know of
// them, and under nosniff browsers refuse a script or a module of the wrong type.
var types = map[string]string{
	".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".json": "application/json", ".svg": "image/svg+xml", ".wasm": "application/wasm",
	".webmanifest": "application/manifest+json", ".txt": "text/plain; charset=utf-8",
}

// Error sets the headers of a response without a file.
func Error(set func(name, value string)) {
	for name, value := range Headers {
		set(name, value)
	}
}

// File sets the headers of a file, which is named by its path in dist/. viewer.html has a policy of
// its own; with the page's policy as well it would be allowed nothing.
func File(set func(name, value string), name string) {
	Error(set)
	if name == "viewer.html" {
		set("Content-Security-Policy", "frame-ancestors 'none'")
	}
	set("Content-Type", contentType(name))
	set("Cache-Control", cacheControl(name))
}

// contentType returns the type of a file by its extension. Those of the page do not depend on the
// system's table.
func contentType(name string) string {
	if known, ok := types[path.Ext(name)]; ok {
		return known
	}
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		return known
	}
	return "application/octet-stream"
}

// cacheControl lets browsers keep files with a hash in their name, and revalidate the others, so
// that a rebuilt page appears at once. Browsers check the service worker by themselves after a day
// at most. Within that day the page's own check sends no request.
func cacheControl(name string) string {
	switch {
	case strings.HasPrefix(name, "assets/"):
		return "public, max-age=31536000, immutable"
	case name == "sw.js":
		return "public, max-age=86400"
	}
	return "no-cache"
}
