package cli

import (
	"log/slog"
	"time"

	"github.com/semlayer/semlayer/cmd/internal/certfile"
)

const (
	tlsCertificateFlag = "tls-cert"
	tlsKeyFlag         = "tls-key"
	tlsClientCAFlag    = "tls-client-ca"
	adminBindFlag      = "admin-bind"
)

// readCertificateFiles reads the TLS files of a listener, nil where there are none. clientCA is "" for a listener whose clients need
// no certificate.
func (s settingsReader) readCertificateFiles(certificate, key, clientCA string, log *slog.Logger) (*certfile.Files, error) {
	paths := certfile.Paths{Certificate: s.readText(certificate), Key: s.readText(key)}
	if clientCA != "" {
		paths.ClientCA = s.readText(clientCA)
	}
	needs := func(flag, other string) error {
		return newUsageError(flagAndEnvVariableText(flag) + " needs " + flagAndEnvVariableText(other))
	}
	switch {
	case paths == certfile.Paths{}:
		return nil, nil
	case paths.Certificate == "" && paths.Key == "":
		return nil, needs(clientCA, certificate)
	case paths.Certificate == "":
		return nil, needs(key, certificate)
	case paths.Key == "":
		return nil, needs(certificate, key)
	}
	files, err := certfile.Open(paths, log)
	if err != nil {
		return nil, newUsageError(flagAndEnvVariableText(certificate) + ": " + err.Error())
	}
	if expires := files.Expiry(); expires.Before(time.Now()) {
		log.Warn("the certificate has expired: clients reject it until its file is replaced", "file", paths.Certificate, "expires", expires.UTC().Format(time.RFC3339))
	}
	return files, nil
}

// certificates returns the measurements of the certificates of all listeners.
func (c serverSettings) certificates() certfile.ExpiryCollector {
	out := certfile.ExpiryCollector{}
	if c.tls != nil {
		out["http"] = c.tls
	}
	if c.adminTLS != nil && c.adminBind != "" {
		out["admin"] = c.adminTLS
	}
	if c.pg.tls != nil && c.pg.bind != "" {
		out["pg"] = c.pg.tls
	}
	return out
}
