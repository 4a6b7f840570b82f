package localdb

import (
	"context"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// StartMariaDB starts a MariaDB server; its error is ErrNoServer when there is
// none to start. The caller stops it.
func StartMariaDB(ctx context.Context) (*Server, error) {
	mariadbd, err := findProgram("mariadbd", "/usr/sbin/mariadbd", "/usr/libexec/mariadbd", "/opt/homebrew/opt/mariadb/bin/mariadbd")
	if err != nil {
		return nil, err
	}
	install, err := findProgram("mariadb-install-db", "/usr/bin/mariadb-install-db", "/opt/homebrew/opt/mariadb/bin/mariadb-install-db")
	if err != nil {
		return nil, err
	}
	as, err := findSystemAccount("mysql")
	if err != nil {
		return nil, err
	}
	return startServer(ctx, MariaDB, as, func(s *Server) error { return s.initAndLaunchMariaDB(ctx, mariadbd, install, as) })
}

// mysqlInitSQL runs before the server listens. The password is letters and digits.
const mysqlInitSQL = `CREATE DATABASE semlayer CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
CREATE USER 'semlayer'@'%' IDENTIFIED BY '{password}';
GRANT ALL PRIVILEGES ON *.* TO 'semlayer'@'%' WITH GRANT OPTION;
`

func (s *Server) initAndLaunchMariaDB(ctx context.Context, mariadbd, install string, as *systemAccount) error {
	data := filepath.Join(s.dir, "data")
	// A server that starts deletes the temporary tables of others in its folder for them.
	if err := s.runSetupProgram(ctx, as, install, "--no-defaults", "--datadir="+data, "--tmpdir="+s.dir, "--auth-root-authentication-method=normal", "--skip-test-db"); err != nil {
		return err
	}
	initFile, err := s.writeFile("init.sql", strings.ReplaceAll(mysqlInitSQL, "{password}", s.Password), as)
	if err != nil {
		return err
	}
	return s.launchAndAwaitReady(ctx, as, s.sendsGreeting, mariadbd, "--no-defaults", "--datadir="+data, unlimitedConnectErrorsFlag, "--tmpdir="+s.dir, "--bind-address="+s.Host, "--port="+strconv.Itoa(s.Port),
		"--socket="+filepath.Join(s.dir, "socket"), "--pid-file="+filepath.Join(s.dir, "pid"), "--init-file="+initFile,
		"--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M", "--skip-log-bin", "--skip-name-resolve")
}

// unlimitedConnectErrorsFlag keeps a server from shutting out a host that has broken off so many
// handshakes in a row, which is what tests of broken networks do. The default is 100.
const unlimitedConnectErrorsFlag = "--max-connect-errors=1000000"

// sendsGreeting reports whether the server sends its greeting, which it does before the client sends
// anything.
func (s *Server) sendsGreeting(ctx context.Context) bool {
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", s.HostPort())
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(time.Second))
	n, err := conn.Read(make([]byte, 1))
	return n == 1 && err == nil
}
