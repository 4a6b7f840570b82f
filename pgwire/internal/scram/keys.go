package scram

import (
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
)

const (
	pbkdf2Iterations = 4096
	saltLength       = 16
)

// Salt is the salt of all keys of a process.
type Salt [saltLength]byte

// NewSalt makes a salt.
func NewSalt() Salt {
	var s Salt
	_, _ = rand.Read(s[:]) // which never fails
	return s
}

// PasswordKeys are what a proof is checked with. The password is not in them.
type PasswordKeys struct {
	stored [sha256.Size]byte
	server [sha256.Size]byte
}

// NewPasswordKeys derives the keys of a password.
func NewPasswordKeys(password string, salt Salt) (PasswordKeys, error) {
	salted, err := pbkdf2.Key(sha256.New, password, salt[:], pbkdf2Iterations, sha256.Size)
	if err != nil {
		return PasswordKeys{}, err
	}
	var k PasswordKeys
	k.stored = sha256.Sum256(hmacSHA256(salted, "Client Key"))
	copy(k.server[:], hmacSHA256(salted, "Server Key"))
	return k, nil
}

func hmacSHA256(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
