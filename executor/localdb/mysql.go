package localdb

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// StartMySQL starts a MySQL server; its error is ErrNoServer when there is none to
// start. The caller stops it.
func StartMySQL(ctx context.Context) (*Server, error) {
	mysqld, err := findProgram("mysqld", "/usr/sbin/mysqld", "/opt/homebrew/opt/mysql/bin/mysqld")
	if err != nil {
		return nil, err
	}
	// MariaDB installs itself under this name as well.
	version, err := exec.CommandContext(ctx, mysqld, "--no-defaults", "--version").Output()
	if err != nil || strings.Contains(string(version), "MariaDB") {
		return nil, fmt.Errorf("%w: %s is not a MySQL server", ErrNoServer, mysqld)
	}
	as, err := findSystemAccount("mysql")
	if err != nil {
		return nil, err
	}
	return startServer(ctx, MySQL, as, func(s *Server) error { return s.initAndLaunchMySQL(ctx, mysqld, as) })
}

func (s *Server) initAndLaunchMySQL(ctx context.Context, mysqld string, as *systemAccount) error {
	data := "--datadir=" + filepath.Join(s.dir, "data")
	// The folder that is compiled in need not exist.
	const files = "--secure-file-priv="
	if err := s.runSetupProgram(ctx, as, mysqld, "--no-defaults", data, files, "--tmpdir="+s.dir, "--initialize-insecure"); err != nil {
		return err
	}
	initFile, err := s.writeFile("init.sql", strings.ReplaceAll(mysqlInitSQL, "{password}", s.Password), as)
	if err != nil {
		return err
	}
	return s.launchAndAwaitReady(ctx, as, s.sendsGreeting, mysqld, "--no-defaults", data, files, unlimitedConnectErrorsFlag, "--tmpdir="+s.dir, "--bind-address="+s.Host, "--port="+strconv.Itoa(s.Port),
		"--socket="+filepath.Join(s.dir, "socket"), "--pid-file="+filepath.Join(s.dir, "pid"), "--init-file="+initFile, "--mysqlx=OFF",
		"--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M", "--skip-log-bin", "--skip-name-resolve")
}
