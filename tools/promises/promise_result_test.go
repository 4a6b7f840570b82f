package main

import "testing"

func TestFigure_JudgedByAim(t *testing.T) {
	for _, tc := range []struct {
		name  string
		f     figureDefinition
		row   string
		in    []string
		short bool
		text  string
		want  outcome
		miss  string
	}{
		{"as much as it may be", figureDefinition{aims: atMostTarget(50)}, "", []string{"50"}, false, "50", outcomeHeld, ""},
		{"more, by little", figureDefinition{aims: atMostTarget(1.1)}, "", []string{"1.104"}, false, "1.10", outcomeMissed, "missed by less than 1 %"},
		{"more", figureDefinition{aims: atMostTarget(1.1)}, "", []string{"1.21"}, false, "1.21", outcomeMissed, "missed by 10 %"},
		{"many times as much", figureDefinition{aims: atMostTarget(2)}, "", []string{"14.8"}, false, "14.8", outcomeMissed, "missed: 7.40 times the target"},
		{"less than it has to be", figureDefinition{aims: atLeastTarget(10_000)}, "", []string{"7500"}, false, "7,500", outcomeMissed, "missed by 25 %"},
		{"none at all", figureDefinition{aims: exactTarget(0)}, "", []string{"0"}, false, "0", outcomeHeld, ""},
		{"some where there may be none", figureDefinition{aims: exactTarget(0)}, "", []string{"3"}, false, "3", outcomeMissed, "missed by 3"},
		{"fewer than exactly", figureDefinition{aims: exactTarget(48)}, "", []string{"47"}, false, "47", outcomeMissed, "missed by 1"},
		{"without an aim", figureDefinition{unit: "/s"}, "", []string{"12345.6"}, false, "12,346 /s", outcomeWithoutTarget, ""},
		{"of several, the largest", figureDefinition{aims: atMostTarget(2)}, "", []string{"1", "3", "2"}, false, "3", outcomeMissed, "missed by 50 %"},
		{"of several, the smallest", figureDefinition{of: aggregationSmallest, aims: atMostTarget(2)}, "", []string{"3", "1"}, false, "1", outcomeHeld, ""},
		{"of several, the median", figureDefinition{of: aggregationMedian, aims: atMostTarget(2)}, "", []string{"9", "1", "2"}, false, "2", outcomeHeld, ""},
		{"of several, all", figureDefinition{of: aggregationSum, aims: atLeastTarget(6)}, "", []string{"1", "3", "2"}, false, "6", outcomeHeld, ""},
		{"in another unit", figureDefinition{unit: "µs", scale: 1e-3, aims: atMostTarget(50)}, "", []string{"16100"}, false, "16.1 µs", outcomeHeld, ""},
		{"the aim of its row", figureDefinition{aims: []figureTarget{{bound: 50, row: "Q1"}, {bound: 150, row: "Q3"}}}, "Q3, 1000", []string{"60"}, false, "60", outcomeHeld, ""},
		{"a row without an aim", figureDefinition{aims: []figureTarget{{bound: 50, row: "Q1"}}}, "Q2", []string{"60"}, false, "60", outcomeWithoutTarget, ""},
		{"a short form has its own bound", figureDefinition{aims: withShortFormBound(atLeastTarget(10_000), 100)}, "", []string{"200"}, true, "200", outcomeHeld, ""},
		{"a long form has not", figureDefinition{aims: withShortFormBound(atLeastTarget(10_000), 100)}, "", []string{"200"}, false, "200", outcomeMissed, "missed by 98 %"},
		{"no number", figureDefinition{aims: atMostTarget(1)}, "", []string{"many"}, false, "many", outcomeFailed, ""},
		{"words", figureDefinition{of: aggregationVerbatim}, "", []string{"duckdb", "duckdb", "postgres"}, false, "duckdb, postgres", outcomeWithoutTarget, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := tc.f.judgeFigureOfRow(tc.row, tc.in, tc.short)
			if c.text != tc.text || c.outcome != tc.want {
				t.Errorf("%q %v, want %q %v", c.text, c.outcome, tc.text, tc.want)
			}
			if c.distanceFromTargetText() != tc.miss {
				t.Errorf("%q, want %q", c.distanceFromTargetText(), tc.miss)
			}
		})
	}
}

func TestPromises_NoneLeftOut(t *testing.T) {
	x := promise{name: "p", rows: "^TestP$", figures: []figureDefinition{{name: "a", key: "a", aims: atMostTarget(1)}, {name: "b", key: "b"}}}
	ran := func(failure string, events ...reportedValue) promiseRun {
		return promiseRun{Command: "go test", Failure: failure, Events: events}
	}
	for _, tc := range []struct {
		name string
		r    promiseRun
		want outcome
		why  string
	}{
		{"never measured", promiseRun{}, outcomeFailed, "not measured yet"},
		{"the command failed, its figures are fine", ran("failed: TestP", reportedValue{"TestP", "a", "1"}, reportedValue{"TestP", "b", "1"}), outcomeFailed, "failed: TestP"},
		{"no figures", ran(""), outcomeFailed, "no figure: a"},
		{"one figure is missing", ran("", reportedValue{"TestP", "a", "1"}), outcomeFailed, "no figure: b"},
		{"figures of another test", ran("", reportedValue{"TestQ", "a", "1"}, reportedValue{"TestQ", "b", "1"}), outcomeFailed, "no figure: a"},
		{"missed", ran("", reportedValue{"TestP", "a", "2"}, reportedValue{"TestP", "b", "1"}), outcomeMissed, ""},
		{"held", ran("", reportedValue{"TestP", "a", "1"}, reportedValue{"TestP", "b", "1"}), outcomeHeld, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if v := newPromiseResult(x, tc.r); v.outcome != tc.want || v.why != tc.why {
				t.Errorf("%v %q, want %v %q", v.outcome, v.why, tc.want, tc.why)
			}
		})
	}
}

func TestSpell_TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"ASafeGroupByNeverChangesTheTotal":   "a safe group by never changes the total",
		"TheSQLDoesNotDependOnTheOrder":      "the SQL does not depend on the order",
		"AListOfValuesIsEachValueByItself":   "a list of values is each value by itself",
		"AConditionItsNegationAndTheUnknown": "a condition its negation and the unknown",
	} {
		if got := splitCamelCase(in); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
