package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/modelspec/importer"
)

// maxShownImportLosses is the number of losses in the summary of an import.
const maxShownImportLosses = 20

// importFlags are the flags of import.
type importFlags struct {
	output, report, sourcePrefix, dialect string
	allowLoss                             bool
}

func (a *app) importCommand() *cobra.Command {
	formats := engine.ImportFormats()
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FORMAT FILE...",
		Short: "Make a model from the files of another tool",
		Long: "import makes a model from the files of another tool: " + strings.Join(formats, ", ") + ".\n\n" +
			"Each construct of the input is imported exactly, approximated (some queries have another result), or dropped.\n" +
			"Formats, links and other constructs that only show values are listed as presentation in the report.\n" +
			"A summary goes to standard error. The exit code is 3 if a construct was approximated or dropped; import writes\n" +
			"the model in this case too. The whole written model compiles.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 && !slices.Contains(formats, args[0]) {
				return newUsageError(fmt.Sprintf("%q is not a format of models: %s", args[0], strings.Join(formats, ", ")))
			}
			if len(args) < 2 {
				return newUsageError("import needs a format and files: semlayer import " + formats[0] + " FILE -o model.yaml")
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return formats, cobra.ShellCompDirectiveNoFileComp
			}
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.importModel(cmd, f, args[0], args[1:]) },
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "file of the model, instead of standard output")
	flags.StringVar(&f.report, "report", "", "file for the report: a JSON array with an entry for each construct")
	flags.BoolVar(&f.allowLoss, "allow-loss", false, "exit with 0 even if a construct was approximated or dropped")
	flags.StringVar(&f.sourcePrefix, "source-prefix", "", "database and schema of tables that the input names without one: analytics.marts")
	flags.StringVar(&f.dialect, "dialect", "", "dialect of the SQL in the input: what is not portable becomes an entry of it")
	return cmd
}

func (a *app) importModel(cmd *cobra.Command, f importFlags, format string, paths []string) error {
	a.format = formatTable
	if ending := strings.ToLower(filepath.Ext(f.output)); ending != "" && ending != ".yaml" && ending != ".yml" {
		return newUsageError("-o " + f.output + ": a model is written as YAML, whose endings are .yaml and .yml")
	}
	if _, err := engine.ImportDialect(format, f.dialect); err != nil {
		return newUsageError("--dialect: " + err.Error())
	}
	if err := f.rejectOverwritingInputs(paths); err != nil {
		return err
	}
	sources, err := readImportSources(paths)
	if err != nil {
		return err
	}
	result, err := engine.Import(cmd.Context(), format, sources, importer.Options{ModelName: modelNameOfPath(f.output), SourcePrefix: f.sourcePrefix, Dialect: f.dialect})
	if err != nil {
		return err
	}
	write := func(path string, text []byte) error {
		return a.runWithOutputFile(path, func() error {
			_, err := a.std.Out.Write(text)
			return err
		})
	}
	if f.output == "" {
		if _, err := a.std.Out.Write(result.Model); err != nil {
			return err
		}
	} else if err := write(f.output, result.Model); err != nil {
		return err
	}
	if result.Tests != nil && f.output != "" {
		if err := write(testFilePathOf(f.output), result.Tests); err != nil {
			return err
		}
	}
	if f.report != "" {
		text, err := json.MarshalIndent(result.Entries, "", "  ")
		if err != nil {
			return err
		}
		if err := write(f.report, append(text, '\n')); err != nil {
			return err
		}
	}
	if err := writeImportSummary(a.std.Err, result, f); err != nil {
		return err
	}
	if result.HasLosses() && !f.allowLoss {
		return errLossyImport
	}
	return nil
}

// rejectOverwritingInputs rejects an output that would overwrite an input.
func (f importFlags) rejectOverwritingInputs(paths []string) error {
	written := []string{f.output, f.report}
	if f.output != "" {
		written = append(written, testFilePathOf(f.output))
	}
	for _, out := range written {
		info, err := os.Stat(out)
		if err != nil || !info.Mode().IsRegular() {
			continue // nothing is there to be written over
		}
		for _, path := range paths {
			if in, err := os.Stat(path); err == nil && os.SameFile(in, info) {
				return newUsageError(out + " is an input file, and the import would write over it")
			}
		}
	}
	return nil
}

// readFileBounded reads a file of at most limit bytes. A device has no size, and may have no end.
func readFileBounded(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // which was only read
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s has more bytes than the limit of %d", path, limit)
	}
	return text, err
}

// readImportSources reads the files that a command line names.
func readImportSources(paths []string) ([]importer.SourceFile, error) {
	sources := make([]importer.SourceFile, 0, len(paths))
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder: name its files, such as %s", path, filepath.Join(path, "*.yml"))
		}
		if info.Size() > importer.MaxFileBytes {
			return nil, fmt.Errorf("%s has %d bytes, more than the limit of %d", path, info.Size(), importer.MaxFileBytes)
		}
		text, err := readFileBounded(path, importer.MaxFileBytes)
		if err != nil {
			return nil, err
		}
		sources = append(sources, importer.SourceFile{Name: path, Text: text})
	}
	return sources, nil
}

// testFilePathOf returns the file of the tests of a model: model.test.yaml beside model.yaml.
func testFilePathOf(model string) string {
	return strings.TrimSuffix(model, filepath.Ext(model)) + ".test.yaml"
}

// modelNameOfPath returns the name of the model in a file: the file's name without the extension.
func modelNameOfPath(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if path == "" || name == "" {
		return "imported"
	}
	return name
}

// writeImportSummary prints how many constructs were imported and the losses. Constructs that only show values are in the report alone.
func writeImportSummary(w io.Writer, result *importer.Result, f importFlags) error {
	var out strings.Builder
	writeDroppedAccessRules(&out, result.Entries)
	counts := map[importer.Outcome]int{}
	ordered := slices.Clone(result.Entries)
	slices.SortStableFunc(ordered, compareAccessRulesFirst)
	for _, e := range ordered {
		counts[e.Outcome]++
		if !e.Outcome.IsLoss() {
			continue
		}
		if n := counts[importer.OutcomeApproximated] + counts[importer.OutcomeDropped]; n <= maxShownImportLosses {
			fmt.Fprintf(&out, "%s:%d: %s %s: %s\n", e.File, e.Line, e.Outcome, strings.TrimSpace(e.Construct+" "+e.Name), e.Reason)
		}
	}
	losses := counts[importer.OutcomeApproximated] + counts[importer.OutcomeDropped]
	if losses > maxShownImportLosses {
		fmt.Fprintf(&out, "and %d more; --report FILE lists all. The most frequent reasons:\n", losses-maxShownImportLosses)
		writeLossReasons(&out, result.Entries)
	}
	fmt.Fprintf(&out, "%d constructs: %d exact, %d approximated, %d dropped\n", counts[importer.OutcomeExact]+losses,
		counts[importer.OutcomeExact], counts[importer.OutcomeApproximated], counts[importer.OutcomeDropped])
	if f.output != "" {
		fmt.Fprintf(&out, "Wrote %s. Next:\n\n  semlayer validate %s\n", f.output, f.output)
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// compareAccessRulesFirst orders rules about who may see rows before all else.
func compareAccessRulesFirst(a, b *importer.ReportEntry) int {
	switch {
	case a.IsAccessRule == b.IsAccessRule:
		return 0
	case a.IsAccessRule:
		return -1
	}
	return 1
}

// writeDroppedAccessRules prints how many rules about who may see rows the model lacks.
func writeDroppedAccessRules(out *strings.Builder, entries []*importer.ReportEntry) {
	counts := map[string]int{}
	for _, e := range entries {
		if e.IsAccessRule {
			counts[e.Construct]++
		}
	}
	for _, construct := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(out, "dropped %s: %d, everybody sees these rows\n", strings.ReplaceAll(construct, "_", " "), counts[construct])
	}
}

// maxShownLossReasons bounds the reasons of a summary.
const maxShownLossReasons = 10

// writeLossReasons prints how many constructs of a kind were lost for a reason, the most frequent first.
func writeLossReasons(out *strings.Builder, entries []*importer.ReportEntry) {
	counts := map[string]int{}
	for _, e := range entries {
		if e.Outcome.IsLoss() {
			counts[fmt.Sprintf("%s %s: %s", e.Outcome, e.Construct, e.Reason)]++
		}
	}
	reasons := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for _, reason := range reasons[:min(len(reasons), maxShownLossReasons)] {
		fmt.Fprintf(out, "  %d × %s\n", counts[reason], reason)
	}
}

// errLossyImport ends an import that has written a model without a part of the input.
var errLossyImport = errors.New("a part of the input was lost")
