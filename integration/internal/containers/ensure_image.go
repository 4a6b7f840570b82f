package containers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/containerd/errdefs"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"

	"github.com/semlayer/semlayer/executor/localdb"
)

const (
	// How long a container engine may take to answer.
	containerEngineTimeout = 5 * time.Second
	// How long a registry may be silent before a pull is abandoned.
	maxPullSilence = 15 * time.Second
)

var errRegistrySilent = errors.New("the registry is silent")

// connectDocker connects to the container engine. The caller closes the client.
func connectDocker(ctx context.Context) (client.APIClient, error) {
	// The reaper of testcontainers-go is an image too, which has to come from a
	// registry. Ending a server removes its container without it.
	const reaper = "TESTCONTAINERS_RYUK_DISABLED"
	if _, set := os.LookupEnv(reaper); !set {
		if err := os.Setenv(reaper, "true"); err != nil {
			return nil, err
		}
	}
	provider, err := testcontainers.NewDockerProvider()
	if err != nil {
		return nil, fmt.Errorf("%w: no container engine: %w", localdb.ErrNoServer, err)
	}
	c := provider.Client()
	ctx, cancel := context.WithTimeout(ctx, containerEngineTimeout)
	defer cancel()
	if _, err := c.Ping(ctx, client.PingOptions{}); err != nil {
		_ = c.Close()
		return nil, fmt.Errorf("%w: no container engine answers: %w", localdb.ErrNoServer, err)
	}
	return c, nil
}

// EnsureImage finds the local image of an engine or fetches it. The error is
// localdb.ErrNoServer if the container engine or the image is missing.
func EnsureImage(ctx context.Context, e localdb.Engine) (string, error) {
	s, ok := specOfEngine(e)
	if !ok {
		return "", fmt.Errorf("%w: no image for %s", localdb.ErrNoServer, e)
	}
	c, err := connectDocker(ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	return findOrPullImage(ctx, c, s.imageNames(), maxPullSilence)
}

// findOrPullImage returns the first image that is available, or else pulls the first.
func findOrPullImage(ctx context.Context, c client.ImageAPIClient, names []string, patience time.Duration) (string, error) {
	for _, name := range names {
		_, err := c.ImageInspect(ctx, name)
		if err == nil {
			return name, nil
		}
		if !errdefs.IsNotFound(err) {
			return "", fmt.Errorf("image %s: %w", name, err)
		}
	}
	if err := pullImage(ctx, c, names[0], patience); err != nil {
		return "", fmt.Errorf("%w: image %s is not available and cannot be pulled: %w", localdb.ErrNoServer, names[0], err)
	}
	return names[0], nil
}

// pullImage fetches an image for as long as something comes.
func pullImage(ctx context.Context, c client.ImageAPIClient, name string, patience time.Duration) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(patience, func() { cancel(errRegistrySilent) })
	defer watch.Stop()
	progress, err := c.ImagePull(ctx, name, client.ImagePullOptions{})
	if err != nil {
		return contextCauseOrError(ctx, err)
	}
	defer progress.Close()
	for message, err := range progress.JSONMessages(ctx) {
		if err != nil {
			return contextCauseOrError(ctx, err)
		}
		if message.Error != nil {
			return message.Error
		}
		watch.Reset(patience)
	}
	return nil
}

func contextCauseOrError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}
