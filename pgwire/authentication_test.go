package pgwire_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/pgwire"
)

func certificate(t *testing.T) *tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

func TestAuthentication_TakesEveryTokenAndNothingElse(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.Tokens = []string{"one", "two"} })
	for password, ok := range map[string]bool{"one": true, "two": true, "three": false, "One": false, "": false} {
		conn, err := pgconn.Connect(t.Context(), p.url(password))
		switch {
		case ok && err != nil, !ok && err == nil:
			t.Errorf("%q: %v", password, err)
		case !ok && password != "" && !strings.Contains(err.Error(), "28P01"):
			t.Errorf("%q: %v", password, err)
		}
		if err == nil {
			_ = conn.Close(t.Context())
		}
	}
}

func TestAuthentication_TokenThatIsTakenOutEndsItsSessions(t *testing.T) {
	p := startPort(t, func(c *pgwire.Config) { c.Tokens = []string{"one", "two"} })
	one, two := connect(t, p.url("one")).PgConn(), connect(t, p.url("two")).PgConn()
	if err := p.server.ReplaceTokens([]string{"two", "three"}); err != nil {
		t.Fatal(err)
	}
	if _, err := run(one, "SHOW TimeZone"); stateOf(err) != "28000" {
		t.Error(err)
	}
	if _, err := run(two, "SHOW TimeZone"); err != nil {
		t.Error(err)
	}
	connect(t, p.url("three"))
	if err := p.server.ReplaceTokens(nil); err == nil {
		t.Error("the server was opened")
	}
}

func TestAuthentication_TLSBindsTheProofToTheCertificate(t *testing.T) {
	own := certificate(t)
	p := startPort(t, func(c *pgwire.Config) {
		c.Tokens, c.RequireTLS = []string{"one"}, true
		c.TLS = func() (*tls.Certificate, error) { return own, nil }
	})
	secure := strings.Replace(p.url("one"), "sslmode=disable", "sslmode=require", 1)
	conn, err := pgconn.Connect(t.Context(), secure+"&channel_binding=require")
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
	if _, err := pgconn.Connect(t.Context(), p.url("one")); !strings.Contains(err.Error(), "28000") {
		t.Errorf("without TLS: %v", err)
	}
	if _, err := pgconn.Connect(t.Context(), strings.Replace(secure, ":one@", ":two@", 1)); !strings.Contains(err.Error(), "28P01") {
		t.Errorf("a wrong password: %v", err)
	}
}
