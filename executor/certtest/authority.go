// Package certtest makes certificates for tests.
package certtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"testing"
	"time"
)

// Authority signs certificates.
type Authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	PEM         []byte // the certificate of the authority
}

// NewAuthority makes an authority that no system trusts.
func NewAuthority(t testing.TB) *Authority {
	t.Helper()
	key := newKey(t)
	serial := newSerial(t)
	// OpenSSL takes a certificate whose name is that of its authority for one that is signed by itself.
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "authority " + serial.String()}, NotBefore: time.Now().Add(-48 * time.Hour), NotAfter: time.Now().Add(48 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &Authority{certificate, key, encode("CERTIFICATE", der)}
}

// Pool returns the authority as one that is trusted.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// Pair is a certificate and its key, in PEM.
type Pair struct {
	Certificate, Key []byte
}

// Issue signs a certificate for 127.0.0.1, of a server or a client.
func (a *Authority) Issue(t testing.TB, expires time.Time) Pair {
	t.Helper()
	key := newKey(t)
	template := &x509.Certificate{
		SerialNumber: newSerial(t), Subject: pkix.Name{CommonName: "localhost"}, NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: expires,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, &key.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return Pair{encode("CERTIFICATE", der), encode("PRIVATE KEY", secret)}
}

// Loaded returns the pair for a TLS configuration.
func (p Pair) Loaded(t testing.TB) tls.Certificate {
	t.Helper()
	out, err := tls.X509KeyPair(p.Certificate, p.Key)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Write writes the pair to two files.
func (p Pair) Write(t testing.TB, certificate, key string) {
	t.Helper()
	Replace(t, certificate, p.Certificate)
	Replace(t, key, p.Key)
}

// Replace puts a new file in the place of an old one, as deployments do.
func Replace(t testing.TB, path string, text []byte) {
	t.Helper()
	err := os.WriteFile(path+".new", text, 0o600)
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func newKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func newSerial(t testing.TB) *big.Int {
	t.Helper()
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 100))
	if err != nil {
		t.Fatal(err)
	}
	return serial
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
