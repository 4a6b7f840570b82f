package mysql_test

import (
	"io"
	"net"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/executor"
	"github.com/semlayer/semlayer/executor/executortest"
	"github.com/semlayer/semlayer/executor/mysql"
)

// greeting returns the first packet of a server of version 8 that has TLS.
func greeting() []byte {
	body := []byte("\x0a8.0.0\x00\x01\x00\x00\x0012345678\x00")
	body = append(body, 0x00, 0xaa|0x08, 0x2d, 0x02, 0x00, 0x0f, 0x00, 21)
	body = append(body, make([]byte, 10)...)
	body = append(body, "123456789012\x00mysql_native_password\x00"...)
	return append([]byte{byte(len(body)), 0, 0, 0}, body...)
}

func greet(c net.Conn) error {
	if _, err := c.Write(greeting()); err != nil {
		return err
	}
	_, err := io.ReadFull(c, make([]byte, 36)) // a request for TLS
	return err
}

// The server hangs up after the handshake, which needs the authority of the file.
func TestTLS_TrustsTheAuthorityOfTheFile(t *testing.T) {
	s := executortest.NewUntrustedTLSServer(t, greet)
	for authority, trusted := range map[string]bool{"": false, s.Authority: true} {
		o := mysql.Options{Host: "127.0.0.1", Port: s.Port, User: "reader", TLS: "true", TLSCA: authority}
		_, err := executortest.QueryRowsJSON(t.Context(), open(t, o), "SELECT 1")
		if unknown := strings.Contains(executortest.ExpectError(t, err, executor.CodeConnection).Message, "its authority is unknown"); unknown == trusted {
			t.Errorf("with the file %q: %v", authority, err)
		}
	}
}

func TestTLS_ErrorNamesCause(t *testing.T) {
	s := executortest.NewUntrustedTLSServer(t, greet)
	without := servers.MariaDB(t)
	for _, c := range []struct {
		name, words, cause string
		port               int
	}{
		{"an unknown authority", "its authority is unknown", "certificate signed by unknown authority", s.Port},
		{"a server without TLS", "does not offer TLS", "does not support TLS", without.Port},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mysql.Options{Host: "127.0.0.1", Port: c.port, User: "reader", Password: executor.NewSecret("hunter2"), TLS: "true"}
			_, err := executortest.QueryRowsJSON(t.Context(), open(t, o), "SELECT 1")
			e := executortest.ExpectError(t, err, executor.CodeConnection, "127.0.0.1", "hunter2", "reader")
			if !strings.Contains(e.Message, c.words) || strings.Contains(e.Hint, "the port and the network") {
				t.Errorf("message %q, hint %q, want %q", e.Message, e.Hint, c.words)
			}
			if cause := e.CauseForLog(); !strings.Contains(cause, c.cause) || strings.Contains(cause, "hunter2") {
				t.Errorf("the cause is %q, want %q", cause, c.cause)
			}
		})
	}
}
