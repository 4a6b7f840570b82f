package driver_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/certtest"
	"github.com/semlayer/semlayer/executor/internal/driver"
)

// server starts a server that asks clients for certificates of the authority.
func server(t *testing.T, pair certtest.Pair, clients *certtest.Authority) *httptest.Server {
	t.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) }))
	s.TLS = &tls.Config{Certificates: []tls.Certificate{pair.Loaded(t)}, ClientCAs: clients.Pool(), ClientAuth: tls.RequireAndVerifyClientCert, MinVersion: tls.VersionTLS12}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

// Authorities and certificates are replaced while the client stays.
func TestFiles_AreReadForEachConnection(t *testing.T) {
	dir := t.TempDir()
	files := driver.TLSFiles{CA: filepath.Join(dir, "ca.pem"), Cert: filepath.Join(dir, "cert.pem"), Key: filepath.Join(dir, "key.pem")}
	tomorrow := time.Now().Add(24 * time.Hour)
	old, next, stranger := certtest.NewAuthority(t), certtest.NewAuthority(t), certtest.NewAuthority(t)
	certtest.Replace(t, files.CA, old.PEM)
	old.Issue(t, tomorrow).Write(t, files.Cert, files.Key)
	if err := files.Check(); err != nil {
		t.Fatal(err)
	}
	secure := &tls.Config{MinVersion: tls.VersionTLS12}
	files.Apply(secure, "127.0.0.1")
	transport := &http.Transport{TLSClientConfig: secure, DisableKeepAlives: true}
	ask := func(s *httptest.Server) error {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		response, err := transport.RoundTrip(request)
		if err == nil {
			err = response.Body.Close()
		}
		return err
	}
	before, after := server(t, old.Issue(t, tomorrow), old), server(t, next.Issue(t, tomorrow), next)
	if err := ask(before); err != nil {
		t.Error(err)
	}
	var untrusted x509.UnknownAuthorityError
	if err := ask(after); !errors.As(err, &untrusted) {
		t.Errorf("the authority is not one of the file: %v", err)
	}
	certtest.Replace(t, files.CA, append(append([]byte(nil), old.PEM...), next.PEM...))
	if err := ask(after); err == nil || errors.As(err, &untrusted) {
		t.Errorf("the certificate of the client is not one of the server's authority: %v", err)
	}
	next.Issue(t, tomorrow).Write(t, files.Cert, files.Key)
	if err := ask(after); err != nil {
		t.Error(err)
	}
	if err := ask(before); err == nil {
		t.Error("the certificate of the client is that of the next authority")
	}
	if err := ask(server(t, stranger.Issue(t, tomorrow), next)); !errors.As(err, &untrusted) {
		t.Errorf("a stranger: %v", err)
	}
	var invalid x509.CertificateInvalidError
	if err := ask(server(t, next.Issue(t, time.Now().Add(-time.Hour)), next)); !errors.As(err, &invalid) {
		t.Errorf("an expired certificate: %v", err)
	}
	if err := os.Remove(files.CA); err != nil {
		t.Fatal(err)
	}
	var failure *executor.Error
	if err := ask(after); !errors.As(err, &failure) || failure.Code != executor.CodeConnection {
		t.Errorf("without the file: %v", err)
	}
	if err := files.Check(); !errors.As(err, &failure) || failure.Code != executor.CodeConfig {
		t.Errorf("without the file: %v", err)
	}
}

func TestFiles_CheckTheNameOfTheHost(t *testing.T) {
	authority := certtest.NewAuthority(t)
	files := driver.TLSFiles{CA: filepath.Join(t.TempDir(), "ca.pem")}
	certtest.Replace(t, files.CA, authority.PEM)
	pair := authority.Issue(t, time.Now().Add(time.Hour)).Loaded(t)
	server, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }()
	go func() {
		for {
			conn, err := server.Accept()
			if err != nil {
				return
			}
			_ = conn.(*tls.Conn).HandshakeContext(t.Context())
			_ = conn.Close()
		}
	}()
	for host, good := range map[string]bool{"127.0.0.1": true, "localhost": true, "db.example.com": false} {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		secure := &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}
		files.Apply(secure, host)
		err = tls.Client(conn, secure).HandshakeContext(t.Context())
		var name x509.HostnameError
		if (err == nil) != good || err != nil && !errors.As(err, &name) {
			t.Errorf("%s: %v", host, err)
		}
		_ = conn.Close()
	}
}
