package upgrade_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/semlayer/semlayer/executor/certtest"
	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/executor/testwait"
)

// roles log in to the warehouse: the password of one is in a file, that of the other comes from a program.
var roles = []string{"by_file", "by_program"}

// tlsWarehouse is a PostgreSQL that lets its roles in with TLS, a password and a certificate of theirs.
type tlsWarehouse struct {
	*localdb.Server
	admin *pgx.Conn
}

func startWarehouse(t *testing.T) *tlsWarehouse {
	t.Helper()
	server, err := localdb.StartPostgres(t.Context())
	if errors.Is(err, localdb.ErrNoServer) && os.Getenv(localdb.RequireServersEnv) == "" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	admin, err := pgx.Connect(t.Context(), server.URI())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = admin.Close(context.Background()) })
	w := &tlsWarehouse{server, admin}
	rules := []string{}
	for _, role := range roles {
		w.exec(t, "CREATE ROLE "+role+" LOGIN")
		rules = append(rules, "hostssl all "+role+" 127.0.0.1/32 scram-sha-256 clientcert=verify-ca", "host all "+role+" all reject")
	}
	rules = append(rules, "host all "+server.User+" 127.0.0.1/32 scram-sha-256")
	w.writeFile(t, "pg_hba.conf", strings.Join(rules, "\n"))
	return w
}

func (w *tlsWarehouse) exec(t *testing.T, statement string) {
	t.Helper()
	if _, err := w.admin.Exec(t.Context(), statement); err != nil {
		t.Fatal(statement, err)
	}
}

// writeFile puts a file of the server, which its account alone reads, in the place of an old one. No line has a tab or a backslash.
func (w *tlsWarehouse) writeFile(t *testing.T, name, text string) {
	t.Helper()
	w.exec(t, "COPY (SELECT unnest(string_to_array($text$"+strings.TrimSpace(text)+"$text$, chr(10)))) TO PROGRAM 'umask 077; cat >"+name+".new && mv "+name+".new "+name+"'")
}

// useCertificates makes the server show a certificate, and trust the authorities of its clients. It returns when new connections see it.
func (w *tlsWarehouse) useCertificates(t *testing.T, pair certtest.Pair, authority *x509.CertPool, clients []byte) {
	t.Helper()
	w.writeFile(t, "server.crt", string(pair.Certificate))
	w.writeFile(t, "server.key", string(pair.Key))
	w.writeFile(t, "clients.crt", string(clients))
	w.exec(t, "ALTER SYSTEM SET ssl_ca_file = 'clients.crt'")
	w.exec(t, "ALTER SYSTEM SET ssl = on")
	w.exec(t, "SELECT pg_reload_conf()")
	config := w.admin.Config().Copy()
	config.TLSConfig = &tls.Config{RootCAs: authority, ServerName: w.Host, MinVersion: tls.VersionTLS12}
	testwait.Until(t, "the warehouse shows its certificate", func() bool {
		c, err := pgx.ConnectConfig(t.Context(), config)
		if err != nil {
			return false
		}
		defer func() { _ = c.Close(t.Context()) }()
		return c.PgConn().Conn().(*tls.Conn).ConnectionState().PeerCertificates[0].Equal(pair.Loaded(t).Leaf)
	})
}

// cut ends the connections of the roles, and returns how many there were.
func (w *tlsWarehouse) cut(t *testing.T) (ended int64) {
	t.Helper()
	row := w.admin.QueryRow(t.Context(), "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = ANY($1)", roles)
	if err := row.Scan(&ended); err != nil {
		t.Fatal(err)
	}
	return ended
}

// known reports whether each role has a connection whose certificate has this number.
func (w *tlsWarehouse) known(t *testing.T, serial *big.Int) bool {
	t.Helper()
	var count int
	row := w.admin.QueryRow(t.Context(), "SELECT count(DISTINCT usename) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE client_serial = $1::text::numeric", serial.String())
	if err := row.Scan(&count); err != nil {
		t.Fatal(err)
	}
	return count == len(roles)
}

// profiles returns connection profiles of the roles. Their secrets are in a folder.
func (w *tlsWarehouse) profiles(folder string) string {
	common := "    type: postgres\n    host: 127.0.0.1\n    port: " + strconv.Itoa(w.Port) + "\n    database: " + w.Database + "\n    sslmode: verify-full\n    sslrootcert: " + folder + "/servers.crt\n" +
		"    sslcert: " + folder + "/client.crt\n    sslkey: " + folder + "/client.key\n    pool_size: 1\n    retries: 1\n"
	return "datasources:\n  by_file:\n    username: by_file\n    password_file: " + folder + "/password\n" + common +
		"  by_program:\n    username: by_program\n    exec: {command: [cat, " + folder + "/secret.json]}\n" + common
}
