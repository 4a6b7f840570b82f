package containers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/testcontainers/testcontainers-go"

	"github.com/semlayer/semlayer/executor/localdb"
)

// The way in that every server has, as localdb's own servers have it.
const (
	testUser     = "semlayer"
	testDatabase = "semlayer"
)

const (
	readyTimeout = 2 * time.Minute
	pollInterval = 100 * time.Millisecond
)

// SharedServers returns the servers of a test process: those of the environment, or in
// containers, or installed ones, unless the environment names another order.
func SharedServers() *localdb.SharedServers {
	return &localdb.SharedServers{Sources: []localdb.ServerSource{localdb.NewDSNVariableServerSource(), ServerSource(), localdb.NewLocalServerSource()}}
}

// ServerSource gives servers in containers.
func ServerSource() localdb.ServerSource {
	return localdb.ServerSource{Name: localdb.SourceNameContainers, Start: StartServer}
}

// StartServer runs a server in a new container. The error is localdb.ErrNoServer
// if the container engine or the image of the server is missing.
func StartServer(ctx context.Context, e localdb.Engine) (*localdb.Server, error) {
	image, err := EnsureImage(ctx, e)
	if err != nil {
		return nil, err
	}
	s, _ := specOfEngine(e)
	password := rand.Text()
	c, err := testcontainers.Run(ctx, image,
		testcontainers.WithLogger(discardLogger{}),
		testcontainers.WithEnv(s.env(password)),
		testcontainers.WithCmd(s.args...),
		testcontainers.WithExposedPorts(s.port),
		testcontainers.WithLabels(map[string]string{ContainerLabel: string(e)}),
	)
	stop := func() { _ = testcontainers.TerminateContainer(c, testcontainers.StopTimeout(0)) }
	if err != nil {
		stop()
		return nil, fmt.Errorf("%s: %w", image, err)
	}
	at, err := s.prepareDatabase(ctx, c, password)
	if err != nil {
		text := logTail(ctx, c)
		stop()
		return nil, fmt.Errorf("%s: %w\n%s", image, err, text)
	}
	return localdb.NewExternalServer(at, stop), nil
}

// prepareDatabase waits until the server accepts its first user, and creates the user and the
// database of the tests if the image did not.
func (s serverSpec) prepareDatabase(ctx context.Context, c *testcontainers.DockerContainer, password string) (localdb.Address, error) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	at := localdb.Address{Engine: s.engine, User: s.root, Password: password, Database: testDatabase}
	if s.engine == localdb.Postgres {
		at.Params = "sslmode=disable"
	}
	hosts, err := portBindingHostAddresses(ctx, c)
	if err != nil {
		return at, err
	}
	port, err := c.MappedPort(ctx, s.port)
	if err != nil {
		return at, err
	}
	at.Port = int(port.Num())
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		// The images start a server for their own use first, which does not
		// listen here: who can log in from outside has the real one.
		var failures []error
		for _, at.Host = range hosts {
			err := prepareUser(ctx, &at)
			if err == nil {
				return at, nil
			}
			failures = append(failures, err)
		}
		err := errors.Join(failures...)
		state, stateErr := c.State(ctx)
		if stateErr != nil {
			return at, errors.Join(err, stateErr)
		}
		if !state.Running {
			return at, fmt.Errorf("the container ended with code %d", state.ExitCode)
		}
		select {
		case <-ctx.Done():
			return at, fmt.Errorf("not ready in %v: %w", readyTimeout, err)
		case <-poll.C:
		}
	}
}

// portBindingHostAddresses returns the addresses at which the ports of a container may be published. A
// process in a container receives the gateway of its network, which is wrong where
// the container engine runs beside it.
func portBindingHostAddresses(ctx context.Context, c *testcontainers.DockerContainer) ([]string, error) {
	host, err := c.Host(ctx)
	if err != nil {
		return nil, err
	}
	if host == localdb.ListenHost || host == "localhost" {
		return []string{localdb.ListenHost}, nil
	}
	return []string{localdb.ListenHost, host}, nil
}

// logTail returns the end of a container's log.
func logTail(ctx context.Context, c *testcontainers.DockerContainer) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), containerEngineTimeout)
	defer cancel()
	logs, err := c.Logs(ctx)
	if err != nil {
		return err.Error()
	}
	defer logs.Close()
	text, _ := io.ReadAll(logs)
	return string(text[max(0, len(text)-4000):])
}

// discardLogger is a logger that drops its lines: everything important is in the errors.
type discardLogger struct{}

func (discardLogger) Printf(string, ...any) {}
