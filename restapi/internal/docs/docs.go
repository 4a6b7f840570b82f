package docs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io"
)

// Policy is the Content-Security-Policy of the page and of what it loads.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed page.html page.css page.js swagger-ui/*
var stored embed.FS

// File is one file of the page.
type File struct {
	// Path is where it is served, "/docs" for the page itself.
	Path        string
	ContentType string
	// ETag is a strong validator of the file as it is, PackedETag of the
	// compressed one; "" where there is none.
	ETag, PackedETag string

	plain, packed []byte
}

const (
	html       = "text/html; charset=utf-8"
	stylesheet = "text/css; charset=utf-8"
	javascript = "text/javascript; charset=utf-8"
	text       = "text/plain; charset=utf-8"
)

// Files lists the files, the page first.
func Files() ([]File, error) {
	var out []File
	for _, f := range []struct{ name, path, contentType string }{
		{"page.html", "/docs", html},
		{"page.css", "/docs/page.css", stylesheet},
		{"page.js", "/docs/page.js", javascript},
		{"swagger-ui/swagger-ui.css.gz", "/docs/swagger-ui.css", stylesheet},
		{"swagger-ui/swagger-ui-bundle.js.gz", "/docs/swagger-ui-bundle.js", javascript},
		{"swagger-ui/swagger-ui-bundle.js.LICENSE.txt", "/docs/swagger-ui-bundle.js.LICENSE.txt", text},
		{"swagger-ui/LICENSE", "/docs/LICENSE", text},
		{"swagger-ui/NOTICE", "/docs/NOTICE", text},
	} {
		content, err := stored.ReadFile(f.name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(content)
		tag := hex.EncodeToString(sum[:16])
		file := File{Path: f.path, ContentType: f.contentType, ETag: `"` + tag + `"`, plain: content}
		if bytes.HasPrefix(content, []byte{0x1f, 0x8b}) {
			file.plain, file.packed, file.PackedETag = nil, content, `"`+tag+`-gzip"`
		}
		out = append(out, file)
	}
	return out, nil
}

// Packed is the file compressed by gzip, nil when it is not stored so.
func (f File) Packed() []byte { return f.packed }

// Plain is the file as it is.
func (f File) Plain() ([]byte, error) {
	if f.packed == nil {
		return f.plain, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(f.packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
