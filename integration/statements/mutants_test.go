package statements

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mutant is a fault of the mapping of statements: a change of one place of the source, which takes effect where isMutant
// returns true for its name.
type mutant struct{ name, file, old, fault string }

// mappingMutants are found by the tests of this package.
var mappingMutants = []mutant{
	{"INNER JOIN without its filter", "semsql/internal/resolve/resolve_joins.go", "if e.inner {", "if e.inner && !isMutant(NAME) {"},
	{"DISTINCT of groups dropped", "semsql/internal/selection/map_select.go", "Distinct: q.appliesDistinctToResultRows()", "Distinct: q.appliesDistinctToResultRows() && !isMutant(NAME)"},
	{"DISTINCT of results dropped", "semsql/internal/selection/outer_select.go", "Distinct: syntax.Distinct", "Distinct: syntax.Distinct && !isMutant(NAME)"},
	{"rows clamped", "semsql/internal/selection/rows_query.go", "Unlimited: true", "Unlimited: !isMutant(NAME)"},
	{"NULLS FIRST ignored", "semsql/internal/selection/select_clauses.go", "nullsFirst: o.Nulls == parse.NullsFirst}", "nullsFirst: o.Nulls == parse.NullsFirst && !isMutant(NAME)}"},
	{"nulls first in descending order", "semsql/internal/selection/map_select.go", "NullsFirst: key.nullsFirst}", "NullsFirst: key.nullsFirst || key.desc && isMutant(NAME)}"},
	{"alias before column in GROUP BY", "semsql/internal/selection/select_clauses.go", "&& !c.HasColumn(column) {", "&& (isMutant(NAME) || !c.HasColumn(column)) {"},
	{"<= as < in a range", "semsql/internal/selection/extract_time_range.go", "	case op == sqlexpr.OpLe:\n", "	case op == sqlexpr.OpLe && isMutant(NAME):\n		return timeLimits{field: ref, end: &at}, true\n	case op == sqlexpr.OpLe:\n"},
	{"SUM over an average", "semsql/internal/resolve/aggregate_over_metric.go", `return function == "avg" && !distinct`, `return (function == "avg" || function == "sum" && isMutant(NAME)) && !distinct`},
	{"LIMIT of a derived table dropped", "semsql/internal/resolve/inlinable_query_and_aggregate_predicates.go", "q.Limit != nil ||", "q.Limit != nil && !isMutant(NAME) ||"},
	{"NOT IN without three truth values", "planner/internal/members/in_condition_semi_join.go", "	return &plan.SemiJoin{", "	if not && isMutant(NAME) {\n		rows = &plan.Filter{Input: rows, Conds: []sqlexpr.Expr{&sqlexpr.IsNull{X: &sqlexpr.Ref{ID: 0}, Not: true}}, Why: why}\n	}\n	return &plan.SemiJoin{"},
	{"measure of HAVING shown", "semsql/internal/selection/map_select.go", "	result.Where = q.conjunctionOverQueryColumns(", `	for i := range q.measures {
		shown := slices.ContainsFunc(q.items, func(e sqlexpr.Expr) bool { ref, ok := e.(*sqlexpr.Ref); return ok && ref.ID == len(q.groups)+i })
		if !shown && isMutant(NAME) {
			result.Items = append(result.Items, compose.SelectItem{Name: q.names[len(q.groups)+i], Expr: &sqlexpr.Ref{ID: at[len(q.groups)+i]}})
		}
	}
	result.Where = q.conjunctionOverQueryColumns(`},
	{"parameter pasted as text", "semsql/internal/resolve/parameter_literal.go", "	default:\n		if strings.ContainsRune(v.Text, 0)", "	default:\n		if pasted, err := parse.ParseExpr(v.Text, parse.DefaultLimits()); err == nil && isMutant(NAME) {\n			return s.LowerExpr(pasted)\n		}\n		if strings.ContainsRune(v.Text, 0)"},
}

// sessionMutants are found by the tests of the port.
var sessionMutants = []mutant{
	{"portal closed by Sync in a transaction", "pgwire/session.go", "		s.skipping = false\n", "		s.skipping = false\n		if isMutant(NAME) {\n			s.closePortalsOpenedAfter(0)\n		}\n"},
	{"slot lost on cancel", "engine/result_stream.go", "			release()\n", "			if !isMutant(NAME) {\n				release()\n			}\n"},
}

// mutantVariable names the fault that takes effect in a test binary with faults.
const mutantVariable = "SEMLAYER_SQL_MUTANT"

// Every fault makes a test fail, and without one the same binary passes.
func TestMutants_AreFound(t *testing.T) {
	if !isLongForm() || os.Getenv(mutantVariable) != "" {
		t.Skip("two test binaries with faults are built and run once for each fault, in `make proof`")
	}
	for _, suite := range []struct {
		name, folder, tests string
		mutants             []mutant
	}{
		{"mapping", "integration/statements", "^(TestStatements_|TestRows_)", mappingMutants},
		{"sessions", "pgwire", "^TestSession_(Pipelined|Cancel)", sessionMutants},
	} {
		t.Run(suite.name, func(t *testing.T) {
			binary := buildWithFaults(t, suite.folder, suite.mutants)
			run := func(name string) (string, error) {
				run := exec.CommandContext(t.Context(), binary, "-test.run", suite.tests, "-test.timeout=5m")
				run.Dir = filepath.Join(repository(t), suite.folder)
				run.Env = append(os.Environ(), mutantVariable+"="+name)
				out, err := run.CombinedOutput()
				return string(out), err
			}
			if out, err := run("none"); err != nil {
				t.Fatalf("the tests fail without a fault: %v\n%.2000s", err, out)
			}
			for _, m := range suite.mutants {
				t.Run(m.name, func(t *testing.T) {
					if out, err := run(m.name); err == nil || !strings.Contains(out, "--- FAIL") {
						t.Errorf("no test finds the fault: %v\n%.2000s", err, out)
					}
				})
			}
		})
	}
}

// The place of every fault is in the source once.
func TestMutants_HaveOnePlaceEach(t *testing.T) {
	for _, m := range slices.Concat(mappingMutants, sessionMutants) {
		if n := strings.Count(string(readFile(t, filepath.Join(repository(t), m.file))), m.old); n != 1 {
			t.Errorf("%s has the place of %q %d times", m.file, m.name, n)
		}
	}
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// buildWithFaults builds the tests of a package with all faults in their places.
func buildWithFaults(t *testing.T, folder string, mutants []mutant) (binary string) {
	t.Helper()
	root, scratch := repository(t), t.TempDir()
	changed := map[string]string{} // by the path of the source
	for _, m := range mutants {
		path := filepath.Join(root, m.file)
		if changed[path] == "" {
			changed[path] = string(readFile(t, path))
		}
		if n := strings.Count(changed[path], m.old); n != 1 {
			t.Fatalf("%s has the place of %q %d times", m.file, m.name, n)
		}
		changed[path] = strings.Replace(changed[path], m.old, strings.ReplaceAll(m.fault, "NAME", `"`+m.name+`"`), 1)
		changed[filepath.Join(filepath.Dir(path), "is_mutant.go")] = switchOf(string(readFile(t, path)))
	}
	overlay := map[string]string{}
	for path, text := range changed {
		file := filepath.Join(scratch, strings.NewReplacer("/", "_", `\`, "_", ":", "_").Replace(path))
		overlay[path] = file
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": overlay})
	if err != nil {
		t.Fatal(err)
	}
	overlayFile := filepath.Join(scratch, "overlay.json")
	if err := os.WriteFile(overlayFile, list, 0o600); err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(scratch, "faults.test")
	build := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", overlayFile, "-o", binary, ".")
	build.Dir = filepath.Join(root, folder)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// switchOf returns a file with the function isMutant, of the package that a file is in.
func switchOf(file string) string {
	_, clause, _ := strings.Cut("\n"+file, "\npackage ")
	name, _, _ := strings.Cut(clause, "\n")
	return "package " + name + "\n\nimport \"os\"\n\nfunc isMutant(name string) bool { return os.Getenv(\"" + mutantVariable + "\") == name }\n"
}
