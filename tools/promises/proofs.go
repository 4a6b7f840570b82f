package main

// pages are all pages, in the order in which they are measured.
func pages() []page { return []page{proofs(), benchmarks()} }

// proofs is the page of what is right.
func proofs() page {
	return page{
		name: "promises", title: "Promises", strict: true,
		intro: `By what this service asks to be trusted. Each sentence stands with its figures, what they
have to be, and the one command that measures them again, to be typed at the root of the
repository; ` + "`make proof`" + ` runs them all. What is fast is on the page of [benchmarks](benchmarks.md).`,
		sections: []section{
			{"Right answers", []promise{random(), referenceItself(), corpus(), guests(), expressions(), types(), serverSettings(), laws(), attributions()}},
			{"Refusals", []promise{closure(), attributionRetries(), coverage(), situations()}},
			{"One service, several surfaces", []promise{surfaces()}},
			{"Hostile input", []promise{injection(), hostile(), worstQueries(), fuzzing(), canaries(), slowClients()}},
			{"Limits and faults", []promise{saturation(), drain(), faults(), driverFaults(), timeouts()}},
			{"Nothing grows", []promise{leaks(), growth(), soak()}},
		},
	}
}

// needServers makes a missing server a failure.
var needServers = map[string]string{"SEMLAYER_REQUIRE_SERVERS": "postgres,mariadb"}

func with(env map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for name, value := range env {
		out[name] = value
	}
	for i := 0; i+1 < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// fewQuestions is the short form of the properties.
var fewQuestions = map[string]string{"SEMLAYER_PROPERTY_QUERIES": "200", "SEMLAYER_PROPERTY_SEED": "4"}

func manyQuestions() map[string]string {
	return with(needServers, "SEMLAYER_PROPERTY_QUERIES", "10000", "SEMLAYER_PROPERTY_SEED", "random")
}

func serverSettings() promise {
	return promise{
		name: "settings", says: "No setting of a server changes the rows of our sessions",
		how: `A role, a user, a database or a whole server can have settings that cut answers off, compare
otherwise or write values in another form. Each of those that sessions set is turned the wrong
way on the server, for PostgreSQL, MariaDB and, in the setup of a database, DuckDB, and the
answers are compared with those before. A bare session beside it has to answer otherwise: else the
comparison would show nothing. [Connections](connections.md#settings-of-the-server) lists them.`,
		run: command{
			dir: "executor", pkg: "./postgres ./mysql ./duckdb",
			test: "^(TestSession_TakesNoSettingFromTheRoleThatChangesRows|TestSession_TakesNoSettingFromTheServerThatChangesRows|TestSession_TakesNoSettingFromTheSetupThatChangesRows|TestSession_EachSettingIsTurnedByTheTest)$", env: needServers,
		},
		rows: `^TestSession_TakesNoSettingFrom\w+(?:/mariadb)?$`,
		figures: []figure{
			{name: "settings", key: "settings", of: sum, aims: from(40)},
			{name: "immune", key: "immune", of: sum, aims: from(40)},
			{name: "open", key: "open", of: sum, aims: equal(0)},
		},
	}
}

func random() promise {
	return promise{
		name: "random", says: "Every engine answers a random question as the meaning of queries has it",
		how: `Random models over random rows, full of NULLs, keys that nobody has, ties and gaps, are asked
random questions: several facts, roles, windows, derived metrics, parameters, levels of
detail, encoded time, filters, ranges. DuckDB, PostgreSQL, MariaDB and SQLite have to answer
as a reference evaluator does, which was written from the meaning of queries and shares no
planning with the engine; where the engine refuses, the reference knows a cause of that
code, and the query that the refusal suggests has to work. A question that no two engines
answer alike in floating point counts as open; where DuckDB meets an internal error of its own,
nothing is compared with it. A difference is made smaller and printed
as a case.`,
		run: command{
			dir: "integration", pkg: "./properties", test: "^TestTheEngineAnswersLikeTheReference$", flags: []string{"-timeout=120m"},
			env: manyQuestions(), shortEnv: fewQuestions,
		},
		rows: `^TestTheEngineAnswersLikeTheReference$`,
		figures: []figure{
			{name: "differences", key: "mismatches", aims: equal(0)},
			{name: "questions", key: "questions", aims: orShort(from(10_000), 200)},
			{name: "on servers too", key: "on-servers", aims: orShort(from(10_000), 50)},
			{name: "answered", key: "answered"},
			{name: "refused", key: "refused"},
			{name: "open", key: "unsure"},
			{name: "at which DuckDB fails by itself", key: "duckdb-defects"},
			{name: "engines", key: "engines", of: words},
			{name: "first seed", key: "seed", of: words},
		},
	}
}

func referenceItself() promise {
	return promise{
		name: "reference", says: "The reference answers what people wrote down by hand",
		how: `The reference evaluator is held to the answers of the corpus, which were written from the
questions. Texts that are no query are not its to judge.`,
		run:  command{dir: "integration", pkg: "./properties", test: "^TestTheReferenceGivesTheAnswersOfTheCorpus$"},
		rows: `^TestTheReferenceGivesTheAnswersOfTheCorpus$`,
		figures: []figure{
			{name: "cases judged", key: "judged", aims: from(500)},
			{name: "cases", key: "cases"},
		},
	}
}

func corpus() promise {
	return promise{
		name: "corpus", says: "Every case of the corpus has its answer on every engine",
		how: "Each case is a question with an answer that was written by hand: plain SQL over the tables, or the rows.",
		run: command{
			dir: "integration", pkg: ".", test: "^TestEveryCaseGivesItsAnswer$", flags: []string{"-timeout=30m"}, env: needServers,
		},
		rows: `^TestEveryCaseGivesItsAnswer/(\w+)$`, head: "engine",
		figures: []figure{
			{name: "cases equal", key: "equal", aims: from(500)},
			{name: "different", key: "different", aims: equal(0)},
		},
	}
}

func guests() promise {
	return promise{
		name: "guests", says: "SQLite answers every case, or says with a code that it cannot",
		how: `Its rows are compared with what DuckDB answers to the hand-written SQL. What it refuses is
listed, with the code; a case that is listed and works is an error.`,
		run:  command{dir: "integration", pkg: ".", test: "^TestEveryCaseGivesItsAnswerOnSQLite$"},
		rows: `^TestEveryCaseGivesItsAnswerOnSQLite$`,
		figures: []figure{
			{name: "cases equal", key: "equal", aims: from(500)},
			{name: "refused as listed", key: "refused"},
		},
	}
}

func expressions() promise {
	return promise{
		name: "expressions", says: "An expression means the same on every engine",
		how:  "A table of expressions with the values that they have to have.",
		run:  command{dir: "integration", pkg: "./exprs", test: "^TestExpressionsMeanTheSameOnEveryEngine$", env: needServers},
		rows: `^TestExpressionsMeanTheSameOnEveryEngine/(\w+)$`, head: "engine",
		figures: []figure{
			{name: "equal", key: "equal", aims: from(200)},
			{name: "different", key: "different", aims: equal(0)},
		},
	}
}

func types() promise {
	return promise{
		name: "types", says: "A value reads the same from every engine, in JSON and in Arrow",
		how:  "The table of [types](types.md), value by value.",
		run:  command{dir: "integration", pkg: "./types", test: "^TestAValueIsTheSameOnEveryEngine$", env: needServers},
		rows: `^TestAValueIsTheSameOnEveryEngine/(\w+)$`, head: "engine",
		figures: []figure{
			{name: "equal", key: "equal", aims: from(10)},
			{name: "different", key: "different", aims: equal(0)},
		},
	}
}

func laws() promise {
	return promise{
		name: "laws", says: "Laws of aggregation hold on random models",
		how: `No reference is asked here: a safe group-by never changes the total, sums of parts roll up, a
condition, its negation and the unknown make the whole, the order of conditions, metrics
and the model changes nothing, ranges that touch add up, and more of the kind.`,
		run: command{
			dir: "integration", pkg: "./properties", flags: []string{"-timeout=120m"}, env: manyQuestions(), shortEnv: fewQuestions,
			test: "^(TestASafeGroupByNeverChangesTheTotal|TestAdditiveMetricsRollUp|TestAConditionItsNegationAndTheUnknownMakeTheWhole|TestDisjointRangesAddUp|" +
				"TestTheOrderOfTheMetricsDoesNotMatter|TestTheSQLDoesNotDependOnTheOrderOfTheModel|TestTheOrderOfConditionsDoesNotMatter|TestAConditionOnGroupsHidesRowsOfWindows|" +
				"TestTwoCompilationsGiveOneText|TestATaggedRangeIsTheRangeByItself|TestAListOfValuesIsEachValueByItself|TestADerivedFilterIsACondition|TestALimitKeepsTheFirstRows|" +
				"TestTheLastOfARunningSumIsTheTotal|TestADetailQueryHasOneRowForEachRowOfItsRoot)$",
		},
		rows: `^Test(\w+)$`, head: "law", spelled: true,
		figures: []figure{
			{name: "comparisons", key: "comparisons", aims: orShort(from(10), 1)},
			{name: "broken", key: "broken", aims: equal(0)},
		},
	}
}

func attributions() promise {
	return promise{
		name: "attributions", says: "Attributions add up",
		how: `Attributions of random metrics, held to the metric plane: their totals are the metric's values,
their segments add up to the change, and a drill-down finds its segment's values.`,
		run: command{
			dir: "integration", pkg: "./properties", test: "^TestAttributionsAddUp$", flags: []string{"-timeout=60m"}, env: manyQuestions(), shortEnv: fewQuestions,
		},
		rows: `^TestAttributionsAddUp$`,
		figures: []figure{
			{name: "term-wise", key: "term_wise", aims: orShort(from(50), 1)},
			{name: "of a mix", key: "mix_shift", aims: orShort(from(50), 0)},
			{name: "of factors", key: "factor_shapley", aims: orShort(from(50), 0)},
			{name: "totals only", key: "unsupported"},
			{name: "refused", key: "refused"},
		},
	}
}

func closure() promise {
	return promise{
		name: "closure", says: "A suggested retry leads to a query that works",
		how: `Every suggestion of every refused case is merged into its query: the query then runs, or is
refused for another reason whose suggestion is followed in turn, three at the most. (So it is
for the refusals of random questions, above.)`,
		run:  command{dir: "integration", pkg: ".", test: "^TestASuggestedRetryLeadsOut$"},
		rows: `^TestASuggestedRetryLeadsOut$`,
		figures: []figure{
			{name: "stuck", key: "stuck", aims: equal(0)},
			{name: "suggestions followed", key: "suggestions", aims: from(50)},
			{name: "codes that suggest", key: "codes"},
		},
	}
}

func coverage() promise {
	return promise{
		name: "codes", says: "Every error code that a query can meet has a case",
		how: `The registry of codes against the refusals of the corpus. Codes of attributions have their tests
in the planner, and the code of a defect can have none.`,
		run:  command{dir: "integration", pkg: ".", test: "^TestEveryCodeOfAQueryHasACase$"},
		rows: `^TestEveryCodeOfAQueryHasACase$`,
		figures: []figure{
			{name: "without a case", key: "missing", aims: equal(0)},
			{name: "raised", key: "raised", aims: from(30)},
		},
	}
}

func attributionRetries() promise {
	return promise{
		name: "retries", says: "A suggested retry of an attribution leads to one that is made",
		how:  "The same for attributions; and every code that suggests a query has a case of it.",
		run:  command{dir: "integration", pkg: ".", test: "^(TestASuggestedAttributionWorks|TestEveryCodeThatSuggestsAQueryHasACaseOfIt)$"},
		rows: `^(?:TestASuggestedAttributionWorks|TestEveryCodeThatSuggestsAQueryHasACaseOfIt)$`,
		figures: []figure{
			{name: "suggestions followed", key: "suggestions", aims: from(5)},
			{name: "codes that suggest a query", key: "codes", aims: from(10)},
		},
	}
}

func situations() promise {
	return promise{
		name: "situations", says: "Every error code of the server and of executing is raised",
		how: `The codes that no query raises by itself: of the server, of connections and of warehouses. Each is
brought about and answered with its status.`,
		run:     command{dir: "integration", pkg: ".", test: "^TestEveryCodeOfASituationIsRaised$", env: needServers},
		rows:    `^TestEveryCodeOfASituationIsRaised$`,
		figures: []figure{{name: "codes raised", key: "codes", aims: from(10)}},
	}
}

func surfaces() promise {
	return promise{
		name: "surfaces", says: "Whoever asks gets the same bytes",
		how: `Every question of the corpus in process, over HTTP, on the command line and as a tool of MCP: the
same SQL or the same error, byte by byte. Texts that are no query of their shape a tool
refuses in words, as its interface has it; they are not compared.`,
		run:  command{dir: "cmd", pkg: "./internal/surfaces", test: "^TestEverySurfaceAnswersWithTheSameBytes$"},
		rows: `^TestEverySurfaceAnswersWithTheSameBytes$`,
		figures: []figure{
			{name: "different", key: "different", aims: equal(0)},
			{name: "answers compared", key: "compared", aims: from(2000)},
			{name: "questions", key: "questions"},
			{name: "refused questions", key: "refused"},
		},
	}
}
