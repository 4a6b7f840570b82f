package credential

import (
	"context"
	"io"
	"os"
	"strings"

	"github.com/semlayer/semlayer/executor"
)

// maxSecretBytes bounds the file of a secret: a token of an identity provider has a few kilobytes.
const maxSecretBytes = 64 << 10

// Source is where a password or token is read, for each new connection or request.
type Source interface {
	// ReadSecret returns the secret of now. Its error is an *executor.Error of code auth and quotes no secret.
	ReadSecret(ctx context.Context) (executor.Secret, error)
}

// Current returns what the source has now, or the fixed secret where there is no source.
func Current(ctx context.Context, source Source, fixed executor.Secret) (executor.Secret, error) {
	if source == nil {
		return fixed, nil
	}
	return source.ReadSecret(ctx)
}

// File is the path of a file that holds a password or token, alone on one line.
type File string

// ReadSecret reads the file, without the line break at its end.
func (f File) ReadSecret(context.Context) (executor.Secret, error) {
	file, err := os.Open(string(f))
	if err != nil {
		return executor.Secret{}, fileError("cannot be read", err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.LimitReader(file, maxSecretBytes+1))
	if err != nil {
		return executor.Secret{}, fileError("cannot be read", err)
	}
	secret := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	if fault := faultOf(secret, len(text)); fault != "" {
		return executor.Secret{}, fileError(fault, nil)
	}
	return executor.NewSecret(secret), nil
}

// faultOf returns why a text of so many bytes cannot be a secret, "" where it can.
func faultOf(secret string, size int) string {
	switch {
	case size > maxSecretBytes:
		return "is longer than 64 KiB"
	case secret == "":
		return "is empty"
	case strings.ContainsAny(secret, "\r\n\x00"):
		return "has more than one line"
	}
	return ""
}

func fileError(fault string, cause error) error {
	return authError("the file of the password or token "+fault, "write it to the file that the profile names, alone on one line", cause)
}

func authError(message, hint string, cause error) error {
	return &executor.Error{Code: executor.CodeAuth, Message: message, Hint: hint, Err: cause}
}
