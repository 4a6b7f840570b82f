package cli

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/executor/testwait"
)

// tokenServer is a server that accepts tokens.
type tokenServer struct {
	took chan []string
	fail error
}

func (d *tokenServer) ReplaceTokens(tokens []string) error {
	d.took <- tokens
	return d.fail
}

type notebook struct {
	mu sync.Mutex
	b  strings.Builder
}

func (n *notebook) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notebook) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

func TestTokens_FileIsReloaded(t *testing.T) {
	t.Run("the server follows changes of its token file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "tokens")
		write := func(text string) {
			// As Kubernetes does it: the new file takes the place of the old one.
			if err := os.WriteFile(path+".new", []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(path+".new", path); err != nil {
				t.Fatal(err)
			}
		}
		write("first-token\n")
		log := new(notebook)
		d := &tokenServer{took: make(chan []string, 10)}
		f := &tokenFile{path: path, fixed: []string{"fixed-token"}, last: []string{"first-token"}, every: time.Millisecond}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			f.replaceTokensOnChange(ctx, slog.New(slog.NewTextHandler(log, nil)), d)
		}()
		next := func() []string {
			return testwait.Receive(t, "the new tokens", d.took)
		}
		write("first-token\nsecond-token\n")
		if diff := cmp.Diff([]string{"fixed-token", "first-token", "second-token"}, next()); diff != "" {
			t.Error(diff)
		}
		write("\n") // a mistake: nothing changes, and the log reports it once
		testwait.Until(t, "the empty file is logged", func() bool { return strings.Contains(log.String(), "holds no token") })
		testwait.ExpectNothing(t, "an empty file changes the tokens", d.took)
		write("second-token\n")
		if diff := cmp.Diff([]string{"fixed-token", "second-token"}, next()); diff != "" {
			t.Error(diff)
		}
		stop()
		<-done
		if len(d.took) != 0 || strings.Count(log.String(), "holds no token") != 1 {
			t.Errorf("%d more changes; logged %s", len(d.took), log.String())
		}
		for _, token := range []string{"first-token", "second-token", "fixed-token"} {
			if strings.Contains(strings.ReplaceAll(log.String(), path, ""), token) {
				t.Errorf("a token is in the log: %s", log.String())
			}
		}
	})
}

func TestTokens_InvalidOnesReported(t *testing.T) {
	path := filepath.Join(t.TempDir(), "secrets")
	if err := os.WriteFile(path, []byte("a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log := new(notebook)
	d := &tokenServer{took: make(chan []string, 1000), fail: errors.New("refused")}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	go (&tokenFile{path: path, last: nil, every: time.Millisecond}).replaceTokensOnChange(ctx, slog.New(slog.NewTextHandler(log, nil)), d)
	testwait.Until(t, "the error is logged", func() bool { return strings.Contains(log.String(), "error=refused") })
}

func TestTokens_FileHasCommentsAndAByteOrderMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("\uFEFFfirst\r\n# tokens of the studio\n  # indented\n\nsecond#2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readTokensFromFile(path)
	if d := cmp.Diff([]string{"first", "second#2"}, got); d != "" || err != nil {
		t.Error(d, err)
	}
	if err := os.WriteFile(path, []byte("\uFEFF# none yet\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := readTokensFromFile(path); err == nil {
		t.Errorf("%q", got)
	}
}

func TestTokens_ShortOnesAreCounted(t *testing.T) {
	for want, tokens := range map[string][]string{
		"": {"0123456789abcdef", "éééééééééééééééé"},
		"1 authentication token shorter than 16 characters":  {"0123456789abcde", "0123456789abcdef"},
		"2 authentication tokens shorter than 16 characters": {"x", "ééééééééé"},
	} {
		if got := shortTokensText(tokens); got != want {
			t.Errorf("%q: %q", tokens, got)
		}
	}
}

func TestTokens_StrictServerKeepsLongOnes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	log := new(notebook)
	d := &tokenServer{took: make(chan []string, 10)}
	f := &tokenFile{path: path, last: []string{"0123456789abcdef"}, every: time.Millisecond, strict: true}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.replaceTokensOnChange(ctx, slog.New(slog.NewTextHandler(log, nil)), d)
	}()
	testwait.Until(t, "the short token is refused", func() bool { return strings.Contains(log.String(), "refuses 1 authentication token shorter") })
	cancel()
	<-done
	if len(d.took) > 0 {
		t.Errorf("%q were taken", <-d.took)
	}
}
