// Package program builds the program and keeps what its processes print, for tests of whole processes.
package program

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
)

// maxOutputBytes is how much of what a process prints is kept.
const maxOutputBytes = 1 << 20

// Build builds the program into a folder, and returns its path.
func Build(folder string) (string, error) {
	path := filepath.Join(folder, "semlayer")
	if out, err := exec.CommandContext(context.Background(), "go", "build", "-o", path, "github.com/semlayer/semlayer/cmd/semlayer").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
}

// Output is what a process prints, its beginning at least. It is safe for concurrent use.
type Output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write keeps the text.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.text.Len() < maxOutputBytes {
		o.text.Write(p)
	}
	return len(p), nil
}

// String returns the text.
func (o *Output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

var httpAddress = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// Base returns the URL of a server on the loopback address, as it prints it; "" before that.
func (o *Output) Base() string { return httpAddress.FindString(o.String()) }
