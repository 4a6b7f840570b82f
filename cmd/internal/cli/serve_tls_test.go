package cli_test

import (
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/semlayer/semlayer/executor/certtest"
	"github.com/semlayer/semlayer/executor/testwait"
)

// tlsFiles writes a certificate of an authority and returns the flags that name it.
func tlsFiles(t *testing.T, a *certtest.Authority, expires time.Time) (certificate, key string, flags []string) {
	t.Helper()
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	a.Issue(t, expires).Write(t, certificate, key)
	return certificate, key, []string{"--tls-cert", certificate, "--tls-key", key}
}

// get requests a URL over new connections.
func get(t *testing.T, url string, trust *tls.Config) (status int, body string, err error) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: trust}
	defer transport.CloseIdleConnections()
	got, err := (&http.Client{Transport: transport}).Get(url)
	if err != nil {
		return 0, "", err
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	return got.StatusCode, string(text), err
}

func TestServeTLS_CertificateIsReplacedWhileServing(t *testing.T) {
	authority := certtest.NewAuthority(t)
	expires := time.Now().Add(time.Hour).Truncate(time.Second)
	certificate, key, flags := tlsFiles(t, authority, expires)
	s := start(t, append([]string{"serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0"}, flags...)...)
	if !strings.HasPrefix(s.base, "https://") {
		t.Fatal(s.base)
	}
	trust := &tls.Config{RootCAs: authority.Pool()}
	measured := func(at time.Time) bool {
		_, body, err := get(t, s.base+"/metrics", trust)
		return err == nil && regexp.MustCompile(fmt.Sprintf(`(?m)^semlayer_tls_certificate_expiry_timestamp_seconds\{listener="http"\} %s$`,
			regexp.QuoteMeta(fmt.Sprint(float64(at.Unix()))))).MatchString(body)
	}
	if !measured(expires) {
		t.Error("the expiry is not measured")
	}
	// While requests run, the certificate is replaced many times. Each connection has one or the other.
	stop, failures := make(chan struct{}), make(chan error, 1)
	go func() {
		defer close(failures)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if status, _, err := get(t, s.base+"/v1/model", trust); status != 200 {
				failures <- fmt.Errorf("%d %w", status, err)
				return
			}
		}
	}()
	var last time.Time
	for i := range 20 {
		last = expires.Add(time.Duration(i+1) * time.Minute)
		authority.Issue(t, last).Write(t, certificate, key)
	}
	testwait.Until(t, "the last certificate is served", func() bool { return measured(last) })
	close(stop)
	if err := testwait.Receive(t, "the end of the requests", failures); err != nil {
		t.Error("a request failed while certificates changed:", err)
	}
	if code := s.stop(); code != 0 {
		t.Error(code, s.err())
	}
}

func TestServeTLS_ClientsNeedCertificateAndToken(t *testing.T) {
	authority, clients := certtest.NewAuthority(t), certtest.NewAuthority(t)
	_, _, flags := tlsFiles(t, authority, time.Now().Add(time.Hour))
	ca := filepath.Join(t.TempDir(), "clients.pem")
	certtest.Replace(t, ca, clients.PEM)
	s := start(t, append([]string{"serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--tls-client-ca", ca, "--auth-token", "a-token-of-some-length"}, flags...)...)
	if _, _, err := get(t, s.base+"/health", &tls.Config{RootCAs: authority.Pool()}); err == nil {
		t.Error("a client without a certificate has an answer")
	}
	pair := clients.Issue(t, time.Now().Add(time.Hour))
	trust := &tls.Config{RootCAs: authority.Pool(), Certificates: []tls.Certificate{pair.Loaded(t)}}
	if status, _, err := get(t, s.base+"/v1/model", trust); status != 401 {
		t.Error("a certificate replaces the token:", status, err)
	}
	// check takes the same files.
	dir := t.TempDir()
	server, certificate, key := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	certtest.Replace(t, server, authority.PEM)
	pair.Write(t, certificate, key)
	args := []string{"--url", s.base, "--auth-token", "a-token-of-some-length", "--ca-cert", server, "--client-cert", certificate, "--client-key", key}
	if code, out, errs := runCheck(args...); code != 0 {
		t.Error(code, out, errs)
	}
	for name, args := range map[string][]string{"no certificate": args[:6], "no authority": append(append([]string{}, args[:4]...), args[6:]...)} {
		if code, out, _ := runCheck(args...); code != 1 {
			t.Error(name, code, out)
		}
	}
	for name, args := range map[string][]string{
		"half a pair": {"--client-cert", certificate}, "no authority in the file": {"--ca-cert", key}, "no file": {"--ca-cert", "/nowhere"}, "the key of another": {"--client-cert", server, "--client-key", key},
	} {
		if code, _, errs := runCheck(append(args, "--url", s.base)...); code != 2 {
			t.Error(name, code, errs)
		}
	}
}

// The health check of a container has only the variables of the server.
func TestServeTLS_CheckFindsServerByVariables(t *testing.T) {
	authority := certtest.NewAuthority(t)
	certificate, key, _ := tlsFiles(t, authority, time.Now().Add(time.Hour))
	socket := filepath.Join(shortDir(t), "http.sock")
	t.Setenv("SVC_TLS_CERT", certificate)
	t.Setenv("SVC_TLS_KEY", key)
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--bind", "unix:"+socket)
	t.Setenv("SVC_BIND", "0.0.0.0:"+s.base[strings.LastIndexByte(s.base, ':')+1:]+"\nunix:"+socket)
	if code, out, errs := runCheck(); code != 0 {
		t.Error(code, out, errs)
	}
	other, _, _ := tlsFiles(t, authority, time.Now().Add(time.Hour))
	t.Setenv("SVC_TLS_CERT", other)
	if code, out, errs := runCheck(); code != 1 || !strings.Contains(errs, "another certificate") {
		t.Error("a server with another certificate is trusted:", code, out, errs)
	}
	t.Setenv("SVC_BIND", "unix:"+socket)
	if code, out, errs := runCheck(); code != 0 {
		t.Error("over the socket:", code, out, errs)
	}
}

// shortDir returns a folder whose path leaves room for the name of a socket.
func shortDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if len(dir) > 80 {
		t.Skip("the folder of temporary files has a long path: ", dir)
	}
	return dir
}

// Both interfaces listen on sockets, which count as loopback: no token is needed, and no warning is logged.
func TestServe_UnixSockets(t *testing.T) {
	dir := shortDir(t)
	web, port := filepath.Join(dir, "http.sock"), filepath.Join(dir, ".s.PGSQL.5432")
	_, _, flags := tlsFiles(t, certtest.NewAuthority(t), time.Now().Add(time.Hour))
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--bind", "unix:"+web,
		"--pg-bind", "unix:"+port, "--pg-tls-cert", flags[1], "--pg-tls-key", flags[3], "--pg-require-tls")
	testwait.Until(t, "the sockets are there", func() bool { return strings.Contains(s.err(), "serving the PostgreSQL port") })
	if strings.Contains(s.err(), "anyone who reaches") || !strings.Contains(s.err(), "unix:"+web) {
		t.Error(s.err())
	}
	if code, out, errs := runCheck("--url", "unix:"+web); code != 0 {
		t.Error(code, out, errs)
	}
	session, err := new(net.Dialer).DialContext(t.Context(), "unix", port)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	// The first message is that the session is open (R), or an error (E).
	_, err = io.WriteString(session, startupPacket("user", "me", "database", "shop"))
	first := make([]byte, 1)
	if err == nil {
		_, err = io.ReadFull(session, first)
	}
	if err != nil || first[0] != 'R' {
		t.Errorf("%q %v", first, err)
	}
	if code := s.stop(); code != 0 {
		t.Error(code, s.err())
	}
	for _, path := range []string{web, port} {
		if _, err := os.Lstat(path); err == nil {
			t.Error("the socket file stays:", path)
		}
	}
}

// startupPacket returns the packet that opens a session of the protocol of PostgreSQL.
func startupPacket(parameters ...string) string {
	text := "\x00\x03\x00\x00" + strings.Join(parameters, "\x00") + "\x00\x00"
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(text)+4))) + text
}

// A file that a killed process left is replaced; every other file and every socket in use is not.
func TestServe_SocketFiles(t *testing.T) {
	dir := shortDir(t)
	stale := filepath.Join(dir, "stale.sock")
	ln, err := new(net.ListenConfig).Listen(t.Context(), "unix", stale)
	if err != nil {
		t.Fatal(err)
	}
	ln.(*net.UnixListener).SetUnlinkOnClose(false)
	_ = ln.Close()
	s := start(t, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--bind", "unix:"+stale)
	if code, out, errs := runCheck("--url", "unix:"+stale); code != 0 {
		t.Fatal(code, out, errs)
	}
	regular, link := filepath.Join(dir, "regular"), filepath.Join(dir, "link")
	if err := os.WriteFile(regular, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(regular, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		stale: "another process serves it", regular: "is not a socket", link: "is not a socket", filepath.Join(dir, "none", "a.sock"): "no such file",
	} {
		code, _, errs := runFor(t, testwait.Deadline, "serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0", "--bind", "unix:"+path)
		if code != 1 || !strings.Contains(errs, "--bind (SVC_BIND)") || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", path, code, errs)
		}
	}
	for address, want := range map[string]string{
		"unix:": "needs the path", "unix:@abstract": "abstract socket", "unix:/" + strings.Repeat("a", 200): "at most 103", "127.0.0.1:7\n127.0.0.1:7": "twice",
	} {
		t.Setenv("SVC_BIND", address)
		if code, _, errs := runFor(t, testwait.Deadline, "serve", "--model", "testdata/shop.yaml"); code != 2 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", address, code, errs)
		}
	}
	if text, err := os.ReadFile(regular); err != nil || string(text) != "precious" {
		t.Errorf("%q %v", text, err)
	}
	if code, out, errs := runCheck("--url", "unix:"+stale); code != 0 {
		t.Error("the first server does not serve any more:", code, out, errs)
	}
	s.stop()
}

func TestServe_EachServerHasItsOwnAddress(t *testing.T) {
	t.Setenv("SVC_BIND", "127.0.0.1:7")
	for _, flag := range []string{"admin-bind", "pg-bind"} {
		if code, _, errs := runFor(t, testwait.Deadline, "config", "--model", "testdata/shop.yaml", "--"+flag, "127.0.0.1:7"); code != 2 || !strings.Contains(errs, "127.0.0.1:7 is an address of --bind") {
			t.Errorf("%s: %d %s", flag, code, errs)
		}
	}
}

func TestServeTLS_ExpiredCertificateIsServedWithWarning(t *testing.T) {
	authority := certtest.NewAuthority(t)
	_, _, flags := tlsFiles(t, authority, time.Now().Add(-time.Hour))
	s := start(t, append([]string{"serve", "--model", "testdata/shop.yaml", "--bind", "127.0.0.1:0"}, flags...)...)
	if !strings.Contains(s.err(), "the certificate has expired") {
		t.Error(s.err())
	}
	if _, _, err := get(t, s.base+"/health", &tls.Config{RootCAs: authority.Pool()}); err == nil || !strings.Contains(err.Error(), "expired") {
		t.Error(err)
	}
}
