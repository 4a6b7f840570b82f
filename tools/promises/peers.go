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

// peersFile is what the side-by-side run of tools/competitors writes. Nothing here runs it: it
// installs hundreds of megabytes from a registry.
const peersFile = "peers.json"

// peersReport is the part of that file that is shown.
type peersReport struct {
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

// ownName is what this program is called in that file.
const ownName = "semlayer"

// readPeers is the report as a result; without the file it is one that was not measured.
func readPeers(root string) (result, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", peersFile))
	if errors.Is(err, fs.ErrNotExist) {
		return result{}, nil
	}
	if err != nil {
		return result{}, err
	}
	var p peersReport
	if err := json.Unmarshal(text, &p); err != nil {
		return result{}, fmt.Errorf("docs/%s: %w", peersFile, err)
	}
	r := result{Command: p.Command, Machine: p.Machine, Date: p.Date, Commit: p.Commit}
	if len(p.NotMeasured) > 0 {
		r.Note = "Not measured: " + strings.Join(p.NotMeasured, "; ") + "."
	}
	for _, x := range p.Results {
		name := x.Peer
		if x.Peer != ownName {
			name += " " + x.Version
		}
		test := fmt.Sprintf("%s/%d/%s", x.Question, x.Datasets, name)
		r.Events = append(r.Events, event{test, "s", strconv.FormatFloat(x.Value, 'g', -1, 64)})
		if x.Peer != ownName {
			r.Events = append(r.Events, event{test, "ratio", strconv.FormatFloat(x.Ratio, 'g', -1, 64)}, event{test, "cpu-ratio", strconv.FormatFloat(x.CPU, 'g', -1, 64)})
		}
	}
	return r, nil
}

func peersCompilePromise() promise {
	return promise{
		name: "peers-compile", sentence: "A query compiles at least 8 times as fast as with the fastest peer", from: peersFile,
		method: `The same queries of the same model, to processes that take turns of a quarter of a second;
all have returned the same rows before. Q1 and Q3 are the queries above, each time
with a new value; "again" is the same text each time, so that caches count. Medians of nine
rounds.`,
		rows: `^(Q\d(?: again)?)/(\d+)/(.+)$`, rowHeader: "question, datasets, program",
		figures: []figure{
			{name: "times semlayer's", key: "ratio", of: smallestOfValues, aims: atLeastAim(8)},
			{name: "in processor time", key: "cpu-ratio", of: smallestOfValues, aims: atLeastAim(8)},
			{name: "time", key: "s", unit: "ms", scale: 1e3},
		},
	}
}

func peersLoadPromise() promise {
	return promise{
		name: "peers-load", sentence: "A model of 1000 datasets loads at least 10 times as fast as with the fastest peer", from: peersFile,
		method: `From the text of a model to a compiled one, in a warm process, in turns as above. Malloy gets
the columns of the tables, which it would otherwise read from a warehouse.`,
		rows: `^load/(\d+)/(.+)$`, rowHeader: "datasets, program",
		figures: []figure{
			{name: "times semlayer's", key: "ratio", of: smallestOfValues, aims: []aim{{is: atLeast, bound: 10, row: "1000,"}}},
			{name: "in processor time", key: "cpu-ratio", of: smallestOfValues, aims: []aim{{is: atLeast, bound: 10, row: "1000,"}}},
			{name: "time", key: "s", unit: "ms", scale: 1e3},
		},
	}
}
