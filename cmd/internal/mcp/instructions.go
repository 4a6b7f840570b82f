package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/engine"
)

// The most bytes that lists of names may take in the texts that a client reads
// before its first call.
const (
	instructionsBudget = 2000
	descriptionBudget  = 500
	nameListBudget     = 2000
)

// modelSummary holds the facts about the model that the texts use.
type modelSummary struct {
	model              engine.ModelInfo
	metrics            []string
	datasets           []string
	connections        []string
	saved              []string // saved queries, each with the tool that takes it
	connectionRequired bool     // every execution must name a connection
	advice             string   // the model's own words for language models
}

func summarizeModel(s Service) modelSummary {
	b := modelSummary{model: s.Model(), metrics: s.MetricNames(), advice: modelInstructions(s.AIContext())}
	for _, d := range s.Datasets() {
		b.datasets = append(b.datasets, d.Name)
	}
	for _, q := range s.Saved() {
		b.saved = append(b.saved, q.Name+" ("+toolsOfKind[q.Kind]+")")
	}
	for _, c := range s.Connections() {
		if c.Available {
			b.connections = append(b.connections, c.Name+" ("+c.Dialect+")")
		}
	}
	return b
}

// modelInstructions returns the instructions of an ai_context, or the ai_context itself if it is
// a string.
func modelInstructions(context any) string {
	if object, ok := context.(map[string]any); ok {
		context = object["instructions"]
	}
	text, _ := context.(string)
	text = strings.TrimSpace(text)
	if len(text) <= nameListBudget {
		return text
	}
	cut := nameListBudget
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return text[:cut] + "…"
}

// joinNames joins names until the budget is spent, then adds how many are left and which
// tool lists them.
func joinNames(list []string, budget int, tool string) string {
	var b strings.Builder
	for i, name := range list {
		if i > 0 && b.Len()+len(name)+2 > budget {
			return fmt.Sprintf("%s and %d more: %s", b.String(), len(list)-i, tool)
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	if len(list) == 0 {
		return "none"
	}
	return b.String()
}

// instructions returns the text that lets a language model query without exploring first.
func (b modelSummary) instructions() string {
	var t strings.Builder
	fmt.Fprintf(&t, "This server answers questions about the semantic model %s with the numbers that its authors have defined. ", b.model.Name)
	if b.model.Description != "" {
		t.WriteString(strings.TrimSpace(b.model.Description) + " ")
	}
	fmt.Fprintf(&t, "\n\nMetrics: %s.\nDatasets: %s.\n", joinNames(b.metrics, instructionsBudget, "list_metrics"), joinNames(b.datasets, instructionsBudget/2, "list_datasets"))
	if len(b.connections) > 0 {
		fmt.Fprintf(&t, "Connections: %s. %s\n", joinNames(b.connections, instructionsBudget/2, "an unknown name lists them"), b.connectionNote())
	}
	t.WriteString(`
To answer a question:
1. Choose metrics from the list above, or search with list_metrics. describe_metric describes one, with the fields by which it can be grouped.
2. run_query returns numbers: {"metrics": ["m"], "group_by": [{"field": "metric_time", "grain": "month"}], "time_range": {"start": "2024-01-01", "end": "2025-01-01"}}. The end of a range is not in it.
3. select returns single rows of a dataset. attribute_metric explains the change of a metric between two times.
Do not write SQL: a query names metrics and fields, and only where_sql and context_filter take a condition.
When a call fails, its text is JSON: candidates are names that exist, and suggested_retry holds keys to put into the same call, null taking one away.
`)
	if b.advice != "" {
		t.WriteString("\nThe authors of the model say: " + b.advice + "\n")
	}
	return t.String()
}

// connectionNote explains what a query without a connection means.
func (b modelSummary) connectionNote() string {
	if b.connectionRequired {
		return "The data are there: every query that runs must name one of them as its connection."
	}
	return "Queries without a connection run on the embedded database."
}

// metricsNote ends the description of a tool that takes metrics.
func (b modelSummary) metricsNote() string {
	return fmt.Sprintf(" Model %s. Metrics: %s.", b.model.Name, joinNames(b.metrics, descriptionBudget, "list_metrics"))
}

// datasetsNote ends the description of a tool that takes a dataset.
func (b modelSummary) datasetsNote() string {
	return fmt.Sprintf(" Model %s. Datasets: %s.", b.model.Name, joinNames(b.datasets, descriptionBudget, "list_datasets"))
}

// modelNote ends every other description.
func (b modelSummary) modelNote() string { return " Model " + b.model.Name + "." }
