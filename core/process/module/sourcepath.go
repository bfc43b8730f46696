package module

import "strings"

// SourcePath returns the path of a source file in its repository. Mozilla's symbolstore.py writes
// "hg:host/repository:path:revision" into symbol files, also for git, and in old versions for svn
// and cvs. Generated files are "s3:bucket:digest/path:", with the SHA-512 of their content. The host
// may have a port. Any other path is returned unchanged.
func SourcePath(file string) string {
	kind, rest, _ := strings.Cut(file, ":")
	switch kind {
	case "hg", "git", "svn", "cvs", "s3":
	default:
		return file
	}
	end := strings.LastIndexByte(rest, ':')
	start := strings.LastIndexByte(rest[:max(end, 0)], ':')
	if start <= 0 || start+1 == end || strings.Contains(rest[end:], "/") {
		return file
	}
	path := rest[start+1 : end]
	if digest, name, _ := strings.Cut(path, "/"); name != "" && len(digest) == 128 && strings.Trim(digest, "0123456789abcdef") == "" {
		return name
	}
	return path
}
