package static_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/restapi/internal/static"
)

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func decompress(t *testing.T, packed []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFile_BothFormsAreMadeOnce(t *testing.T) {
	text := strings.Repeat("a script ", 1000)
	for name, stored := range map[string][]byte{"stored compressed": gzipped(t, text), "stored as it is": []byte(text)} {
		t.Run(name, func(t *testing.T) {
			f := static.NewFile("/x.js", static.TypeJavaScript, stored)
			plain, err := f.UncompressedBytes()
			if err != nil || string(plain) != text || decompress(t, f.GzippedBytes()) != text {
				t.Fatalf("%d bytes, %v", len(plain), err)
			}
			packed := f.GzippedBytes()
			again, err := f.UncompressedBytes()
			if err != nil || &again[0] != &plain[0] || &packed[0] != &f.GzippedBytes()[0] {
				t.Error("a form is made for each request")
			}
			if !f.HasGzippedBytes() || f.ETag == f.PackedETag || f.PackedETag == "" {
				t.Errorf("validators %s and %s", f.ETag, f.PackedETag)
			}
		})
	}
}

func TestFile_ASmallOneIsNotCompressed(t *testing.T) {
	f := static.NewFile("/icon.svg", static.TypeSVG, []byte("<svg/>"))
	if plain, err := f.UncompressedBytes(); f.HasGzippedBytes() || f.GzippedBytes() != nil || f.PackedETag != "" || string(plain) != "<svg/>" || err != nil {
		t.Errorf("%+v", f)
	}
}
