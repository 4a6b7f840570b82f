package executortest

import (
	"crypto/tls"
	"encoding/pem"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// UntrustedTLSServer is a server with a certificate that no system trusts, for 127.0.0.1 alone.
type UntrustedTLSServer struct {
	Port int
	// Authority is a file with the certificate, for who would trust it.
	Authority string
}

// NewUntrustedTLSServer starts a server that does what its protocol has before TLS, greets its client
// encrypted and then hangs up.
func NewUntrustedTLSServer(t testing.TB, before func(net.Conn) error) UntrustedTLSServer {
	t.Helper()
	source := httptest.NewTLSServer(nil)
	t.Cleanup(source.Close)
	authority := filepath.Join(t.TempDir(), "authority.pem")
	encoded := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: source.Certificate().Raw})
	if err := os.WriteFile(authority, encoded, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	config := &tls.Config{Certificates: source.TLS.Certificates, MinVersion: tls.VersionTLS12}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if before(conn) == nil {
					_ = tls.Server(conn, config).HandshakeContext(t.Context())
				}
			}()
		}
	}()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	return UntrustedTLSServer{Port: number, Authority: authority}
}
