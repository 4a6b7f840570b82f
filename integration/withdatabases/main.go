// Command withdatabases runs a command beside database servers.
//
//	withdatabases go test ./...
//
// It starts PostgreSQL, MariaDB and MySQL as tests would, from the same sources, and
// gives the command their addresses as SEMLAYER_POSTGRES_DSN, SEMLAYER_MARIADB_DSN
// and SEMLAYER_MYSQL_DSN. Tests of several modules then share one server of each
// kind. All three must be there. The servers end with the command, or with an
// interrupt.
//
// With -missing nothing runs: it prints the engines that the environment does not
// name and of which no image is at hand or can be fetched.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/testcontainers/testcontainers-go/log"

	"github.com/semlayer/semlayer/executor/localdb"
	"github.com/semlayer/semlayer/integration/internal/containers"
)

func main() {
	missing := flag.Bool("missing", false, "print the engines without an image, run nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// It introduces itself at length.
	log.SetDefault(log.NewNoopLogger())
	if *missing {
		os.Exit(printErrorAndGetExitCode(printMissingEngines(ctx)))
	}
	if flag.NArg() == 0 {
		os.Exit(printErrorAndGetExitCode(errors.New("usage: withdatabases COMMAND [ARGUMENT...]")))
	}
	os.Exit(printErrorAndGetExitCode(runCommand(ctx, flag.Args())))
}

// printErrorAndGetExitCode prints an error and returns the exit code that goes with it.
func printErrorAndGetExitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit) && exit.Exited():
		return exit.ExitCode()
	}
	fmt.Fprintln(os.Stderr, "withdatabases:", err)
	return 1
}

func printMissingEngines(ctx context.Context) error {
	for _, e := range localdb.Engines() {
		if os.Getenv(localdb.DSNVariableName(e)) != "" {
			continue
		}
		_, err := containers.EnsureImage(ctx, e)
		if err != nil && !errors.Is(err, localdb.ErrNoServer) {
			return err
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "withdatabases:", err)
			fmt.Println(e)
		}
	}
	return nil
}

func runCommand(ctx context.Context, command []string) error {
	servers, err := startServers(ctx)
	defer func() {
		for _, s := range servers {
			s.Stop()
		}
	}()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), localdb.ServerSourcesEnv+"="+localdb.SourceNameDSN)
	for _, s := range servers {
		cmd.Env = append(cmd.Env, localdb.DSNVariableName(s.Engine)+"="+s.URI())
	}
	// The go command passes an interrupt on to its tests.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	return cmd.Run()
}

// startServers starts all servers at once. With an error it also returns the servers that it started.
func startServers(ctx context.Context) ([]*localdb.Server, error) {
	var (
		mu      sync.Mutex
		servers []*localdb.Server
		errs    []error
		all     sync.WaitGroup
	)
	for _, e := range localdb.Engines() {
		all.Go(func() {
			began := time.Now()
			s, err := localdb.StartServer(ctx, e, localdb.NewDSNVariableServerSource(), containers.ServerSource(), localdb.NewLocalServerSource())
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			servers = append(servers, s)
			fmt.Fprintf(os.Stderr, "withdatabases: %s in %.1f s\n", e, time.Since(began).Seconds())
		})
	}
	all.Wait()
	return servers, errors.Join(errs...)
}
