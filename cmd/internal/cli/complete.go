package cli

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
)

// completeFrom makes the shell propose what the model of the command line has.
// A model that does not open proposes nothing.
func (a *app) completeFrom(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		a.completeFrom(c)
	}
	for flag, names := range map[string]func(*cobra.Command, *engine.Engine) []string{
		"metrics": metricNames, "metric": metricNames,
		"group-by": groupNames, "dimensions": groupNames,
		"fields": fieldNames, "from": datasetNames,
		"order": orderNames, "time-dimension": timeNames,
		"connection": connectionNames, "dialect": dialectNames, "saved": savedNames,
	} {
		f := cmd.Flags().Lookup(flag)
		if f == nil {
			continue
		}
		several := f.Value.Type() == "stringSlice"
		_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			return a.completeLastName(cmd, typed, several, names)
		})
	}
	if f := cmd.Flags().Lookup(formatFlagName); f != nil {
		_ = cmd.RegisterFlagCompletionFunc(formatFlagName, cobra.FixedCompletions(formatsOf(f), cobra.ShellCompDirectiveNoFileComp))
	}
}

// completeLastName lists what begins as the last name of the list that is being typed.
func (a *app) completeLastName(cmd *cobra.Command, typed string, several bool, names func(*cobra.Command, *engine.Engine) []string) ([]string, cobra.ShellCompDirective) {
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
	e := a.openForCompletion(cmd)
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

// openForCompletion opens the model that the command line names, nil when that fails.
func (a *app) openForCompletion(cmd *cobra.Command) *engine.Engine {
	s, err := settingsOf(cmd)
	if err != nil {
		return nil
	}
	c, err := a.engineConfig(s, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil
	}
	c.GenerateModel = false // reading data would make the shell wait
	e, err := engine.Open(cmd.Context(), c)
	if err != nil {
		return nil
	}
	return e
}

func metricNames(cmd *cobra.Command, e *engine.Engine) []string {
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

// groupNames are the dimensions that all metrics of the command line take, time
// dimensions with each of their grains too.
func groupNames(cmd *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range commonDimensions(cmd, e) {
		out = append(out, completionItem(d.Name, d.Description))
		for _, g := range d.Grains {
			out = append(out, d.Name+":"+g)
		}
	}
	return out
}

func commonDimensions(cmd *cobra.Command, e *engine.Engine) []engine.DimensionInfo {
	metrics := typedMetrics(cmd)
	if one, err := cmd.Flags().GetString("metric"); err == nil && one != "" {
		metrics = []string{one}
	}
	if len(metrics) == 0 {
		metrics = []string{""} // every field of the model
	}
	var out []engine.DimensionInfo
	for i, m := range metrics {
		taken, err := e.Dimensions(cmd.Context(), m)
		if err != nil {
			return nil
		}
		if i == 0 {
			out = taken
			continue
		}
		out = slices.DeleteFunc(out, func(d engine.DimensionInfo) bool {
			return !slices.ContainsFunc(taken, func(t engine.DimensionInfo) bool { return t.Name == d.Name })
		})
	}
	return slices.DeleteFunc(out, func(d engine.DimensionInfo) bool { return !d.IsDimension })
}

// typedMetrics are the metrics of the command line.
func typedMetrics(cmd *cobra.Command) []string {
	list, _ := cmd.Flags().GetStringSlice("metrics")
	return trimItems(list, unchangedName)
}

func timeNames(cmd *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range commonDimensions(cmd, e) {
		if d.IsTime {
			out = append(out, d.Name)
		}
	}
	return out
}

func fieldNames(cmd *cobra.Command, e *engine.Engine) []string {
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

func datasetNames(_ *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range e.Datasets() {
		out = append(out, completionItem(d.Name, d.Description))
	}
	return out
}

// orderNames are the metrics of the query, either way.
func orderNames(cmd *cobra.Command, _ *engine.Engine) []string {
	var out []string
	for _, m := range typedMetrics(cmd) {
		out = append(out, m, "-"+m)
	}
	return out
}

func connectionNames(_ *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, c := range e.Connections() {
		out = append(out, completionItem(c.Name, c.Dialect))
	}
	return out
}

// savedNames are the saved queries that the command takes.
func savedNames(cmd *cobra.Command, e *engine.Engine) []string {
	kind := cmd.Name()
	if kind != selectCommandName && kind != attributeCommandName {
		kind = "query"
	}
	var out []string
	for _, s := range e.Saved() {
		if s.Kind == kind {
			out = append(out, completionItem(s.Name, s.Description))
		}
	}
	return out
}

func dialectNames(_ *cobra.Command, e *engine.Engine) []string {
	var out []string
	for _, d := range e.Capabilities().Dialects {
		out = append(out, d.Name)
	}
	return out
}

// completionItem is a proposal with what the shell shows beside it.
func completionItem(name, about string) string {
	if about = oneLine(about); about == "" {
		return name
	}
	return name + "\t" + about
}
