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

var errOverBudget = errors.New("write these sentences in the plain form (CONTRIBUTING.md, Language)")

func main() {
	update := flag.Bool("update", false, "lower the numbers of tools/prose/budget.yaml to what is found")
	all := flag.Bool("all", false, "print the findings within the budget, too")
	flag.Parse()
	root, err := workspace.FindRoot(".")
	if err == nil {
		err = reportFindingsOverBudget(os.Stdout, root, *update, *all)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "prose:", err)
		os.Exit(1)
	}
}

func reportFindingsOverBudget(report io.Writer, root string, update, all bool) error {
	findings, err := findingsOfRepository(root)
	if err != nil {
		return err
	}
	path := filepath.Join(root, "tools", "prose", "budget.yaml")
	b, err := readBudget(path)
	if err != nil {
		return err
	}
	counts := countFindingsByPlace(findings)
	over := false
	for _, f := range findings {
		beyond := counts[f.Group][f.budgetPlace()] > b[f.Group][f.budgetPlace()]
		over = over || beyond
		if beyond || all {
			fmt.Fprintf(report, "%s:%d: %s %q: %s; write %s\n", f.File, f.Line, f.Pattern.ID, f.Matched, f.Pattern.Why, f.Pattern.Write)
		}
	}
	for _, g := range allGroups() {
		fmt.Fprintf(report, "prose: %d findings in %s, %d allowed\n", sumCounts(counts[g]), g, sumCounts(b[g]))
	}
	if over {
		return errOverBudget
	}
	if update {
		return writeBudget(path, b.lowerToCounts(counts))
	}
	return nil
}

// findingsOfRepository returns the findings of a repository, in the order of its files.
func findingsOfRepository(root string) ([]Finding, error) {
	texts, err := proseOfRepository(root)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, t := range texts {
		out = append(out, findPatternMatches(t)...)
	}
	return out, nil
}
