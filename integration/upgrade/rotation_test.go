package upgrade_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/semlayer/semlayer/executor/certtest"
	"github.com/semlayer/semlayer/executor/testwait"
	"github.com/semlayer/semlayer/integration/internal/program"
)

const (
	// A run of the default length rotates everything shortRotations times; `make proof` does it longRotations times.
	shortRotations = 3
	longRotations  = 25
	// askedBetween is how many requests each client ends with success before the next rotation.
	askedBetween = 10
	token        = "a-token-of-some-length"
	// unreachable is the code of the PostgreSQL port for a warehouse that it cannot reach.
	unreachable = "HV00N"
)

var (
	httpsAddress = regexp.MustCompile(`https://127\.0\.0\.1:\d+`)
	portAddress  = regexp.MustCompile(`PostgreSQL port" address=127\.0\.0\.1:(\d+)`)
)

// secured is a server with HTTPS and TLS on the PostgreSQL port, and what its clients need at the moment.
type secured struct {
	log        program.Output
	base, port string
	authority  atomic.Pointer[x509.CertPool]
	identity   atomic.Pointer[tls.Certificate]
}

// trust returns what a new connection of a client trusts and shows.
func (s *secured) trust() *tls.Config {
	return &tls.Config{
		RootCAs: s.authority.Load(), ServerName: "127.0.0.1", MinVersion: tls.VersionTLS12,
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return s.identity.Load(), nil },
	}
}

// serve starts the program with the profiles and certificates of a folder.
func (s *secured) serve(t *testing.T, folder string) {
	t.Helper()
	binary, err := program.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(folder, name) }
	cmd := exec.Command(binary, "serve", "--model", in("model.yaml"), "--connections", in("connections.yaml"), "--default-connection", "by_file",
		"--bind", "127.0.0.1:0", "--tls-cert", in("http.crt"), "--tls-key", in("http.key"), "--tls-client-ca", in("callers.crt"),
		"--pg-bind", "127.0.0.1:0", "--pg-tls-cert", in("pg.crt"), "--pg-tls-key", in("pg.key"), "--auth-token", token)
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			text := s.log.String()
			t.Log(text[max(0, len(text)-6000):])
		}
	})
	testwait.Until(t, "the server listens", func() bool {
		s.base = httpsAddress.FindString(s.log.String())
		if found := portAddress.FindStringSubmatch(s.log.String()); found != nil {
			s.port = found[1]
		}
		return s.base != "" && s.port != ""
	})
}

// errCut is an error that a client has of a connection to the warehouse that was cut.
var errCut = errors.New("the connection to the warehouse was cut")

// overHTTP executes the metric on a connection. Each second request is the first of its TLS connection.
func (s *secured) overHTTP(connection string) func(context.Context) error {
	fresh := func() *http.Client {
		return &http.Client{Transport: &http.Transport{TLSClientConfig: s.trust()}, Timeout: time.Minute}
	}
	client, asked := fresh(), 0
	return func(ctx context.Context) error {
		if asked++; asked%2 == 0 {
			client.CloseIdleConnections()
			client = fresh()
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.base+"/v1/query/execute", strings.NewReader(`{"metrics":["revision"],"connection":"`+connection+`"}`))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(r)
		if err != nil {
			return err
		}
		defer func() { _ = response.Body.Close() }()
		body, err := io.ReadAll(response.Body)
		switch text := string(body); {
		case err != nil:
			return err
		case response.StatusCode == http.StatusBadGateway && strings.Contains(text, `"code":"connection"`):
			return errCut
		case response.StatusCode != http.StatusOK || !strings.Contains(text, `"rows":[{"revision":1}]`):
			return fmt.Errorf("%d %.300s", response.StatusCode, text)
		}
		return nil
	}
}

// overPort opens a session of the PostgreSQL port for two statements.
func (s *secured) overPort(ctx context.Context) error {
	config, err := pgx.ParseConfig("postgres://me:" + token + "@127.0.0.1:" + s.port + "/counts?sslmode=require&default_query_exec_mode=simple_protocol")
	if err != nil {
		return err
	}
	config.TLSConfig = s.trust()
	session, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close(ctx) }()
	for range 2 {
		var revision int
		err := session.QueryRow(ctx, "SELECT MEASURE(revision) FROM number").Scan(&revision)
		if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && refused.Code == unreachable {
			return errCut
		}
		if err != nil {
			return err
		}
		if revision != 1 {
			return fmt.Errorf("revision %d", revision)
		}
	}
	return nil
}

// shown returns the number of the certificate that a listener shows. The port needs a request for TLS first, which pgx sends.
func (s *secured) shown(ctx context.Context) (http, port *big.Int) {
	number := func(state tls.ConnectionState) *big.Int { return state.PeerCertificates[0].SerialNumber }
	if c, err := (&tls.Dialer{Config: s.trust()}).DialContext(ctx, "tcp", strings.TrimPrefix(s.base, "https://")); err == nil {
		http = number(c.(*tls.Conn).ConnectionState())
		_ = c.Close()
	}
	config, err := pgx.ParseConfig("postgres://me:" + token + "@127.0.0.1:" + s.port + "/counts?sslmode=require")
	if err != nil {
		return http, nil
	}
	config.TLSConfig = s.trust()
	if c, err := pgx.ConnectConfig(ctx, config); err == nil {
		if secured, ok := c.PgConn().Conn().(*tls.Conn); ok {
			port = number(secured.ConnectionState())
		}
		_ = c.Close(ctx)
	}
	return http, port
}

// Passwords, certificates and their authorities are replaced, at the listeners and at the warehouse, while clients ask. What was in
// place at the start of a rotation ends with it, so that nothing goes on with old files.
func TestRotation_FailsOnlyWhatWasCut(t *testing.T) {
	rotations := shortRotations
	if os.Getenv("SEMLAYER_TEST_LONG") != "" {
		rotations = longRotations
	}
	w, s, folder := startWarehouse(t), &secured{}, t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	expires := time.Now().Add(time.Hour)
	certtest.Replace(t, in("model.yaml"), []byte(model(1)))
	certtest.Replace(t, in("connections.yaml"), []byte(w.profiles(folder)))
	callers := certtest.NewAuthority(t)
	certtest.Replace(t, in("callers.crt"), callers.PEM)

	setPasswords := func(n int) {
		password := fmt.Sprintf("secret-%d", n)
		for _, role := range roles {
			w.exec(t, "ALTER ROLE "+role+" PASSWORD '"+password+"'")
		}
		certtest.Replace(t, in("password"), []byte(password+"\n"))
		certtest.Replace(t, in("secret.json"), []byte(`{"password":"`+password+`"}`))
	}
	old, oldClients := certtest.NewAuthority(t), certtest.NewAuthority(t)
	issue := func(servers, clients *certtest.Authority) (serial *big.Int) {
		servers.Issue(t, expires).Write(t, in("http.crt"), in("http.key"))
		servers.Issue(t, expires).Write(t, in("pg.crt"), in("pg.key"))
		pair := clients.Issue(t, expires)
		pair.Write(t, in("client.crt"), in("client.key"))
		identity := callers.Issue(t, expires).Loaded(t)
		s.identity.Store(&identity)
		return pair.Loaded(t).Leaf.SerialNumber
	}
	setPasswords(0)
	certtest.Replace(t, in("servers.crt"), old.PEM)
	s.authority.Store(old.Pool())
	w.useCertificates(t, old.Issue(t, expires), old.Pool(), oldClients.PEM)
	issue(old, oldClients)
	s.serve(t, folder)

	clients := map[string]func(context.Context) error{"port": s.overPort}
	for _, role := range roles {
		clients["HTTP, "+role] = s.overHTTP(role)
		clients["HTTP again, "+role] = s.overHTTP(role)
	}
	for name, ask := range clients { // one after the other, so that a failure is easy to read
		if err := ask(t.Context()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	done := make([]atomic.Int64, len(clients))
	var cut, failed atomic.Int64
	var running sync.WaitGroup
	rotated := make(chan struct{})
	i := 0
	for name, ask := range clients {
		succeeded := &done[i]
		i++
		running.Go(func() {
			for {
				select {
				case <-rotated:
					return
				default:
				}
				switch err := ask(context.Background()); {
				case errors.Is(err, errCut):
					cut.Add(1)
				case err != nil:
					failed.Add(1)
					t.Errorf("%s: %v", name, err)
					return
				default:
					succeeded.Add(1)
				}
			}
		})
	}
	goOn := func(what string) {
		t.Helper()
		var from []int64
		for i := range done {
			from = append(from, done[i].Load())
		}
		testwait.Until(t, what, func() bool {
			for i := range done {
				if done[i].Load() < from[i]+askedBetween {
					return failed.Load() > 0
				}
			}
			return true
		})
	}
	ended := int64(0)
	for n := 1; n <= rotations && failed.Load() == 0; n++ {
		goOn("clients ask")
		next, nextClients := certtest.NewAuthority(t), certtest.NewAuthority(t)
		// The next authorities are trusted before certificates of theirs are in use.
		both := next.Pool()
		both.AppendCertsFromPEM(old.PEM)
		s.authority.Store(both)
		certtest.Replace(t, in("servers.crt"), append(append([]byte{}, old.PEM...), next.PEM...))
		w.useCertificates(t, next.Issue(t, expires), next.Pool(), append(append([]byte{}, oldClients.PEM...), nextClients.PEM...))
		httpBefore, portBefore := s.shown(t.Context())
		serial := issue(next, nextClients)
		setPasswords(n)
		ended += w.cut(t)
		testwait.Until(t, "the warehouse knows the next certificate of its clients", func() bool { return w.known(t, serial) || failed.Load() > 0 })
		testwait.Until(t, "both listeners show their next certificates", func() bool {
			http, port := s.shown(t.Context())
			return http != nil && port != nil && http.Cmp(httpBefore) != 0 && port.Cmp(portBefore) != 0 || failed.Load() > 0
		})
		// Nothing needs the old ones now.
		s.authority.Store(next.Pool())
		certtest.Replace(t, in("servers.crt"), next.PEM)
		w.writeFile(t, "clients.crt", string(nextClients.PEM))
		w.exec(t, "SELECT pg_reload_conf()")
		old, oldClients = next, nextClients
	}
	goOn("clients ask after the last rotation")
	close(rotated)
	running.Wait()
	asked := int64(0)
	for i := range done {
		asked += done[i].Load()
	}
	if cut.Load() > ended {
		t.Errorf("%d requests failed, more than the %d connections that were cut", cut.Load(), ended)
	}
	t.Logf("%d requests over %d rotations: %d failed of %d connections that were cut, %d others failed", asked, rotations, cut.Load(), ended, failed.Load())
}
