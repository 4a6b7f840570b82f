package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/semlayer/semlayer/tools/workspace"
)

var errOver = errors.New("write these sentences in the plain form (CONTRIBUTING.md, Language)")

func main() {
	update := flag.Bool("update", false, "lower the numbers of tools/prose/budget.yaml to what is found")
	all := flag.Bool("all", false, "print the findings within the budget, too")
	flag.Parse()
	root, err := workspace.FindRoot(".")
	if err == nil {
		err = run(os.Stdout, root, *update, *all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

func run(report io.Writer, root string, update, all bool) error {
	findings, err := check(root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, "tools", "prose", "budget.yaml")
	b, err := readBudget(path)
	if err != nil {
		return err
	}
	counts := count(findings)
	over := false
	for _, f := range findings {
		beyond := counts[f.Group][f.place()] > b[f.Group][f.place()]
		over = over || beyond
		if beyond || all {
			fmt.Fprintf(report, "%s:%d: %s %q: %s; write %s\n", f.File, f.Line, f.Pattern.ID, f.Matched, f.Pattern.Why, f.Pattern.Write)
		}
	}
	for _, g := range groups() {
		fmt.Fprintf(report, "prose: %d findings in %s, %d allowed\n", sum(counts[g]), g, sum(b[g]))
	}
	if over {
		return errOver
	}
	if update {
		return writeBudget(path, b.lowered(counts))
	}
	return nil
}

// check returns the findings of a repository, in the order of its files.
func check(root string) ([]Finding, error) {
	texts, err := scan(root)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, t := range texts {
		out = append(out, find(t)...)
	}
	return out, nil
}
