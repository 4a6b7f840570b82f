package cli

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/certtest"
)

// writeCertificate writes a certificate of 127.0.0.1 and its key.
func writeCertificate(t *testing.T) (certificate, key string) {
	t.Helper()
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certtest.NewAuthority(t).Issue(t, time.Now().Add(time.Hour)).Write(t, certificate, key)
	return certificate, key
}
