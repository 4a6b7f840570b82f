// Package static is files that the server sends as they are: the pages of docs
// and explorer and what they load.
//
// A file is stored as it is or compressed by gzip. Most browsers take the
// compressed one as it is stored; for a client that does not, it is unpacked
// while it is sent. Each form has a strong validator of its own.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// The types of files.
const (
	HTML       = "text/html; charset=utf-8"
	Stylesheet = "text/css; charset=utf-8"
	JavaScript = "text/javascript; charset=utf-8"
	SVG        = "image/svg+xml"
	Text       = "text/plain; charset=utf-8"
)

// Policy is the Content-Security-Policy of every page and of what it loads:
// everything from the server itself, nothing inline, no frame around it.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// File is one file.
type File struct {
	// Path is where it is served.
	Path        string
	ContentType string
	// ETag is a strong validator of the file as it is, PackedETag of the
	// compressed one; "" where there is none.
	ETag, PackedETag string

	plain, packed []byte
}

// New makes a file of its stored content, which may be compressed by gzip.
func New(path, contentType string, stored []byte) File {
	sum := sha256.Sum256(stored)
	tag := hex.EncodeToString(sum[:16])
	f := File{Path: path, ContentType: contentType, ETag: `"` + tag + `"`, plain: stored}
	if bytes.HasPrefix(stored, []byte{0x1f, 0x8b}) {
		f.plain, f.packed, f.PackedETag = nil, stored, `"`+tag+`-gzip"`
	}
	return f
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
