package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// result is what became of one promise in one run.
type result struct {
	Command string  `json:"command"`
	Date    string  `json:"date"`
	Commit  string  `json:"commit"`
	Machine string  `json:"machine"`
	Short   bool    `json:"short,omitempty"`
	Seconds float64 `json:"seconds"`
	Others  float64 `json:"others"` // share of the machine that went to other processes
	Failure string  `json:"failure,omitempty"`
	Note    string  `json:"note,omitempty"` // to be shown with it
	Events  []event `json:"events"`
}

// results are kept by the name of the promise.
type results map[string]result

func readResults(path string) (results, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return results{}, nil
	}
	if err != nil {
		return nil, err
	}
	out := results{}
	if err := json.Unmarshal(text, &out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

func (r results) write(path string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
