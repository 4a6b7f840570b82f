package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// competitorReportFile is what the side-by-side run of tools/competitors writes. Nothing here runs it: it
// installs hundreds of megabytes from a registry.
const competitorReportFile = "peers.json"

// competitorReport is the part of that file that is shown.
type competitorReport struct {
	Command     string   `json:"command"`
	Machine     string   `json:"machine"`
	Date        string   `json:"date"`
	Commit      string   `json:"commit"`
	NotMeasured []string `json:"not_measured"`
	Results     []struct {
		Peer     string  `json:"peer"`
		Version  string  `json:"version"`
		Question string  `json:"question"`
		Datasets int     `json:"datasets"`
		Value    float64 `json:"value"` // seconds
		Ratio    float64 `json:"ratio_to_semlayer"`
		CPU      float64 `json:"cpu_ratio_to_semlayer"` // of processor time
	} `json:"results"`
}

// ownNameInCompetitorReport is what this program is called in that file.
const ownNameInCompetitorReport = "semlayer"

// readCompetitorReport returns the report as a result; without the file it is one that was not measured.
func readCompetitorReport(root string) (promiseRun, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", competitorReportFile))
	if errors.Is(err, fs.ErrNotExist) {
		return promiseRun{}, nil
	}
	if err != nil {
		return promiseRun{}, err
	}
	var p competitorReport
	if err := json.Unmarshal(text, &p); err != nil {
		return promiseRun{}, fmt.Errorf("docs/%s: %w", competitorReportFile, err)
	}
	r := promiseRun{Command: p.Command, Machine: p.Machine, Date: p.Date, Commit: p.Commit}
	if len(p.NotMeasured) > 0 {
		r.Note = "Not measured: " + strings.Join(p.NotMeasured, "; ") + "."
	}
	for _, x := range p.Results {
		name := x.Peer
		if x.Peer != ownNameInCompetitorReport {
			name += " " + x.Version
		}
		test := fmt.Sprintf("%s/%d/%s", x.Question, x.Datasets, name)
		r.Events = append(r.Events, reportedValue{test, "s", strconv.FormatFloat(x.Value, 'g', -1, 64)})
		if x.Peer != ownNameInCompetitorReport {
			r.Events = append(r.Events, reportedValue{test, "ratio", strconv.FormatFloat(x.Ratio, 'g', -1, 64)}, reportedValue{test, "cpu-ratio", strconv.FormatFloat(x.CPU, 'g', -1, 64)})
		}
	}
	return r, nil
}

func competitorCompilePromise() promise {
	return promise{
		name: "peers-compile", sentence: "A query compiles at least 8 times as fast as with the fastest peer", from: competitorReportFile,
		method: `The same queries of the same model, to processes that take turns of a quarter of a second;
all have returned the same rows before. Q1 and Q3 are the queries above, each time
with a new value; "again" is the same text each time, so that caches count. Medians of nine
rounds.`,
		rows: `^(Q\d(?: again)?)/(\d+)/(.+)$`, rowHeader: "question, datasets, program",
		figures: []figureDefinition{
			{name: "times semlayer's", key: "ratio", of: aggregationSmallest, aims: atLeastTarget(8)},
			{name: "in processor time", key: "cpu-ratio", of: aggregationSmallest, aims: atLeastTarget(8)},
			{name: "time", key: "s", unit: "ms", scale: 1e3},
		},
	}
}

func competitorLoadPromise() promise {
	return promise{
		name: "peers-load", sentence: "A model of 1000 datasets loads at least 10 times as fast as with the fastest peer", from: competitorReportFile,
		method: `From the text of a model to a compiled one, in a warm process, in turns as above. Malloy gets
the columns of the tables, which it would otherwise read from a warehouse.`,
		rows: `^load/(\d+)/(.+)$`, rowHeader: "datasets, program",
		figures: []figureDefinition{
			{name: "times semlayer's", key: "ratio", of: aggregationSmallest, aims: []figureTarget{{is: targetAtLeast, bound: 10, row: "1000,"}}},
			{name: "in processor time", key: "cpu-ratio", of: aggregationSmallest, aims: []figureTarget{{is: targetAtLeast, bound: 10, row: "1000,"}}},
			{name: "time", key: "s", unit: "ms", scale: 1e3},
		},
	}
}

func competitorRollupsPromise() promise {
	return promise{
		name: "peers-rollups", sentence: "100 rollups add to a query at most a hundredth of what pre-aggregations add with Cube", from: competitorReportFile,
		method: `Q3 over a model with 100 rollups of one dataset, of which the last serves it, and over the model without, in turns as
above; the time is the median of the differences. Cube has pre-aggregations of the same measures, fields and periods. The
rows of both are those of the base tables, which is checked first.`,
		rows: `^rollups/(\d+)/(.+)$`, rowHeader: "datasets, program",
		figures: []figureDefinition{
			{name: "times semlayer's", key: "ratio", of: aggregationSmallest, aims: atLeastTarget(100)},
			{name: "in processor time", key: "cpu-ratio", of: aggregationSmallest, aims: atLeastTarget(100)},
			{name: "added", key: "s", unit: "ms", scale: 1e3},
		},
	}
}
