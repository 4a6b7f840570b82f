package main

import (
	"os"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

// findingsBudget is how many findings each place of a group may have. A page is a place, and
// so is the folder of a module.
type findingsBudget map[ProseTextKind]map[string]int

const budgetFileHeader = "# Findings of tools/prose that are still there. The numbers only fall: go run ./tools/prose -update\n"

func readBudget(path string) (findingsBudget, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	b := findingsBudget{}
	return b, yaml.Unmarshal(content, &b)
}

func writeBudget(path string, b findingsBudget) error {
	content, err := yaml.Marshal(b)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte(budgetFileHeader), content...), 0o644)
}

// budgetPlace is where a finding counts.
func (f Finding) budgetPlace() string {
	if f.Group == GroupPages {
		return f.File
	}
	dir := path.Dir(f.File)
	for _, long := range []string{"clients/go", "deploy/charttest", "integration/collector", "integration/grammars", "integration/postgresgrammar"} {
		if dir == long || strings.HasPrefix(dir, long+"/") {
			return long
		}
	}
	module, _, _ := strings.Cut(dir, "/")
	return module
}

func countFindingsByPlace(findings []Finding) findingsBudget {
	out := findingsBudget{}
	for _, f := range findings {
		if out[f.Group] == nil {
			out[f.Group] = map[string]int{}
		}
		out[f.Group][f.budgetPlace()]++
	}
	return out
}

// lowerToCounts returns the budget without the numbers that are no longer needed.
func (b findingsBudget) lowerToCounts(counts findingsBudget) findingsBudget {
	out := findingsBudget{}
	for g, places := range b {
		for place, allowed := range places {
			if n := min(allowed, counts[g][place]); n > 0 {
				if out[g] == nil {
					out[g] = map[string]int{}
				}
				out[g][place] = n
			}
		}
	}
	return out
}

func sumCounts(counts map[string]int) int {
	total := 0
	for _, n := range counts {
		total += n
	}
	return total
}
