package executor

import (
	"io"
	"os"
	"strings"
)

// maxSecretFileBytes bounds the file of a secret: a token of an identity provider has a few kilobytes.
const maxSecretFileBytes = 64 << 10

// ReadSecretFile reads a password or token of a file, without the line break at its end. Its error is an *Error of code auth and
// quotes nothing of the file.
func ReadSecretFile(path string) (Secret, error) {
	f, err := os.Open(path)
	if err != nil {
		return Secret{}, secretFileError("cannot be read", err)
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxSecretFileBytes+1))
	if err != nil {
		return Secret{}, secretFileError("cannot be read", err)
	}
	secret := strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")
	switch {
	case len(text) > maxSecretFileBytes:
		return Secret{}, secretFileError("is longer than 64 KiB", nil)
	case secret == "":
		return Secret{}, secretFileError("is empty", nil)
	case strings.ContainsAny(secret, "\r\n\x00"):
		return Secret{}, secretFileError("has more than one line", nil)
	}
	return NewSecret(secret), nil
}

func secretFileError(fault string, cause error) error {
	return &Error{Code: CodeAuth, Message: "the file of the password or token " + fault, Hint: "write it to the file that the profile names, alone on one line", Err: cause}
}
