// Package licenses holds the licences of the third-party code in the binary. tools/licenses
// writes the file; run `make licenses` after a change of dependencies.
package licenses

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the file
	"errors"
	"io"
)

//go:embed THIRD_PARTY_LICENSES.gz
var gzippedLicenseTexts []byte

// Write writes the text of all licences.
func Write(to io.Writer) error {
	z, err := gzip.NewReader(bytes.NewReader(gzippedLicenseTexts))
	if err != nil {
		return err
	}
	for {
		if _, err := io.CopyN(to, z, 1<<20); errors.Is(err, io.EOF) {
			return z.Close()
		} else if err != nil {
			return err
		}
	}
}
