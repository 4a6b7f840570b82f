package postgres_test

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/certtest"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/postgres"
)

// The file does not have the authority until another file replaces it.
func TestTLS_FilesAreReadForEachConnection(t *testing.T) {
	s := executortest.NewUntrustedTLSServer(t, func(c net.Conn) error {
		if _, err := io.ReadFull(c, make([]byte, 8)); err != nil {
			return err
		}
		_, err := c.Write([]byte("S"))
		return err
	})
	trusted := filepath.Join(t.TempDir(), "authority.pem")
	certtest.Replace(t, trusted, certtest.NewAuthority(t).PEM)
	e := open(t, postgres.Options{Host: "127.0.0.1", Port: s.Port, SSLMode: "verify-full", SSLRootCert: trusted, User: "reader"})
	untrusted := func() bool {
		_, err := executortest.QueryRowsJSON(t.Context(), e, "SELECT 1")
		return strings.Contains(executortest.ExpectError(t, err, executor.CodeConnection).Message, "its authority is unknown")
	}
	if !untrusted() {
		t.Error("the file has another authority")
	}
	text, err := os.ReadFile(s.Authority)
	if err != nil {
		t.Fatal(err)
	}
	certtest.Replace(t, trusted, text)
	if untrusted() {
		t.Error("the file has the authority now")
	}
	if err := os.Remove(trusted); err != nil {
		t.Fatal(err)
	}
	_, err = executortest.QueryRowsJSON(t.Context(), e, "SELECT 1")
	if failure := executortest.ExpectError(t, err, executor.CodeConnection, trusted); !strings.Contains(failure.Message, "certificates of the connection cannot be read") {
		t.Error(failure)
	}
}

func TestTLS_ErrorNamesCause(t *testing.T) {
	s := executortest.NewUntrustedTLSServer(t, func(c net.Conn) error {
		if _, err := io.ReadFull(c, make([]byte, 8)); err != nil { // an SSLRequest
			return err
		}
		_, err := c.Write([]byte("S"))
		return err
	})
	without := servers.Postgres(t)
	for _, c := range []struct {
		name  string
		o     postgres.Options
		words string
		cause string
	}{
		{"an unknown authority", postgres.Options{Host: "127.0.0.1", Port: s.Port, SSLMode: "verify-full"}, "its authority is unknown", "certificate signed by unknown authority"},
		{"another host name", postgres.Options{Host: "localhost", Port: s.Port, SSLMode: "verify-full", SSLRootCert: s.Authority}, "another host name", "not localhost"},
		{"a server without TLS", postgres.Options{Host: without.Host, Port: without.Port, SSLMode: "require"}, "does not offer TLS", "refused TLS"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.o.User, c.o.Password = "reader", executor.NewSecret("hunter2")
			_, err := executortest.QueryRowsJSON(t.Context(), open(t, c.o), "SELECT 1")
			e := executortest.ExpectError(t, err, executor.CodeConnection, "localhost", "127.0.0.1", "hunter2", "reader")
			if !strings.Contains(e.Message, c.words) || strings.Contains(e.Hint, "the port and the network") {
				t.Errorf("message %q, hint %q, want %q", e.Message, e.Hint, c.words)
			}
			if cause := e.CauseForLog(); !strings.Contains(cause, c.cause) || strings.Contains(cause, "hunter2") {
				t.Errorf("the cause is %q, want %q", cause, c.cause)
			}
		})
	}
}
