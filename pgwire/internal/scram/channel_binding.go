package scram

import (
	"crypto"
	_ "crypto/sha256" // SHA-256, for crypto.SHA256.New
	_ "crypto/sha512" // SHA-384 and SHA-512
	"crypto/x509"
)

// ServerEndPointBinding returns the data of tls-server-end-point (RFC 5929) for a certificate: its hash by the hash of its signature,
// or by SHA-256 where that is MD5 or SHA-1.
func ServerEndPointBinding(certificate *x509.Certificate) []byte {
	hash := crypto.SHA256
	switch certificate.SignatureAlgorithm {
	case x509.SHA384WithRSA, x509.SHA384WithRSAPSS, x509.ECDSAWithSHA384:
		hash = crypto.SHA384
	case x509.SHA512WithRSA, x509.SHA512WithRSAPSS, x509.ECDSAWithSHA512:
		hash = crypto.SHA512
	}
	h := hash.New()
	h.Write(certificate.Raw)
	return h.Sum(nil)
}
