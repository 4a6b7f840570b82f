package mutants_test

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// suite is the tests of a package that find some faults.
type suite struct {
	name, folder, tests string
	mutants             []mutant
	// seeds is the number of seeds of random questions by one of which a fault is found; 0 where the tests are not random.
	seeds uint64
	long  bool // only with SEMLAYER_TEST_LONG
}

func suites() []suite {
	out := []suite{
		{name: "ranking", folder: "engine/find", tests: ".", mutants: rankingMutants},
		{name: "rollups", folder: "engine", tests: "^TestRollup(Rule)?s_", mutants: rollupMutants, long: true},
		{name: "rollupbuilds", folder: "engine", tests: "^(TestDefinition_|TestFreshRows_AreReadFrom|TestRefresh_(ReplacesTheLast|TakesTheClock)|TestControlTable_)", mutants: rollupBuildMutants, long: true},
		{name: "localrollups", folder: "engine", tests: "^TestLocalRollups_", mutants: localRollupMutants, long: true},
		{name: "access", folder: "integration/access", tests: ".", mutants: accessMutants, long: true},
		{name: "readersessions", folder: "executor/postgres", tests: "^TestSession_(LastsFor|IsNever)", mutants: readerSessionMutants, long: true},
		{name: "sessionvalues", folder: "integration/access", tests: "^TestSession_", mutants: sessionBindingMutants, long: true},
		{name: "barrier", folder: "planner/internal/barrier", tests: ".", mutants: barrierMutants, long: true},
		{name: "policies", folder: "modelspec/access", tests: "^TestParse", mutants: policiesMutants, long: true},
		{name: "catalogue", folder: "pgwire/catalogue", tests: "^TestCatalogue_ReadersDoNotShareTables$", mutants: catalogueMutants, long: true},
		{name: "tokens", folder: "restapi/identity", tests: ".", mutants: tokenMutants, long: true},
		{name: "cacheuse", folder: "engine", tests: "^(TestResultCache|TestFreshness)", mutants: cacheUseMutants, long: true},
		{name: "cache", folder: "executor/resultcache", tests: ".", mutants: cacheMutants, long: true},
		{name: "mapping", folder: "integration/statements", tests: "^(TestStatements_|TestRows_)", mutants: mappingMutants, long: true},
		{name: "compare", folder: "integration", tests: "^TestCorpus_Rows$/^duckdb$/^compare$", mutants: compareMutants, long: true},
		{name: "views", folder: "integration", tests: "^TestCorpus_(Rows|Errors)$/^(duckdb|views)$/^(views|unknown_.*)$", mutants: viewMutants, long: true},
		{name: "levels", folder: "integration", tests: "^TestCorpus_Rows$/^duckdb$/^(at_level|compare)$", mutants: levelMutants, long: true},
		{name: "sequences", folder: "integration", tests: "^TestCorpus_Rows$/^duckdb$/^sequences$", mutants: sequenceMutants, long: true},
		{name: "sessions", folder: "pgwire", tests: "^TestSession_(Pipelined|Cancel)", mutants: sessionMutants, long: true},
	}
	for _, law := range slices.Sorted(maps.Keys(windowMutants)) {
		out = append(out, suite{
			name: "windows/" + law, folder: "integration/properties", tests: "^TestLaws_WindowsDependOnNothingButTheQuestion$/^" + law + "$",
			mutants: windowMutants[law], seeds: 20, long: true,
		})
	}
	return out
}

// mutantVariable names the fault that takes effect in a test binary with faults.
const mutantVariable = "SEMLAYER_MUTANT"

// Every fault makes a test fail, and without one the same binary passes.
func TestMutants_AreFound(all *testing.T) {
	if testing.Short() {
		all.Skip("test binaries with faults are built, and run once for each fault")
	}
	binaries := map[string]string{} // by folder
	for _, s := range suites() {
		all.Run(s.name, func(t *testing.T) {
			if s.long && os.Getenv("SEMLAYER_TEST_LONG") == "" {
				t.Skip("SEMLAYER_TEST_LONG=1 runs it, in `make proof`")
			}
			if binaries[s.folder] == "" {
				binaries[s.folder] = buildWithFaults(all, s.folder, mutantsOf(s.folder)) // for the suites that follow, too
			}
			if out, failed := s.run(t, binaries[s.folder], "none", 1); failed {
				t.Fatalf("the tests fail without a fault\n%.2000s", out)
			}
			for _, m := range s.mutants {
				t.Run(m.name, func(t *testing.T) {
					for seed := range max(1, s.seeds) {
						if out, failed := s.run(t, binaries[s.folder], m.name, 1+1000*seed); failed {
							if !strings.Contains(out, "--- FAIL") {
								t.Errorf("no test finds the fault, and the tests do not end\n%.2000s", out)
							}
							t.Logf("found by %s", failedTests.FindAllString(out, -1))
							return
						}
					}
					t.Error("no test finds the fault")
				})
			}
		})
	}
}

// failedTests finds the names of tests, without those of their parts.
var failedTests = regexp.MustCompile(`(?m)^--- FAIL: \w+`)

// run runs the tests with a fault.
func (s suite) run(t *testing.T, binary, name string, seed uint64) (out string, failed bool) {
	t.Helper()
	run := exec.CommandContext(t.Context(), binary, "-test.short", "-test.failfast", "-test.run", s.tests, "-test.timeout=15m")
	run.Dir = filepath.Join(repository(t), s.folder)
	run.Env = append(os.Environ(), mutantVariable+"="+name)
	if s.seeds > 0 {
		run.Env = append(run.Env, "SEMLAYER_PROPERTY_QUERIES=500", "SEMLAYER_PROPERTY_SEED="+strconv.FormatUint(seed, 10))
	}
	text, err := run.CombinedOutput()
	return string(text), err != nil
}

// The place of every fault is in the source once.
func TestMutants_HaveOnePlaceEach(t *testing.T) {
	for _, s := range suites() {
		for _, m := range s.mutants {
			if n := strings.Count(readFile(t, filepath.Join(repository(t), m.file)), m.old); n != 1 {
				t.Errorf("%s has the place of %q %d times", m.file, m.name, n)
			}
		}
	}
}

// mutantsOf lists the faults that the tests of a folder find.
func mutantsOf(folder string) []mutant {
	var out []mutant
	for _, s := range suites() {
		if s.folder == folder {
			out = append(out, s.mutants...)
		}
	}
	return out
}

func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// buildWithFaults builds the tests of a package with all faults in their places.
func buildWithFaults(t *testing.T, folder string, mutants []mutant) (binary string) {
	t.Helper()
	root, scratch := repository(t), t.TempDir()
	changed := map[string]string{} // by the path of the source
	for _, m := range mutants {
		path := filepath.Join(root, m.file)
		if changed[path] == "" {
			changed[path] = readFile(t, path)
		}
		if n := strings.Count(changed[path], m.old); n != 1 {
			t.Fatalf("%s has the place of %q %d times", m.file, m.name, n)
		}
		changed[path] = strings.Replace(changed[path], m.old, strings.ReplaceAll(m.fault, "NAME", `"`+m.name+`"`), 1)
		changed[filepath.Join(filepath.Dir(path), "is_mutant.go")] = switchOf(readFile(t, path))
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
