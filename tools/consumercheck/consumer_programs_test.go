package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/semlayer/semlayer/tools/workspace"
)

// The Example that go test runs is the program that consumers build, and stays short.
func TestPrograms_TheExampleOfTheCompilerIsShort(t *testing.T) {
	root, err := workspace.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	list, err := consumerPrograms(root)
	if err != nil {
		t.Fatal(err)
	}
	p := list[0]
	if n := strings.Count(p.source, "\n"); n >= 30 || p.cgo || !strings.Contains(p.source, "func main() {") || !strings.HasPrefix(p.want, "SELECT ") {
		t.Errorf("%d lines that print %q:\n%s", n, p.want, p.source)
	}
	var names []string
	for _, p := range list {
		names = append(names, p.name)
	}
	if want := []string{"compile", "postgres", "duckdb", "handler", "client"}; !slices.Equal(names, want) {
		t.Errorf("programs %v, want %v", names, want)
	}
}

func TestPrograms_AnExampleThatIsNoProgramIsAnError(t *testing.T) {
	const example = "package sqlemit_test\n\nfunc Example() {\n\tprintln()\n\t// Output: SELECT 1\n}\n"
	if source, want, err := programFromExample(example); err != nil || want != "SELECT 1" || source != "package main\n\nfunc main() {\n\tprintln()\n}\n" {
		t.Errorf("%q, %q, %v", source, want, err)
	}
	for name, text := range map[string]string{
		"two functions": example + "func Example() {\n}\n",
		"no output":     strings.Replace(example, "Output", "output", 1),
		"too long":      strings.Replace(example, "\tprintln()\n", strings.Repeat("\tprintln()\n", 30), 1),
	} {
		if _, _, err := programFromExample(text); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestPrograms_WhatAProgramMustNotLinkIsFound(t *testing.T) {
	root, err := workspace.FindRoot(".")
	if err != nil {
		t.Fatal(err)
	}
	w, err := workspace.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	packages := []string{
		"fmt", "net/http", "example.com/consumer", "github.com/semlayer/semlayer/planner/query", "go.yaml.in/yaml/v3",
		"github.com/jackc/pgx/v5", "github.com/duckdb/duckdb-go-bindings",
	}
	for _, tt := range []struct {
		name string
		p    consumerProgram
		want []string
	}{
		{"plain Go", consumerProgram{}, packages[6:]},
		{"with cgo", consumerProgram{cgo: true}, nil},
		{"yaml alone", consumerProgram{thirdParty: []string{"go.yaml.in/yaml/v3"}}, packages[5:]},
		{"nothing", consumerProgram{thirdParty: []string{}}, packages[4:]},
	} {
		if got := tt.p.forbiddenLinkedPackages(w, packages); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
