package fault

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"github.com/semlayer/semlayer/executor"
)

// Connection is a warehouse that cannot be reached. The message says how it
// failed and not where: the cause names hosts and stays off the wire.
func Connection(cause error) error {
	return &executor.Error{
		Code:    executor.CodeConnection,
		Message: "the warehouse cannot be reached: " + reason(cause),
		Hint:    "check the host, the port and the network of the connection profile",
		Err:     cause,
	}
}

// Lost is a connection that broke while a statement ran.
func Lost(cause error) error {
	return Driver("the connection to the warehouse broke: "+reason(cause), cause)
}

// Auth is a warehouse that refuses the credentials. What it says about it names
// users and hosts; detail is a code at most.
func Auth(detail string, cause error) error {
	return &executor.Error{
		Code:    executor.CodeAuth,
		Message: "the warehouse rejected the credentials (" + detail + ")",
		Hint:    "check the user, the password and the database of the connection profile",
		Err:     cause,
	}
}

func reason(err error) string {
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
		return "it does not answer in time"
	default:
		return "the network or the protocol failed"
	}
}
