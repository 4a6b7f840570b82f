package localdb

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
)

// StartPostgres starts a PostgreSQL server; its error is ErrNoServer if none is available. The
// caller stops it.
func StartPostgres(ctx context.Context) (*Server, error) {
	postgres, err := findProgram("/usr/lib/postgresql/*/bin/postgres", "/opt/homebrew/opt/postgresql*/bin/postgres", "postgres")
	if err != nil {
		return nil, err
	}
	as, err := findSystemAccount("postgres")
	if err != nil {
		return nil, err
	}
	return startServer(ctx, Postgres, as, func(s *Server) error { return s.initAndLaunchPostgres(ctx, filepath.Dir(postgres), as) })
}

func (s *Server) initAndLaunchPostgres(ctx context.Context, bin string, as *systemAccount) error {
	s.Database, s.Params = "postgres", "sslmode=disable"
	data := filepath.Join(s.dir, "data")
	password, err := s.writeFile("password", s.Password, as)
	if err != nil {
		return err
	}
	if err := s.runSetupProgram(ctx, as, filepath.Join(bin, "initdb"), "--pgdata", data, "--username", s.User, "--pwfile", password,
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--lc-ctype", caseMappingLocale(), "--no-sync"); err != nil {
		return err
	}
	port := strconv.Itoa(s.Port)
	ready := func(ctx context.Context) bool {
		return exec.CommandContext(ctx, filepath.Join(bin, "pg_isready"), "--host", s.Host, "--port", port, "--quiet").Run() == nil
	}
	return s.launchAndAwaitReady(ctx, as, ready, filepath.Join(bin, "postgres"), "-D", data, "-h", s.Host, "-p", port, "-k", s.dir,
		"-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off", "-c", "shared_buffers=32MB", "-c", "max_connections=200")
}

// caseMappingLocale returns the locale by which LOWER and UPPER know letters beyond ASCII. Texts compare by their
// code points all the same. Not every system has it under this name.
func caseMappingLocale() string {
	if runtime.GOOS == "linux" {
		return "C.UTF-8"
	}
	return "en_US.UTF-8"
}
