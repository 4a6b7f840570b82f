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

// Keys are what a proof is checked with. The password is not in them.
type Keys struct {
	stored [sha256.Size]byte
	server [sha256.Size]byte
}

// NewKeys derives the keys of a password.
func NewKeys(password string, salt Salt) (Keys, error) {
	salted, err := pbkdf2.Key(sha256.New, password, salt[:], pbkdf2Iterations, sha256.Size)
	if err != nil {
		return Keys{}, err
	}
	var k Keys
	k.stored = sha256.Sum256(hmacSHA256(salted, "Client Key"))
	copy(k.server[:], hmacSHA256(salted, "Server Key"))
	return k, nil
}

func hmacSHA256(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}
