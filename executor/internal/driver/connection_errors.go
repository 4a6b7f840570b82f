package driver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/semlayer/semlayer/executor"
)

// ConnectionError returns the error for a warehouse that cannot be reached. The message gives the
// reason and not the address: the cause names hosts and is not sent to clients.
func ConnectionError(cause error) error {
	why, hint := tlsFailureReason(cause)
	if why == "" {
		why, hint = connectionFailureReason(cause), "check the host, the port and the network of the connection profile"
	}
	return &executor.Error{Code: executor.CodeConnection, Message: "the warehouse cannot be reached: " + why, Hint: hint, Err: cause}
}

// tlsFailureReason returns the fault in the encryption of a connection and a hint for it; both are
// empty for other faults.
func tlsFailureReason(err error) (why, hint string) {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		roots     x509.SystemRootsError
		untrusted *tls.CertificateVerificationError
		plain     tls.RecordHeaderError
		alert     tls.AlertError
	)
	switch {
	case errors.As(err, &authority), errors.As(err, &roots):
		return "its certificate is not trusted: its authority is unknown",
			"name the file of the authority where the connection profile has a key for it, or add the authority to those of the system"
	case errors.As(err, &name):
		return "its certificate is for another host name", "write the host of the certificate in the connection profile"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate is not trusted: it has expired or is not valid yet", "renew the certificate of the warehouse, and check the clock of this machine"
	case errors.As(err, &invalid), errors.As(err, &untrusted):
		return "its certificate is not trusted", "check the certificate of the warehouse"
	case errors.As(err, &plain):
		return "it does not use TLS on this port", "check the port and the TLS settings of the connection profile"
	case errors.As(err, &alert):
		return "it rejected the TLS handshake", "check the TLS settings of the connection profile and of the warehouse"
	case err != nil && slices.ContainsFunc(tlsUnsupportedMessages, func(text string) bool { return strings.Contains(lastAttempt(err).Error(), text) }):
		return "it does not offer TLS", "turn TLS on at the warehouse, or off in the connection profile"
	}
	return "", ""
}

// lastAttempt returns the error of the last of several attempts to connect: with "prefer" a server without TLS is asked
// again without it, and that failure counts.
func lastAttempt(err error) error {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if attempts, ok := e.(interface{ Unwrap() []error }); ok {
			all := attempts.Unwrap()
			return all[len(all)-1]
		}
	}
	return err
}

// tlsUnsupportedMessages is what the drivers of PostgreSQL and MySQL say of a server that does not offer it:
// errors without a type.
var tlsUnsupportedMessages = []string{"server refused TLS connection", "TLS requested but server does not support TLS"}

// ConnectionLostError is a connection that broke while a statement ran.
func ConnectionLostError(cause error) error {
	return &executor.Error{
		Code: executor.CodeDriver, Message: "the connection to the warehouse broke: " + connectionFailureReason(cause), Err: cause, ConnectionLost: true,
	}
}

// AuthError returns the error for a warehouse that rejects the credentials. The warehouse's own
// message names users and hosts; detail is at most a code.
func AuthError(detail string, cause error) error {
	return &executor.Error{
		Code:    executor.CodeAuth,
		Message: "the warehouse rejected the credentials (" + detail + ")",
		Hint:    "check the user, the password and the database of the connection profile",
		Err:     cause,
	}
}

func connectionFailureReason(err error) string {
	var dns *net.DNSError
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &dns):
		return "the name of its host does not resolve"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "it refuses connections"
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "it reset the connection"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return "it closed the connection"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return "it does not respond in time"
	default:
		return "the network or the protocol failed"
	}
}
