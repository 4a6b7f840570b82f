package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/modeltest"
)

const testFilePattern = "*.test.yaml"

// testCommandFlags are the flags of the command test.
type testCommandFlags struct {
	only, timeout, connection, dsn string
	failFast                       bool
}

func (a *app) testCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test [FILE...] --model FILE",
		Short: "Run the tests of a model",
		Long: "test runs queries and compares their rows with the expected ones. Without a FILE it reads " + testFilePattern + " beside the model.\n" +
			"With --policies, a test with the key as asks as that reader, and all others as the author of the model.\n" +
			"It only reads. The exit code is 0 if all tests passed or were skipped, 1 if one failed, and 2 if no test was found.",
	}
	var f testCommandFlags
	addModelFlags(cmd)
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	addConnectionsFlag(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.connection, "connection", "", "connection profile that tests without a connection run on")
	flags.StringVar(&f.dsn, "dsn", "", "database that tests run on, such as postgres://user:password@host/database or sqlite:PATH")
	flags.String(policiesFlag, "", "policies file, for tests that ask as a reader")
	flags.StringVar(&f.only, "run", "", "run only tests whose name matches this regular expression")
	flags.StringVar(&f.timeout, "timeout", "60s", "time limit of each test")
	flags.BoolVar(&f.failFast, "fail-fast", false, "stop after the first failure")
	a.addFormatFlag(cmd, formatTable, formatJSON, formatJUnit, formatTAP, formatGitHub)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return a.runModelTests(cmd, f, args) }
	return cmd
}

func (a *app) runModelTests(cmd *cobra.Command, f testCommandFlags, paths []string) error {
	o, err := f.readTestOptions()
	if err != nil {
		return err
	}
	s, err := newSettingsReader(cmd)
	if err != nil {
		return err
	}
	c, err := a.readEngineConfig(s, a.newCommandLogger())
	if err != nil {
		return err
	}
	if f.dsn != "" {
		if f.connection != "" || cmd.Flags().Changed("db") || cmd.Flags().Changed(dataFlag) {
			return newUsageError("--dsn excludes --connection, --db and --data")
		}
		c.DSN, o.Connection, c.DBPath, c.Data = f.dsn, engine.DSNConnectionName, "", nil
		c.ConnectionsPath, c.DiscoverConnections = "", false
	}
	files, err := readTestFiles(c.ModelPath, paths)
	if err != nil {
		return err
	}
	if c.PoliciesPath = s.readPoliciesPath(); c.PoliciesPath == "" {
		if err := checkTestsWithoutReader(files); err != nil {
			return err
		}
	}
	e, err := engine.Open(cmd.Context(), c)
	if err != nil {
		return err
	}
	defer func() { _ = e.Close() }()
	if f.dsn == "" && o.Connection == "" {
		o.Connection = a.defaultConnectionName(s, e)
	}
	results := modeltest.RunTests(cmd.Context(), e, files, o)
	if err := cmd.Context().Err(); err != nil {
		return err
	}
	if !slices.ContainsFunc(results, func(r modeltest.Result) bool { return r.File != "" }) {
		return newUsageError("no test was found that --run matches")
	}
	return a.printTestResults(cmd.Context(), results)
}

// checkTestsWithoutReader rejects tests that ask as a reader: without policies every reader would see the whole model.
func checkTestsWithoutReader(files []*modeltest.TestFile) error {
	for _, f := range files {
		for _, t := range f.Tests {
			if t.As != nil {
				return newUsageError(fmt.Sprintf("%s:%d: the test %q has the key as, which needs --policies: the file with the rights of readers", f.Path, t.Line, t.Name))
			}
		}
	}
	return nil
}

func (f testCommandFlags) readTestOptions() (modeltest.Options, error) {
	o := modeltest.Options{Connection: f.connection, FailFast: f.failFast}
	var err error
	if o.Timeout, err = time.ParseDuration(f.timeout); err != nil || o.Timeout <= 0 {
		return o, newUsageError(fmt.Sprintf("--timeout must be a duration such as 30s or 2m, not %q", f.timeout))
	}
	if f.only == "" {
		return o, nil
	}
	if o.Only, err = regexp.Compile(f.only); err != nil {
		return o, newUsageError("--run: " + err.Error())
	}
	return o, nil
}

// readTestFiles reads the files of the command line, else those beside the model.
func readTestFiles(model string, paths []string) ([]*modeltest.TestFile, error) {
	if len(paths) == 0 {
		entries, err := os.ReadDir(filepath.Dir(model))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if ok, _ := filepath.Match(testFilePattern, entry.Name()); ok && !entry.IsDir() {
				paths = append(paths, filepath.Join(filepath.Dir(model), entry.Name()))
			}
		}
	}
	var files []*modeltest.TestFile
	tests := 0
	for _, path := range paths {
		f, err := readTestFile(path)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		tests += len(f.Tests)
	}
	if tests == 0 {
		return nil, newUsageError("no test was found: name a file, or write " + testFilePattern + " beside the model")
	}
	return files, nil
}

func readTestFile(path string) (*modeltest.TestFile, error) {
	text, err := readFileBounded(path, modeltest.MaxTestFileBytes)
	if err != nil {
		return nil, err
	}
	return modeltest.ParseTestFile(path, text)
}

// printTestResults prints the results; a failed test makes the command fail.
func (a *app) printTestResults(_ context.Context, results []modeltest.Result) error {
	var err error
	switch a.effectiveOutputFormat() {
	case formatJSON:
		err = a.printJSON(results)
	case formatJUnit:
		err = a.printJUnit(results)
	case formatTAP:
		err = a.printText(testResultsTAP(results))
	case formatGitHub:
		err = a.printText(testFailureWorkflowCommands(results) + testSummary(results))
	default:
		err = a.printText(testResultsText(results))
	}
	if err == nil && slices.ContainsFunc(results, func(r modeltest.Result) bool { return r.Status == modeltest.StatusFailed }) {
		return errFailureAlreadyPrinted
	}
	return err
}
