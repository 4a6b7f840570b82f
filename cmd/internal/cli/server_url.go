package cli

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
)

const (
	caCertificateFlag     = "ca-cert"
	clientCertificateFlag = "client-cert"
	clientKeyFlag         = "client-key"
)

// readServerURL returns the URL of the server that a command calls, and how to reach it. The health check of a container has no flags: it
// calls the server that the variables of the container describe.
func (s settingsReader) readServerURL() (url string, transport *http.Transport, err error) {
	transport = &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}
	if transport.TLSClientConfig, err = s.readClientTLS(); err != nil {
		return "", nil, err
	}
	if url = s.readText("url"); url == "" {
		certificate := os.Getenv(envVariableByFlag[tlsCertificateFlag])
		url = urlOfBind(splitNonBlankLines(os.Getenv(envVariableByFlag["bind"])), certificate != "")
		if certificate != "" && s.readText(caCertificateFlag) == "" {
			if err := trustServerOfFile(transport.TLSClientConfig, certificate); err != nil {
				return "", nil, newUsageError(flagAndEnvVariableText(tlsCertificateFlag) + ": " + err.Error())
			}
		}
	}
	path, isSocket := strings.CutPrefix(url, unixPrefix)
	if !isSocket {
		return url, transport, nil
	}
	if err := checkSocketPath(path); err != nil {
		return "", nil, newUsageError("--url: " + err.Error())
	}
	transport.Proxy = nil
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	return "http://localhost", transport, nil
}

// urlOfBind returns the URL of the first address that a server on this machine listens on.
func urlOfBind(addresses []string, secured bool) string {
	address := defaultBind
	if len(addresses) > 0 {
		address = strings.TrimSpace(addresses[0])
	}
	if strings.HasPrefix(address, unixPrefix) {
		return address
	}
	if host, port, err := net.SplitHostPort(address); err == nil {
		if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
			address = net.JoinHostPort("127.0.0.1", port)
		}
	}
	if secured {
		return "https://" + address
	}
	return "http://" + address
}

// readClientTLS reads the authorities and the certificate of a client.
func (s settingsReader) readClientTLS() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if path := s.readText(caCertificateFlag); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, newUsageError("--" + caCertificateFlag + ": " + err.Error())
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(text) {
			return nil, newUsageError("--" + caCertificateFlag + ": " + path + " holds no certificate in PEM")
		}
	}
	certificate, key := s.readText(clientCertificateFlag), s.readText(clientKeyFlag)
	if certificate == "" && key == "" {
		return config, nil
	}
	if certificate == "" || key == "" {
		return nil, newUsageError(fmt.Sprintf("--%s and --%s need each other", clientCertificateFlag, clientKeyFlag))
	}
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, newUsageError("--" + clientCertificateFlag + ": " + err.Error())
	}
	config.Certificates = []tls.Certificate{pair}
	return config, nil
}

// trustServerOfFile makes a client trust exactly the certificate of a file, under every name: that of the server on this machine.
func trustServerOfFile(config *tls.Config, path string) error {
	text, err := os.ReadFile(path) //nolint:gosec // the file that the variable of the operator names
	if err != nil {
		return err
	}
	block, _ := pem.Decode(text)
	config.InsecureSkipVerify = true // VerifyConnection compares the certificate itself
	config.VerifyConnection = func(state tls.ConnectionState) error {
		if block == nil || len(state.PeerCertificates) == 0 || !bytes.Equal(state.PeerCertificates[0].Raw, block.Bytes) {
			return errors.New("the server has another certificate than " + path)
		}
		return nil
	}
	return nil
}
