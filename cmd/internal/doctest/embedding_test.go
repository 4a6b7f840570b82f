package doctest

import (
	"os"
	"strings"
	"testing"
)

// The Go of the page is part of the examples of two modules, which run with their output.
func TestEmbeddingPage_GoCodeRuns(t *testing.T) {
	page, err := os.ReadFile(root + "/docs/embedding.md")
	if err != nil {
		t.Fatal(err)
	}
	var examples []byte
	for _, module := range []string{"engine", "restapi"} {
		text, err := os.ReadFile(root + "/" + module + "/example_test.go")
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, text...)
	}
	parts := strings.Split(string(page), "```go\n")
	if len(parts) < 4 {
		t.Fatalf("%d blocks of Go", len(parts)-1)
	}
	for _, part := range parts[1:] {
		block, _, _ := strings.Cut(part, "```")
		if !strings.Contains(string(examples), block) {
			t.Errorf("no example holds\n%s", block)
		}
	}
}
