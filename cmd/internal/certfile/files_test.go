package certfile_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/semlayer/semlayer/cmd/internal/certfile"
	"github.com/semlayer/semlayer/executor/certtest"
)

// fixture is a listener's files with what they hold.
type fixture struct {
	paths     certfile.Paths
	authority *certtest.Authority
	files     *certfile.Files
	log       *bytes.Buffer
}

func open(t *testing.T, expires time.Time) fixture {
	t.Helper()
	dir := t.TempDir()
	f := fixture{certfile.Paths{Certificate: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}, certtest.NewAuthority(t), nil, new(bytes.Buffer)}
	f.authority.Issue(t, expires).Write(t, f.paths.Certificate, f.paths.Key)
	var err error
	if f.files, err = certfile.Open(f.paths, slog.New(slog.NewTextHandler(f.log, nil))); err != nil {
		t.Fatal(err)
	}
	return f
}

// touch gives a file a time that no earlier file had.
func touch(t *testing.T, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func (f fixture) serial(t *testing.T) string {
	t.Helper()
	c, err := f.files.Certificate()
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	return leaf.SerialNumber.String()
}

func TestFiles_AreServedTogetherOrNotAtAll(t *testing.T) {
	f := open(t, time.Now().Add(time.Hour))
	first := f.serial(t)
	next := f.authority.Issue(t, time.Now().Add(2*time.Hour))
	certtest.Replace(t, f.paths.Certificate, next.Certificate)
	touch(t, f.paths.Certificate, time.Now().Add(time.Second))
	for range 100 {
		if f.serial(t) != first {
			t.Fatal("a certificate is served without its key")
		}
	}
	if n := strings.Count(f.log.String(), "are rejected"); n != 1 {
		t.Errorf("%d lines of 100 connections: %s", n, f.log)
	}
	if err := os.Remove(f.paths.Key); err != nil {
		t.Fatal(err)
	}
	if f.serial(t) != first {
		t.Error("the certificate is gone with its key")
	}
	certtest.Replace(t, f.paths.Key, next.Key)
	touch(t, f.paths.Key, time.Now().Add(2*time.Second))
	second := f.serial(t)
	if second == first || !strings.Contains(f.log.String(), "a new certificate is served") {
		t.Error("the new certificate is not served:", f.log)
	}
	for name, text := range map[string][]byte{"empty": nil, "cut": next.Certificate[:len(next.Certificate)/2], "no PEM": []byte("certificate\n")} {
		certtest.Replace(t, f.paths.Certificate, text)
		if f.serial(t) != second {
			t.Error(name)
		}
	}
}

// Two files that look the same may differ: the clock of a file system has ticks.
func TestFiles_RejectedOnesAreReadAgainAfterAPause(t *testing.T) {
	f := open(t, time.Now().Add(time.Hour))
	first, at := f.serial(t), time.Now().Add(time.Minute)
	next := f.authority.Issue(t, time.Now().Add(2*time.Hour))
	certtest.Replace(t, f.paths.Certificate, bytes.Repeat([]byte("\n"), len(next.Certificate)))
	certtest.Replace(t, f.paths.Key, next.Key)
	touch(t, f.paths.Certificate, at)
	if f.serial(t) != first {
		t.Fatal("the file is read")
	}
	certtest.Replace(t, f.paths.Certificate, next.Certificate)
	touch(t, f.paths.Certificate, at)
	deadline := time.Now().Add(time.Minute)
	for f.serial(t) == first {
		if time.Now().After(deadline) {
			t.Fatal("the files were not read again")
		}
	}
}

func TestFiles_ExpiredCertificates(t *testing.T) {
	valid := time.Now().Add(time.Hour).Truncate(time.Second)
	f := open(t, valid)
	first := f.serial(t)
	f.authority.Issue(t, time.Now().Add(-time.Minute)).Write(t, f.paths.Certificate, f.paths.Key)
	touch(t, f.paths.Certificate, time.Now().Add(time.Second))
	if f.serial(t) != first || !f.files.Expiry().Equal(valid) || !strings.Contains(f.log.String(), "has expired") {
		t.Error("an expired certificate replaces a valid one:", f.log)
	}
	// A server that has only an expired certificate serves it: its clients decide, and the measurement shows it.
	past := time.Now().Add(-time.Minute).Truncate(time.Second)
	old := open(t, past)
	if !old.files.Expiry().Equal(past) {
		t.Error(old.files.Expiry())
	}
	later := time.Now().Add(3 * time.Hour).Truncate(time.Second)
	old.authority.Issue(t, later).Write(t, old.paths.Certificate, old.paths.Key)
	touch(t, old.paths.Certificate, time.Now().Add(time.Second))
	registry := prometheus.NewRegistry()
	registry.MustRegister(certfile.ExpiryCollector{"http": old.files})
	families, err := registry.Gather()
	if err != nil || len(families) != 1 || families[0].GetMetric()[0].GetGauge().GetValue() != float64(later.Unix()) {
		t.Errorf("%v %v, want %v", err, families, later.Unix())
	}
}

func TestOpen_Faults(t *testing.T) {
	f := open(t, time.Now().Add(time.Hour))
	other := filepath.Join(t.TempDir(), "other.pem")
	certtest.Replace(t, other, f.authority.Issue(t, time.Now().Add(time.Hour)).Key)
	garbage := filepath.Join(t.TempDir(), "garbage.pem")
	certtest.Replace(t, garbage, []byte("not a certificate"))
	for name, c := range map[string]struct {
		paths certfile.Paths
		want  string
	}{
		"the key of another certificate":  {certfile.Paths{Certificate: f.paths.Certificate, Key: other}, "private key does not match public key"},
		"no key":                          {certfile.Paths{Certificate: f.paths.Certificate, Key: "/nowhere"}, "no such file"},
		"authorities without certificate": {certfile.Paths{Certificate: f.paths.Certificate, Key: f.paths.Key, ClientCA: garbage}, "holds no certificate in PEM"},
		"no authorities":                  {certfile.Paths{Certificate: f.paths.Certificate, Key: f.paths.Key, ClientCA: "/nowhere"}, "no such file"},
	} {
		if _, err := certfile.Open(c.paths, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Clients need a certificate of the authorities that the file names now.
func TestServerConfig_AuthoritiesOfClients(t *testing.T) {
	f := open(t, time.Now().Add(time.Hour))
	f.paths.ClientCA = filepath.Join(t.TempDir(), "clients.pem")
	old, renewed := certtest.NewAuthority(t), certtest.NewAuthority(t)
	certtest.Replace(t, f.paths.ClientCA, old.PEM)
	files, err := certfile.Open(f.paths, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	config := files.ServerConfig()
	connects := func(client *tls.Config) bool {
		client.RootCAs, client.ServerName = f.authority.Pool(), "127.0.0.1"
		listener, err := tls.Listen("tcp", "127.0.0.1:0", config)
		if err != nil {
			t.Fatal(err)
		}
		defer listener.Close()
		go func() {
			if server, err := listener.Accept(); err == nil {
				_, _ = io.WriteString(server, "hello")
				_ = server.Close()
			}
		}()
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		text, err := io.ReadAll(tls.Client(conn, client))
		return string(text) == "hello" && (err == nil || strings.Contains(err.Error(), "EOF"))
	}
	certificateOf := func(a *certtest.Authority, expires time.Time) *tls.Config {
		return &tls.Config{Certificates: []tls.Certificate{a.Issue(t, expires).Loaded(t)}}
	}
	valid := time.Now().Add(time.Hour)
	if !connects(certificateOf(old, valid)) {
		t.Error("a certificate of the authority is rejected")
	}
	for name, client := range map[string]*tls.Config{
		"no certificate": {}, "another authority": certificateOf(renewed, valid), "an expired one": certificateOf(old, time.Now().Add(-time.Minute)),
		"TLS 1.1": {MaxVersion: tls.VersionTLS11, Certificates: certificateOf(old, valid).Certificates},
	} {
		if connects(client) {
			t.Error(name, "is accepted")
		}
	}
	certtest.Replace(t, f.paths.ClientCA, renewed.PEM)
	touch(t, f.paths.ClientCA, time.Now().Add(time.Second))
	if connects(certificateOf(old, valid)) || !connects(certificateOf(renewed, valid)) {
		t.Error("the old authority is still the one")
	}
}
