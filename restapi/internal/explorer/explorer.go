package explorer

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"path"
)

//go:embed dist
var dist embed.FS

// Policy is the Content-Security-Policy of the page: everything from the origin,
// nothing inline, no frame around it.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// File is one file of the page.
type File struct {
	Path    string // of the route
	Type    string
	Content []byte
	// ETag is of the content, quoted as the header wants it.
	ETag string
}

var types = map[string]string{
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".css":  "text/css; charset=utf-8",
	".svg":  "image/svg+xml",
	".txt":  "text/plain; charset=utf-8",
}

// Files lists the files of the page under the paths that it asks for: the
// document at /, everything else under /explorer/.
func Files() []File {
	entries, err := fs.ReadDir(dist, "dist")
	if err != nil {
		panic("the explorer is not embedded: " + err.Error())
	}
	var out []File
	for _, e := range entries {
		content, err := dist.ReadFile("dist/" + e.Name())
		if err != nil {
			panic("the explorer is not embedded: " + err.Error())
		}
		f := File{Path: "/explorer/" + e.Name(), Type: types[path.Ext(e.Name())], Content: content}
		if e.Name() == "index.html" {
			f.Path = "/"
		}
		sum := sha256.Sum256(content)
		f.ETag = `"` + hex.EncodeToString(sum[:8]) + `"`
		out = append(out, f)
	}
	return out
}
