package containers

import (
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/containerd/errdefs"
	"github.com/google/go-cmp/cmp"
	"github.com/moby/moby/api/types/jsonstream"
	"github.com/moby/moby/client"

	"github.com/semlayer/semlayer/executor/localdb"
)

// engine is a container engine with images and a registry.
type engine struct {
	client.ImageAPIClient
	images  []string
	pull    func(ctx context.Context) (client.ImagePullResponse, error)
	inspect error
	pulled  []string
}

func (e *engine) ImageInspect(_ context.Context, name string, _ ...client.ImageInspectOption) (client.ImageInspectResult, error) {
	for _, image := range e.images {
		if image == name {
			return client.ImageInspectResult{}, nil
		}
	}
	if e.inspect != nil {
		return client.ImageInspectResult{}, e.inspect
	}
	return client.ImageInspectResult{}, errdefs.ErrNotFound
}

func (e *engine) ImagePull(ctx context.Context, name string, _ client.ImagePullOptions) (client.ImagePullResponse, error) {
	e.pulled = append(e.pulled, name)
	return e.pull(ctx)
}

// progress is the output of a pull: messages with pauses before each.
type progress struct {
	messages []jsonstream.Message
	pause    time.Duration
	stalls   bool // after the messages, until the context ends
}

func (p progress) Read([]byte) (int, error)   { return 0, io.EOF }
func (p progress) Close() error               { return nil }
func (p progress) Wait(context.Context) error { return nil }

func (p progress) JSONMessages(ctx context.Context) iter.Seq2[jsonstream.Message, error] {
	return func(yield func(jsonstream.Message, error) bool) {
		for _, m := range p.messages {
			time.Sleep(p.pause)
			if !yield(m, ctx.Err()) {
				return
			}
		}
		if p.stalls {
			<-ctx.Done()
			yield(jsonstream.Message{}, ctx.Err())
		}
	}
}

func TestImage_PrefersLocalOverPull(t *testing.T) {
	const public, local = "mysql:9", "semlayer-local/mysql:latest"
	arrives := func(p progress) func(context.Context) (client.ImagePullResponse, error) {
		return func(context.Context) (client.ImagePullResponse, error) { return p, nil }
	}
	tests := []struct {
		name   string
		engine engine
		want   string
		pulled []string
		err    error
		says   string
	}{
		{"the public one", engine{images: []string{local, public}}, public, nil, nil, ""},
		{"the local one", engine{images: []string{local}}, local, nil, nil, ""},
		{"neither, and the registry has it", engine{pull: arrives(progress{messages: make([]jsonstream.Message, 8), pause: 25 * time.Millisecond})}, public, []string{public}, nil, ""},
		{"no way to the registry", engine{pull: func(context.Context) (client.ImagePullResponse, error) { return nil, errors.New("no such host") }}, "", []string{public}, localdb.ErrNoServer, "no such host"},
		{"a registry that does not answer", engine{pull: func(ctx context.Context) (client.ImagePullResponse, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}, "", []string{public}, localdb.ErrNoServer, "silent"},
		{"a registry that falls silent", engine{pull: arrives(progress{messages: make([]jsonstream.Message, 1), stalls: true})}, "", []string{public}, localdb.ErrNoServer, "silent"},
		{"a registry that refuses", engine{pull: arrives(progress{messages: []jsonstream.Message{{Error: &jsonstream.Error{Message: "too many requests"}}}})}, "", []string{public}, localdb.ErrNoServer, "too many requests"},
		{"a broken container engine", engine{inspect: errors.New("disk full")}, "", nil, nil, "disk full"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got string
			var err error
			synctest.Test(t, func(t *testing.T) {
				got, err = findOrPullImage(t.Context(), &tt.engine, []string{public, local}, 100*time.Millisecond)
			})
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if diff := cmp.Diff(tt.pulled, tt.engine.pulled); diff != "" {
				t.Errorf("pulled (-want +got)\n%s", diff)
			}
			if tt.want != "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.says) || errors.Is(err, localdb.ErrNoServer) != (tt.err != nil) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestImage_NamedByEnvironment(t *testing.T) {
	for _, tt := range []struct {
		engine localdb.Engine
		env    string
		want   []string
	}{
		{localdb.Postgres, "", []string{"postgres:17", "semlayer-local/postgres:latest"}},
		{localdb.MariaDB, "registry.example/mariadb:10.6", []string{"registry.example/mariadb:10.6"}},
	} {
		t.Setenv(ImageEnv(tt.engine), tt.env)
		s, _ := specOfEngine(tt.engine)
		if diff := cmp.Diff(tt.want, s.imageNames()); diff != "" {
			t.Errorf("%s (-want +got)\n%s", tt.engine, diff)
		}
	}
}
