package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// promiseRun is the outcome of one promise in one run.
type promiseRun struct {
	Command string          `json:"command"`
	Date    string          `json:"date"`
	Commit  string          `json:"commit"`
	Machine string          `json:"machine"`
	Short   bool            `json:"short,omitempty"`
	Seconds float64         `json:"seconds"`
	Others  float64         `json:"others"` // share of the machine that went to other processes
	Failure string          `json:"failure,omitempty"`
	Note    string          `json:"note,omitempty"` // to be shown with it
	Events  []reportedValue `json:"events"`
}

// runsByPromiseName are kept by the name of the promise.
type runsByPromiseName map[string]promiseRun

func readResults(path string) (runsByPromiseName, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return runsByPromiseName{}, nil
	}
	if err != nil {
		return nil, err
	}
	out := runsByPromiseName{}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

func (r runsByPromiseName) writeResultsFile(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
