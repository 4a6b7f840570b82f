package certfile

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// retryPause is the time after which files that were rejected are read again although they look the same: a file can change within one tick
// of the clock of its file system.
const retryPause = time.Second

// Paths names the files of a listener. ClientCA is empty where clients need no certificate.
type Paths struct {
	Certificate, Key, ClientCA string
}

func (p Paths) list() []string {
	if p.ClientCA == "" {
		return []string{p.Certificate, p.Key}
	}
	return []string{p.Certificate, p.Key, p.ClientCA}
}

// Files serves what the files of a listener hold. It is safe for concurrent use.
type Files struct {
	paths Paths
	log   *slog.Logger

	mu      sync.Mutex
	stats   [3]fileStat // of the files that were read last
	readAt  time.Time
	served  *tls.Config
	expires time.Time // of what is served
}

// fileStat is what shows a change of a file.
type fileStat struct {
	size     int64
	modified time.Time
}

// Open reads the files. It returns an error where they do not belong together.
func Open(p Paths, log *slog.Logger) (*Files, error) {
	f := &Files{paths: p, log: log}
	stats, err := f.statFiles()
	if err != nil {
		return nil, err
	}
	if err := f.read(stats); err != nil {
		return nil, err
	}
	return f, nil
}

// Certificate returns the certificate of the next connection. Its error is always nil: while files cannot be read, the last
// certificate stays.
func (f *Files) Certificate() (*tls.Certificate, error) {
	return &f.current().Certificates[0], nil
}

// ServerConfig returns the settings of a listener that speaks HTTP/1.1. Each connection has the certificate of its time.
func (f *Files) ServerConfig() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return f.current(), nil },
	}
}

// Expiry returns when the certificate that is served expires: the first one of its chain.
func (f *Files) Expiry() time.Time {
	f.current()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.expires
}

// current returns the settings of the next connection, after a look at the files.
func (f *Files) current() *tls.Config {
	f.mu.Lock()
	defer f.mu.Unlock()
	stats, err := f.statFiles()
	if err == nil && stats == f.stats && (f.readAt.IsZero() || time.Since(f.readAt) < retryPause) {
		return f.served
	}
	changed := stats != f.stats
	if err == nil {
		err = f.read(stats)
	}
	switch {
	case err != nil && changed:
		f.log.Warn("changed TLS files are rejected: the last certificate stays", "file", f.paths.Certificate, "error", err)
	case err == nil:
		f.log.Info("a new certificate is served", "file", f.paths.Certificate, "expires", f.expires.UTC().Format(time.RFC3339))
	}
	if err != nil { // not read again before the pause is over, or the files change
		f.stats, f.readAt = stats, time.Now()
	}
	return f.served
}

func (f *Files) statFiles() (out [3]fileStat, err error) {
	for i, path := range f.paths.list() {
		info, err := os.Stat(path)
		if err != nil {
			return [3]fileStat{}, err
		}
		out[i] = fileStat{info.Size(), info.ModTime()}
	}
	return out, nil
}

// read makes the content of the files what is served. A readAt of zero marks files that were accepted.
func (f *Files) read(stats [3]fileStat) error {
	certificate, err := tls.LoadX509KeyPair(f.paths.Certificate, f.paths.Key)
	if err != nil {
		return err
	}
	expires, err := chainExpiry(certificate)
	if err != nil {
		return err
	}
	now := time.Now()
	if f.served != nil && expires.Before(now) && f.expires.After(now) {
		return fmt.Errorf("the new certificate has expired at %s", expires.UTC().Format(time.RFC3339))
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}
	if f.paths.ClientCA != "" {
		if config.ClientCAs, err = readAuthorities(f.paths.ClientCA); err != nil {
			return err
		}
		config.ClientAuth = tls.RequireAndVerifyClientCert
	}
	f.served, f.expires, f.stats, f.readAt = config, expires, stats, time.Time{}
	return nil
}

// chainExpiry returns when the first certificate of a chain expires.
func chainExpiry(c tls.Certificate) (first time.Time, err error) {
	for _, der := range c.Certificate {
		one, err := x509.ParseCertificate(der)
		if err != nil {
			return first, err
		}
		if first.IsZero() || one.NotAfter.Before(first) {
			first = one.NotAfter
		}
	}
	return first, nil
}

func readAuthorities(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, errors.New(path + " holds no certificate in PEM")
	}
	return pool, nil
}

// ExpiryCollector reports when the certificates of listeners expire, by the names of the listeners.
type ExpiryCollector map[string]*Files

var expiryDescription = prometheus.NewDesc("semlayer_tls_certificate_expiry_timestamp_seconds",
	"When the certificate of a listener expires, in seconds since 1970: the first one of its chain.", []string{"listener"}, nil)

// Describe implements prometheus.Collector.
func (ExpiryCollector) Describe(out chan<- *prometheus.Desc) { out <- expiryDescription }

// Collect implements prometheus.Collector.
func (c ExpiryCollector) Collect(out chan<- prometheus.Metric) {
	for listener, files := range c {
		out <- prometheus.MustNewConstMetric(expiryDescription, prometheus.GaugeValue, float64(files.Expiry().Unix()), listener)
	}
}
