package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/semlayer/semlayer/engine"
	"github.com/semlayer/semlayer/planner/query"
)

func (a *app) findCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "find WORDS... --model FILE",
		Short: "Find the metrics, dimensions, saved queries and datasets that match words",
		Args:  cobra.MinimumNArgs(1),
	}
	parameters := map[string]*string{}
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDataFilesFlag(cmd)
	for name, usage := range map[string]string{
		"kinds":   "kinds separated by commas: metric, dimension, saved, value, dataset, view (default all)",
		viewFlag:  "the view of the model whose names are searched",
		"metrics": "only what one query with all of these metrics accepts, separated by commas",
		"limit":   "maximum number of hits, 1 to 50 (default 10)",
		"offset":  "number of hits to skip",
	} {
		parameters[name] = cmd.Flags().String(name, "", usage)
	}
	a.addFormatFlag(cmd, formatTable, formatJSON, formatCSV)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		e, _, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		q, err := query.ReadFindURLParameters(func(name string) string {
			if given := parameters[name]; given != nil {
				return *given
			}
			return strings.Join(args, " ")
		})
		if err != nil {
			return err
		}
		found, err := e.Find(cmd.Context(), q)
		if err != nil {
			return err
		}
		if a.effectiveOutputFormat() == formatJSON {
			return a.printJSON(found)
		}
		if found.Match != "" {
			_, _ = io.WriteString(a.std.Err, "nothing matches; the nearest names are:\n")
		}
		return a.printTextTable(findResultTable(found))
	}
	return cmd
}

func findResultTable(found *engine.FindResult) textTable {
	g := textTable{columns: []string{"kind", "name", "score", "why", "description"}}
	for _, h := range found.Hits {
		g.rows = append(g.rows, []tableCell{
			newTextCell(h.Kind), newTextCell(h.Name), {text: strconv.FormatFloat(h.Score, 'f', 2, 64), number: true}, newTextCell(h.Why), newTextCell(h.Description),
		})
	}
	return g
}

func (a *app) compatibleCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compatible --model FILE",
		Short: "List the metrics and dimensions that a metric query accepts",
		Args:  rejectArguments("metrics"),
	}
	var q queryFlags
	var search string
	addModelFlags(cmd)
	addReaderFlags(cmd)
	addDataFilesFlag(cmd)
	addConnectionsFlag(cmd)
	q.addToCommand(cmd)
	cmd.Flags().Lookup("limit").Usage = "maximum number of items of each list, 1 to 1000 (default 100)"
	cmd.Flags().Lookup("offset").Usage = "number of items of each list to skip"
	cmd.Flags().StringVar(&search, "search", "", "only items that match this text")
	a.addFormatFlag(cmd, formatTable, formatJSON, formatCSV)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		e, s, err := a.openEngine(cmd.Context(), cmd)
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }()
		if c := a.defaultConnectionName(s, e); c != "" {
			q.connection = c
		}
		body, err := queryBodyFromFlags(cmd, q.json, q.connection, metricQueryKeyFlagNames, a.std.In, q.writeBody, &a.lastQuery)
		if err != nil {
			return err
		}
		if search != "" {
			if body, err = addJSONTextMember(body, "search", search); err != nil {
				return err
			}
		}
		asked, err := query.DecodeCompatible(body)
		if err != nil {
			return err
		}
		fits, err := e.CompatibleItems(cmd.Context(), asked)
		if err != nil {
			return err
		}
		if a.effectiveOutputFormat() == formatJSON {
			return a.printJSON(fits)
		}
		return a.printTextTable(compatibleTable(fits))
	}
	return cmd
}

func compatibleTable(fits *engine.CompatibleItems) textTable {
	g := textTable{columns: []string{"kind", "name", "grains", "parts"}}
	for _, name := range fits.Metrics {
		g.rows = append(g.rows, []tableCell{newTextCell("metric"), newTextCell(name), newTextCell(""), newTextCell("")})
	}
	for _, d := range fits.Dimensions {
		g.rows = append(g.rows, []tableCell{newTextCell("dimension"), newTextCell(d.Name), newTextCell(strings.Join(d.Grains, " ")), newTextCell(strings.Join(d.Parts, " "))})
	}
	return g
}

// addJSONTextMember adds a member with a text to a JSON object.
func addJSONTextMember(object []byte, key, text string) ([]byte, error) {
	value, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	head, isObject := bytes.CutSuffix(bytes.TrimSpace(object), []byte("}"))
	head = bytes.TrimSpace(head)
	if !isObject {
		return object, nil // which the decoder rejects
	}
	separator := ","
	if len(head) == 1 {
		separator = ""
	}
	return slices.Concat(head, []byte(separator+`"`+key+`":`), value, []byte("}")), nil
}
