package cli

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/engine/describe"
)

// registerCompletions makes the shell propose what the model of the command line has.
// A model that does not open proposes nothing.
func (a *app) registerCompletions(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		a.registerCompletions(c)
	}
	for flag, names := range map[string]func(*cobra.Command, *engine.Engine) []string{
		"metrics": metricCompletions, "metric": metricCompletions,
		"group-by": groupByCompletions, "dimensions": groupByCompletions,
		"fields": fieldCompletions, "from": datasetCompletions,
		"order": orderByCompletions, "time-dimension": timeDimensionCompletions,
		"connection": connectionCompletions, "dialect": dialectCompletions, "saved": savedQueryCompletions,
		"top": topGroupColumnCompletions, "share": shareCompletions,
	} {
		f := cmd.Flags().Lookup(flag)
		if f == nil {
			continue
		}
		several := f.Value.Type() == "stringSlice"
		_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return a.completeLastListItem(cmd, typed, several, names)
		})
	}
	for flag, words := range fixedCompletionsByFlag {
		if cmd.Flags().Lookup(flag) != nil {
			_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	if f := cmd.Flags().Lookup(formatFlagName); f != nil {
		_ = cmd.RegisterFlagCompletionFunc(formatFlagName, cobra.FixedCompletions(allowedOutputFormats(f), cobra.ShellCompDirectiveNoFileComp))
	}
}

// fixedCompletionsByFlag are the proposals for flags that need no model.
var fixedCompletionsByFlag = map[string][]string{
	"week-start": {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"},
	"compare":    {"1 day", "1 week", "1 month", "1 quarter", "1 year"},
	"last":       {"1 day", "7 day", "1 week", "1 month", "3 month", "1 quarter", "1 year"},
}

// completeLastListItem lists what begins as the last name of the list that is being typed.
func (a *app) completeLastListItem(cmd *cobra.Command, typed string, several bool, names func(*cobra.Command, *engine.Engine) []string) ([]string, cobra.ShellCompDirective) {
	directive := cobra.ShellCompDirectiveNoFileComp
	before := ""
	if several {
		directive |= cobra.ShellCompDirectiveNoSpace // a comma may follow
		if i := strings.LastIndexByte(typed, ','); i >= 0 {
			before, typed = typed[:i+1], typed[i+1:]
		}
		name := strings.TrimLeft(typed, " ")
		before, typed = before+typed[:len(typed)-len(name)], name
	}
	e := a.openEngineForCompletion(cmd)
	if e == nil {
		return nil, directive
	}
	defer func() { _ = e.Close() }()
	var out []string
	for _, n := range names(cmd, e) {
		if strings.HasPrefix(n, typed) {
			out = append(out, before+n)
		}
	}
	return out, directive
}

// openEngineForCompletion opens the model that the command line names, nil when that fails.
func (a *app) openEngineForCompletion(cmd *cobra.Command) *engine.Engine {
	s, err := newSettingsReader(cmd)
	if err != nil {
		return nil
	}
	c, err := a.readEngineConfig(s, slog.New(slog.DiscardHandler))
	if err != nil || s.readReader(&c) != nil {
		return nil
	}
	c.GenerateModel = false // reading data would make the shell wait
	e, err := engine.Open(cmd.Context(), c)
	if err != nil {
		return nil
	}
	return e
}

func metricCompletions(cmd *cobra.Command, e *engine.Engine) []string {
	all, err := e.Metrics(cmd.Context())
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range all {
		out = append(out, completionItem(m.Name, m.Description))
	}
	return out
}

// groupByCompletions returns the dimensions that all metrics of the command line take, time
// dimensions with each of their grains and parts too.
func groupByCompletions(cmd *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range dimensionsCommonToMetrics(cmd, e) {
		out = append(out, completionItem(d.Name, d.Description))
		for _, unit := range slices.Concat(d.Grains, d.Parts) {
			out = append(out, d.Name+":"+unit)
		}
	}
	return out
}

func dimensionsCommonToMetrics(cmd *cobra.Command, e *engine.Engine) []describe.Dimension {
	metrics := parseMetricsFlag(cmd)
	if one, err := cmd.Flags().GetString("metric"); err == nil && one != "" {
		metrics = []string{one}
	}
	if len(metrics) == 0 {
		metrics = []string{""} // every field of the model
	}
	var out []describe.Dimension
	for i, m := range metrics {
		taken, err := e.Dimensions(cmd.Context(), m)
		if err != nil {
			return nil
		}
		if i == 0 {
			out = taken
			continue
		}
		out = slices.DeleteFunc(out, func(d describe.Dimension) bool {
			return !slices.ContainsFunc(taken, func(t describe.Dimension) bool { return t.Name == d.Name })
		})
	}
	return slices.DeleteFunc(out, func(d describe.Dimension) bool { return !d.IsDimension })
}

// parseMetricsFlag returns the metrics of the command line.
func parseMetricsFlag(cmd *cobra.Command) []string {
	list, _ := cmd.Flags().GetStringSlice("metrics")
	return parseTrimmedItems(list, keepNameUnchanged)
}

func timeDimensionCompletions(cmd *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range dimensionsCommonToMetrics(cmd, e) {
		if d.IsTime {
			out = append(out, d.Name)
		}
	}
	return out
}

func fieldCompletions(cmd *cobra.Command, e *engine.Engine) []string {
	all, err := e.Dimensions(cmd.Context(), "")
	if err != nil {
		return nil
	}
	var out []string
	for _, d := range all {
		out = append(out, completionItem(d.Name, d.Description))
	}
	return out
}

func datasetCompletions(_ *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range e.Datasets() {
		out = append(out, completionItem(d.Name, d.Description))
	}
	return out
}

// orderByCompletions returns the metrics of the query, either way.
func orderByCompletions(cmd *cobra.Command, _ *engine.Engine) []string {
	var out []string
	for _, m := range parseMetricsFlag(cmd) {
		out = append(out, m, "-"+m)
	}
	return out
}

// topGroupColumnCompletions returns the grouped columns of the query, each with the number of values to keep.
func topGroupColumnCompletions(cmd *cobra.Command, _ *engine.Engine) []string {
	var out []string
	for _, c := range groupByFlagColumns(cmd) {
		out = append(out, c+":5", c+":10")
	}
	return out
}

// shareCompletions returns the metrics of the query, and each of a grouped column.
func shareCompletions(cmd *cobra.Command, _ *engine.Engine) []string {
	var out []string
	for _, m := range parseMetricsFlag(cmd) {
		out = append(out, m)
		for _, c := range groupByFlagColumns(cmd) {
			out = append(out, m+":"+c)
		}
	}
	return out
}

// groupByFlagColumns returns the columns of the fields that the command line groups by.
func groupByFlagColumns(cmd *cobra.Command) []string {
	list, _ := cmd.Flags().GetStringSlice("group-by")
	var out []string
	for _, g := range parseTrimmedItems(list, parseGroupBy) {
		name := g.Field[strings.LastIndexByte(g.Field, '.')+1:]
		if unit := g.Unit(); unit != "" {
			name += "__" + unit
		}
		out = append(out, name)
	}
	return out
}

func connectionCompletions(_ *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, c := range e.Connections() {
		out = append(out, completionItem(c.Name, c.Dialect))
	}
	return out
}

// savedQueryCompletions returns the saved queries that the command takes.
func savedQueryCompletions(cmd *cobra.Command, e *engine.Engine) []string {
	kind := cmd.Name()
	if kind != detailQueryCommandName && kind != attributeCommandName {
		kind = "query"
	}
	var out []string
	for _, s := range e.SavedQueries() {
		if s.Kind == kind {
			out = append(out, completionItem(s.Name, s.Description))
		}
	}
	return out
}

func dialectCompletions(_ *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range e.Capabilities().Dialects {
		out = append(out, d.Name)
	}
	return out
}

// completionItem returns a proposal with what the shell shows beside it.
func completionItem(name, about string) string {
	if about = terminalSafeLine(about); about == "" {
		return name
	}
	return name + "\t" + about
}
