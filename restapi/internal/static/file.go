// Package static holds the files that the server sends unchanged: the pages of
// /docs and of the explorer, and the files that they load.
//
// A file is stored as it is or compressed by gzip. The other form is made once, when a
// client first requests it, so that sending a file costs no more than its bytes. Each
// form has a strong validator of its own.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"sync"
)

// The types of files.
const (
	TypeHTML       = "text/html; charset=utf-8"
	TypeCSS        = "text/css; charset=utf-8"
	TypeJavaScript = "text/javascript; charset=utf-8"
	TypeSVG        = "image/svg+xml"
	TypeText       = "text/plain; charset=utf-8"
)

// ContentSecurityPolicy is the Content-Security-Policy of every page and of what it loads:
// everything from the server itself, nothing inline, no frame around it.
const ContentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ContentSecurityPolicyWithin is the policy of a page that pages of the origins may show in a frame.
func ContentSecurityPolicyWithin(origins []string) string {
	return strings.Replace(ContentSecurityPolicy, "frame-ancestors 'none'", "frame-ancestors "+strings.Join(origins, " "), 1)
}

// File is one file.
type File struct {
	// Path is where it is served.
	Path        string
	ContentType string
	// ETag is a strong validator of the file as it is, PackedETag of the
	// compressed one; "" where there is none.
	ETag, PackedETag string

	plain  func() ([]byte, error)
	packed func() []byte
}

// minCompressibleSize is the size in bytes from which a file is sent compressed.
const minCompressibleSize = 1 << 10

// NewFile makes a file of its stored content, which may be compressed by gzip.
func NewFile(path, contentType string, stored []byte) File {
	sum := sha256.Sum256(stored)
	tag := hex.EncodeToString(sum[:16])
	f := File{Path: path, ContentType: contentType, ETag: `"` + tag + `"`}
	asStored := func() []byte { return stored }
	switch {
	case bytes.HasPrefix(stored, []byte{0x1f, 0x8b}):
		f.plain, f.packed = sync.OnceValues(func() ([]byte, error) { return decompress(stored) }), asStored
	case len(stored) < minCompressibleSize:
		f.plain = func() ([]byte, error) { return stored, nil }
		return f
	default:
		f.plain, f.packed = func() ([]byte, error) { return stored, nil }, sync.OnceValue(func() []byte { return compress(stored) })
	}
	f.PackedETag = `"` + tag + `-gzip"`
	return f
}

// HasGzippedBytes reports whether the file has a form compressed by gzip.
func (f File) HasGzippedBytes() bool { return f.packed != nil }

// GzippedBytes returns the file compressed by gzip, nil when it is too small for that.
func (f File) GzippedBytes() []byte {
	if f.packed == nil {
		return nil
	}
	return f.packed()
}

// UncompressedBytes returns the file as it is.
func (f File) UncompressedBytes() ([]byte, error) { return f.plain() }

func decompress(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func compress(plain []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write(plain) // neither fails: a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}
