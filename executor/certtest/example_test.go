package certtest_test

import (
	"crypto/x509"
	"fmt"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/certtest"
)

// A test issues a certificate, and its clients trust the authority.
func Example() {
	testing.Init()
	t := &testing.B{}
	authority := certtest.NewAuthority(t)
	pair := authority.Issue(t, time.Now().Add(time.Hour)).Loaded(t) // for a server
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = leaf.Verify(x509.VerifyOptions{Roots: authority.Pool(), DNSName: "localhost"})
	fmt.Println(err)
	// Output: <nil>
}
