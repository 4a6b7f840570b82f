package cli

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeCertificate writes a certificate of 127.0.0.1 and its key.
func writeCertificate(t *testing.T) (certificate, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	public, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, kind string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: b}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert.pem", "CERTIFICATE", public), write("key.pem", "PRIVATE KEY", secret)
}

func TestCertificateFiles_AreReadAgainWhenTheyChange(t *testing.T) {
	certificate, key := writeCertificate(t)
	f := &reloadableCertificateFiles{certificate: certificate, key: key}
	first, err := f.loadCertificateIfChanged()
	if err != nil {
		t.Fatal(err)
	}
	replace := func(from, to string, at time.Time) {
		t.Helper()
		text, err := os.ReadFile(from)
		if err == nil {
			err = os.WriteFile(to, text, 0o600)
		}
		if err == nil {
			err = os.Chtimes(to, at, at)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	newCertificate, newKey := writeCertificate(t)
	replace(newCertificate, certificate, time.Now().Add(time.Second))
	if half, err := f.loadCertificateIfChanged(); err != nil || half != first {
		t.Errorf("with the key of another certificate: %v", err)
	}
	replace(newKey, key, time.Now().Add(2*time.Second))
	if second, err := f.loadCertificateIfChanged(); err != nil || second == first {
		t.Errorf("the new certificate is not served: %v", err)
	}
}
