package driver

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"

	"github.com/semlayer/semlayer/executor"
)

// TLSFiles are the files of the connections to one warehouse. An empty path is that of nothing.
type TLSFiles struct {
	CA   string // authorities to trust, in place of the system's
	Cert string // certificate of this side
	Key  string // of Cert
}

// Check reads the files. Its error is an *executor.Error of code config.
func (f TLSFiles) Check() error {
	var err error
	if f.CA != "" {
		_, err = f.authorities()
	}
	if f.Cert != "" && err == nil {
		_, err = f.certificate()
	}
	var own *executor.Error
	if errors.As(err, &own) {
		own.Code = executor.CodeConfig
	}
	return err
}

// Apply makes handshakes with the host use the files.
func (f TLSFiles) Apply(c *tls.Config, host string) {
	if f.Cert != "" {
		c.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return f.certificate() }
	}
	if f.CA == "" || c.InsecureSkipVerify {
		return
	}
	// The library takes authorities once. It leaves the check to VerifyConnection, which reads them for each connection.
	c.InsecureSkipVerify = true
	c.VerifyConnection = func(s tls.ConnectionState) error {
		roots, err := f.authorities()
		if err != nil {
			return err
		}
		between := x509.NewCertPool()
		for _, one := range s.PeerCertificates[1:] {
			between.AddCert(one)
		}
		_, err = s.PeerCertificates[0].Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, DNSName: host})
		return err
	}
}

func (f TLSFiles) authorities() (*x509.CertPool, error) {
	text, err := os.ReadFile(f.CA)
	if err != nil {
		return nil, fileError("the file of the authorities to trust cannot be read", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fileError("the file of the authorities to trust holds no certificate", nil)
	}
	return pool, nil
}

func (f TLSFiles) certificate() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(f.Cert, f.Key)
	if err != nil {
		return nil, fileError("the certificate of the connection and its key cannot be read", err)
	}
	return &pair, nil
}

func fileError(message string, cause error) error {
	return &executor.Error{Code: executor.CodeConnection, Message: message, Hint: "check the files of the connection profile", Err: cause}
}
