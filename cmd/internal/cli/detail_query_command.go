package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

// detailQueryFlags mirror the keys of a detail query.
type detailQueryFlags struct {
	json         string
	fields       []string
	order        []string
	params       []string
	connection   string
	sequences    []string
	sql, explain bool
	timeRangeFlags
}

// detailQueryKeyFlagNames are the flags that write a part of the query.
var detailQueryKeyFlagNames = slices.Concat([]string{
	"fields", "order", "param", "connection", sequenceFlag,
}, timeRangeFlagNames, namesOfKeyFlags(query.DetailKeys()))

// detailQueryCommandName is the command of detail queries.
const detailQueryCommandName = "select"

func (a *app) detailQueryCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   detailQueryCommandName + " --model FILE --from DATASET --fields NAMES",
		Short: "Run a detail query: one row for each row of a dataset",
		Args:  rejectArguments("from"),
	}
	var q detailQueryFlags
	addModelFlags(cmd)
	addReaderFlags(cmd)
	q.addToCommand(cmd)
	addDatabaseFlags(cmd)
	addDataFilesFlag(cmd)
	allowGeneratedModel(cmd)
	addConnectionsFlag(cmd)
	a.addFormatFlag(cmd, formatTable, formatJSON, formatCSV, formatArrow)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if q.sql && q.explain {
			return newUsageError("--sql and --explain are mutually exclusive")
		}
		if a.format == formatArrow && (q.sql || q.explain) {
			return newUsageError("--format arrow is for rows, not for --sql and --explain")
		}
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		if c := a.defaultConnectionName(s, e); c != "" {
			q.connection = c
		}
		query, err := q.decodeDetailQuery(cmd, a.std.In, &a.lastQuery)
		if err != nil {
			return err
		}
		if err := a.runDetailQuery(cmd, e, query, q); err != nil {
			return err
		}
		a.printModelWarnings(e)
		return nil
	}
	return cmd
}

func (q *detailQueryFlags) addToCommand(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.json, "json", "", "the body of the query as JSON: a file, - for standard input, or the JSON itself")
	f.StringSliceVar(&q.fields, "fields", nil, "fields, each with an optional grain or part of a time: order_id,customers.region,order_date:month")
	f.StringSliceVar(&q.order, "order", nil, "projected columns, - before one for descending: -amount,order_id")
	f.StringArrayVar(&q.params, "param", nil, "a parameter, name=value")
	f.StringVar(&q.connection, "connection", "", "connection profile")
	f.BoolVar(&q.sql, "sql", false, "print the SQL and run nothing")
	f.BoolVar(&q.explain, "explain", false, "print the logical plan and run nothing")
	addSequenceFlag(cmd, &q.sequences)
	q.timeRangeFlags.addToCommand(cmd)
	addKeyFlags(cmd, query.DetailKeys())
}

func (a *app) runDetailQuery(cmd *cobra.Command, e *engine.Engine, query *query.DetailQuery, q detailQueryFlags) error {
	switch {
	case q.sql:
		query.Pretty = a.printsPrettySQL(query.Pretty)
		return a.compileAndPrint(cmd.Context(), e, query)
	case q.explain:
		return a.explainAndPrint(cmd.Context(), e, query)
	}
	return a.runAndPrint(cmd.Context(), e, query)
}

// decodeDetailQuery makes the detail query: the JSON body, or one written from the flags.
func (q *detailQueryFlags) decodeDetailQuery(cmd *cobra.Command, in io.Reader, asked *correctableCommandLine) (*query.DetailQuery, error) {
	body, err := queryBodyFromFlags(cmd, q.json, q.connection, detailQueryKeyFlagNames, in, q.writeBody, asked)
	if err != nil {
		return nil, err
	}
	return query.DecodeDetail(body)
}

// queryBodyFromFlags returns the body that --json names, with a connection where it names none, else the one
// that the flags write.
//
// It keeps the query so that an error can show a corrected command.
func queryBodyFromFlags(cmd *cobra.Command, from, connection string, flags []string, in io.Reader, write func(*cobra.Command) ([]byte, error), asked *correctableCommandLine) (body []byte, err error) {
	defer func() { *asked = correctableCommandLine{cmd, body} }()
	if from == "" {
		return write(cmd)
	}
	for _, flag := range flags {
		if flag != "connection" && cmd.Flags().Changed(flag) {
			return nil, newUsageError("--json is the whole query, and --" + flag + " cannot be added to it")
		}
	}
	if body, err = readJSONArgument(from, in); err != nil {
		return nil, err
	}
	return addConnectionToBody(body, connection, cmd.Flags().Changed("connection"))
}

// addConnectionToBody writes a connection into a query that names neither one nor a dialect. A connection that the
// command line names is written beside a dialect too, and is not another one than that of the query.
func addConnectionToBody(body []byte, connection string, given bool) ([]byte, error) {
	var keys map[string]json.RawMessage
	isObject := json.Unmarshal(body, &keys) == nil
	if connection == "" || !isObject {
		return body, nil
	}
	var own string
	switch _ = json.Unmarshal(keys["connection"], &own); {
	case keys["connection"] == nil && (given || keys["dialect"] == nil):
		return addJSONTextMember(body, "connection", connection)
	case given && own != connection:
		return nil, newUsageError(fmt.Sprintf("--connection names %s, and the query of --json names %s", connection, keys["connection"]))
	}
	return body, nil
}

func (q *detailQueryFlags) writeBody(cmd *cobra.Command) ([]byte, error) {
	o := new(jsonObjectWriter)
	o.addNamesMember(cmd, "fields", q.fields)
	if err := q.addTimeRange(o); err != nil {
		return nil, err
	}
	if len(q.order) > 0 {
		o.addMember("order_by", parseTrimmedItems(q.order, parseOrderBy))
	}
	if err := o.addParams(q.params); err != nil {
		return nil, err
	}
	if err := addSequencesMember(o, cmd, q.sequences); err != nil {
		return nil, err
	}
	o.addKeysOfFlags(cmd, query.DetailKeys())
	o.addNonEmptyText("connection", q.connection)
	return o.closeObject()
}

// addCountFlag writes a non-negative integer where its flag was given.
func (o *jsonObjectWriter) addCountFlag(cmd *cobra.Command, flag, key, text string) error {
	if !cmd.Flags().Changed(flag) {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return newUsageError(fmt.Sprintf("--%s must be a non-negative integer, not %q", flag, text))
	}
	o.addMember(key, n)
	return nil
}
