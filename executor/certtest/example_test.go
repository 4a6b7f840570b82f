package certtest_test

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/certtest"
)

// A test issues a certificate that only clients of its own trust.
func Example() {
	testing.Init()
	t := &testing.B{}
	authority := certtest.NewAuthority(t)
	pair := authority.Issue(t, time.Now().Add(time.Hour)).Loaded(t)
	server := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	leaf, err := x509.ParseCertificate(server.Certificates[0].Certificate[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = leaf.Verify(x509.VerifyOptions{Roots: authority.Pool(), DNSName: "localhost"})
	fmt.Println(err)
	// Output: <nil>
}
