package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/planner/query"
)

// attributeFlags mirror the keys of an attribution.
type attributeFlags struct {
	json              string
	dimensions        []string
	baseline, current string
	params            []string
	connection        string
}

// attributeQueryKeyFlagNames are the flags that write a part of the query.
var attributeQueryKeyFlagNames = slices.Concat([]string{
	"dimensions", "baseline", "current", "param", "connection",
}, namesOfKeyFlags(query.AttributeKeys()))

// attributeCommandName is the command of attributions.
const attributeCommandName = "attribute"

func (a *app) attributeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   attributeCommandName + " --model FILE --metric NAME --dimensions NAMES --baseline START..END --current START..END",
		Short: "Show what changed a metric between two windows",
		Args:  rejectArguments("metric"),
	}
	var q attributeFlags
	addModelFlags(cmd)
	addReaderFlags(cmd)
	q.addToCommand(cmd)
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	addConnectionsFlag(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		if c := a.defaultConnectionName(s, e); c != "" {
			q.connection = c
		}
		query, err := q.decodeQuery(cmd, a.std.In, &a.lastQuery)
		if err != nil {
			return err
		}
		done := a.startProgress()
		defer done()
		report, err := e.Attribute(cmd.Context(), query)
		done()
		if err != nil {
			return err
		}
		if a.effectiveOutputFormat() == formatJSON {
			err = a.printJSON(report)
		} else {
			err = a.printText(attributionText(report, e.MetricFormat))
		}
		if err != nil {
			return err
		}
		a.printModelWarnings(e)
		return nil
	}
	return cmd
}

func (q *attributeFlags) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.json, "json", "", "the body of the query as JSON: a file, - for standard input, or the JSON itself")
	f.StringSliceVar(&q.dimensions, "dimensions", nil, "fields whose values explain the change, separated by commas")
	f.StringVar(&q.baseline, "baseline", "", "the earlier window, START..END; the end is exclusive")
	f.StringVar(&q.current, "current", "", "the later window, START..END")
	f.StringArrayVar(&q.params, "param", nil, "a parameter, name=value")
	addKeyFlags(cmd, query.AttributeKeys())
	f.StringVar(&q.connection, "connection", "", "connection profile")
}

func (q *attributeFlags) decodeQuery(cmd *cobra.Command, in io.Reader, asked *correctableCommandLine) (*query.AttributeQuery, error) {
	body, err := queryBodyFromFlags(cmd, q.json, q.connection, attributeQueryKeyFlagNames, in, q.writeBody, asked)
	if err != nil {
		return nil, err
	}
	return query.DecodeAttribute(body)
}

func (q *attributeFlags) writeBody(cmd *cobra.Command) ([]byte, error) {
	o := new(jsonObjectWriter)
	o.addNamesMember(cmd, "dimensions", q.dimensions)
	for _, w := range []struct{ flag, text string }{{"baseline", q.baseline}, {"current", q.current}} {
		if w.text == "" {
			continue
		}
		start, end, ok := strings.Cut(w.text, "..")
		if !ok {
			return nil, newUsageError(fmt.Sprintf("--%s takes START..END, not %q", w.flag, w.text))
		}
		o.addMember(w.flag, query.TimeRange{Start: start, End: end})
	}
	if err := o.addParams(q.params); err != nil {
		return nil, err
	}
	o.addKeysOfFlags(cmd, query.AttributeKeys())
	o.addNonEmptyText("connection", q.connection)
	return o.closeObject()
}
