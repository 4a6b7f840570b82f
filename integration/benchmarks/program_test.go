package benchmarks

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// program is a process of semlayer that serves a model and watches its file.
type program struct {
	address string
	model   string // the path of the file that startWatching watches
	stop    func()
	loads   chan struct{} // one value for each model that it loaded after the first; closed when it ended
}

var listening = regexp.MustCompile(`http://(127\.0\.0\.1:\d+)`)

// buildProgram builds the program and returns its path.
func buildProgram(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "semlayer")
	if out, err := exec.Command("go", "build", "-o", path, "github.com/semlayer/semlayer/cmd/semlayer").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// startWatching starts a server that watches the file of a model.
func startWatching(b *testing.B, model string) *program {
	b.Helper()
	path := filepath.Join(b.TempDir(), "model.yaml")
	if err := os.WriteFile(path, []byte(model), 0o600); err != nil {
		b.Fatal(err)
	}
	p := startProgram(b, buildProgram(b), "--watch", "--model", path)
	p.model = path
	b.Cleanup(p.stop)
	return p
}

// startProgram starts a server, and returns when it listens.
func startProgram(b *testing.B, path string, flags ...string) *program {
	b.Helper()
	cmd := exec.Command(path, append([]string{"serve", "--bind", "127.0.0.1:0"}, flags...)...)
	log, err := cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	cmd.Stdout = io.Discard
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	p := &program{loads: make(chan struct{}, 1), stop: func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}}
	addresses := make(chan string, 1)
	go p.readLog(log, addresses)
	address, ok := <-addresses
	if !ok {
		p.stop()
		b.Fatal("the server did not start")
	}
	p.address = address
	return p
}

// readLog reads the log to its end. It sends the address and a value for each load.
func (p *program) readLog(log io.Reader, addresses chan<- string) {
	defer close(p.loads)
	defer close(addresses)
	for lines := bufio.NewScanner(log); lines.Scan(); {
		line := lines.Text()
		if found := listening.FindStringSubmatch(line); found != nil {
			addresses <- found[1]
		}
		if strings.Contains(line, "model loaded") {
			p.loads <- struct{}{}
		}
	}
}

// replaceModel replaces the file of the model, and returns when the server has loaded it.
func (p *program) replaceModel(text []byte) error {
	next := p.model + ".next"
	if err := os.WriteFile(next, text, 0o600); err != nil {
		return err
	}
	if err := os.Rename(next, p.model); err != nil {
		return err
	}
	if _, ok := <-p.loads; !ok {
		return errors.New("the server ended")
	}
	return nil
}
