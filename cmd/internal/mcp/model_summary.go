package mcp

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/semlayer/semlayer/engine"
)

// The bytes of the instructions and of their parts.
const (
	instructionsBudget = 4000
	modelNameBudget    = 100
	descriptionBudget  = 400
	metricNamesBudget  = 600
	connectionsBudget  = 200
	modelAdviceBudget  = 2000
)

// instructionsURI is the resource that has the instructions of the model in full.
const instructionsURI = "semlayer://instructions"

// modelSummary holds the facts about the model that the instructions have.
type modelSummary struct {
	model              engine.ModelInfo
	metrics            []string
	connections        []string
	defaultConnection  string // of queries that name none; "" for the embedded database
	connectionRequired bool   // every execution must name a connection
	advice             string // the model's own words for language models
	dataSourceID       string // of execute_query; "" without the tool
}

func summarizeModel(s Service, connectionRequired bool) modelSummary {
	b := modelSummary{model: s.Model(), metrics: s.MetricNames(), advice: aiContextInstructions(s.AIContext()), connectionRequired: connectionRequired}
	for _, c := range s.Connections() {
		if c.Default {
			b.defaultConnection = c.Name
		}
		if c.Available {
			b.connections = append(b.connections, c.Name+" ("+c.Dialect+")")
		}
	}
	return b
}

// aiContextInstructions returns the instructions of an ai_context, or the ai_context itself if it is
// a string.
func aiContextInstructions(context any) string {
	if object, ok := context.(map[string]any); ok {
		context = object["instructions"]
	}
	text, _ := context.(string)
	return strings.TrimSpace(text)
}

const questionAnsweringInstructions = `To answer a question:
1. find ranks the metrics, dimensions and saved queries that the question names; use of a hit is a part of a query.
2. run_query returns numbers: {"metrics": ["m"], "group_by": [{"field": "metric_time", "grain": "month"}], "time_range": {"start": "2024-01-01", "end": "2025-01-01"}}. The end is excluded. "part": "day_of_week" in place of a grain groups by a number of the calendar, 1 to 7. Other parts are hour_of_day, day_of_month, day_of_year, week_of_year, month_of_year and quarter_of_year. A query names metrics and fields; only where_sql and context_filter take SQL, a condition.
3. select returns single rows of a dataset. attribute_metric explains a change between two windows of time.
4. compatible lists what fits a query; describe_metric explains one metric.
5. A call that fails is answered with JSON: merge suggested_retry into its arguments (null removes a key) or take a name from candidates, and call again.
`

// instructions returns the text that lets a language model query without exploring first: at most
// instructionsBudget bytes. whole leaves the words of the model as they are, at any length.
func (b modelSummary) instructions(whole bool) string {
	var t strings.Builder
	name := cutTextAtBytes(b.model.Name, modelNameBudget)
	if b.model.View != "" {
		name += ", of its view " + b.model.View
	}
	fmt.Fprintf(&t, "Numbers of the semantic model %s, as its authors define them. %s\n", name, b.shortenToBudget(b.model.Description, descriptionBudget, whole))
	fmt.Fprintf(&t, "Metrics: %s.\n", b.metricNamesOrCount())
	if len(b.connections) > 0 {
		fmt.Fprintf(&t, "Connections: %s. %s\n", joinNamesWithinBudget(b.connections, connectionsBudget), b.missingConnectionNote())
	}
	t.WriteString(questionAnsweringInstructions)
	if b.dataSourceID != "" {
		t.WriteString(ossieProfileInstruction(b.dataSourceID))
	}
	if b.advice == "" {
		return t.String()
	}
	t.WriteString("The authors of the model say: ")
	return t.String() + b.shortenToBudget(b.advice, min(modelAdviceBudget, instructionsBudget-t.Len()), whole)
}

// metricNamesOrCount returns the names of the metrics, if they are not too long, else their number.
func (b modelSummary) metricNamesOrCount() string {
	if len(b.metrics) == 0 {
		return "none"
	}
	if names := strings.Join(b.metrics, ", "); len(names) <= metricNamesBudget {
		return names
	}
	return fmt.Sprintf("%d metrics: use find", len(b.metrics))
}

func (b modelSummary) shortenToBudget(text string, budget int, whole bool) string {
	text = strings.TrimSpace(text)
	if whole || len(text) <= budget {
		return text
	}
	const more = " … (whole: " + instructionsURI + ")"
	return cutAtSentence(text, budget-len(more)) + more
}

// joinNamesWithinBudget joins names until the budget is spent, then adds how many are left.
func joinNamesWithinBudget(names []string, budget int) string {
	var b strings.Builder
	for i, name := range names {
		if b.Len()+len(name)+2 > budget {
			rest := fmt.Sprintf("%d more; an unknown name lists them", len(names)-i)
			if i == 0 {
				return rest
			}
			return b.String() + " and " + rest
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String()
}

// missingConnectionNote explains what a query without a connection means.
func (b modelSummary) missingConnectionNote() string {
	if b.connectionRequired {
		return "The data are there: every query that runs must name one of them as its connection."
	}
	if b.defaultConnection != "" {
		return "Queries without a connection run on " + cutTextAtBytes(b.defaultConnection, connectionsBudget) + "."
	}
	return "Queries without a connection run on the embedded database."
}

// cutAtSentence cuts a text after the last sentence that fits into a number of bytes; without one, after the last
// word, or in a word.
func cutAtSentence(text string, most int) string {
	head := cutTextAtBytes(text, most)
	end := -1
	for _, mark := range []string{". ", "! ", "? ", ".\n", "!\n", "?\n", "\n\n", "。"} {
		if at := strings.LastIndex(head, mark); at >= 0 {
			end = max(end, at+len(strings.TrimSpace(mark)))
		}
	}
	if end < 0 {
		end = strings.LastIndexAny(head, " \n\t")
	}
	if end <= 0 {
		return head
	}
	return strings.TrimSpace(head[:end])
}

// cutTextAtBytes cuts a text at a number of bytes, between two characters.
func cutTextAtBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:max(most, 0)]
}
