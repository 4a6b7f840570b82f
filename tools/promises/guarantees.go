package main

// allPages returns all pages, in the order in which they are measured.
func allPages() []resultsPage { return []resultsPage{guaranteesPage(), benchmarksPage()} }

// guaranteesPage returns the page of guarantees.
func guaranteesPage() resultsPage {
	return resultsPage{
		name: "promises", title: "Promises", strict: true,
		intro: `What this service guarantees. Each guarantee lists its measurements, its targets and the command
that repeats the measurement. Run it from the repository root; ` + "`make proof`" + ` runs them all. The
[benchmarks](benchmarks.md) measure speed.`,
		sections: []pageSection{
			{"Correct results", []promise{randomQueriesPromise(), randomStatementsPromise(), rollupsPromise(), outerSQLPromise(), referenceMatchesHandWrittenResultsPromise(), corpusOnEveryEnginePromise(), sqliteCorpusPromise(), expressionsOnEveryEnginePromise(), sameValuesAcrossEnginesPromise(), rowsUnaffectedByServerSettingsPromise(), aggregationLawsPromise(), windowLawsPromise(), timeZoneHourBucketsPromise(), attributionSumsPromise(), dataCheckFindsFaultsPromise()}},
			{"Access", []promise{filteredCopyPromise(), nonInterferencePromise()}},
			{"Questions in plain words", []promise{agentCoveragePromise(), agentFindRetrievalPromise(), agentRepairPromise(), agentInitialContextSizePromise(), agentFirstResponseSizePromise()}},
			{"Errors", []promise{suggestedRetriesPromise(), attributionRetriesPromise(), queryErrorCodeCoveragePromise(), serverErrorCodeCoveragePromise()}},
			{"One service, several interfaces", []promise{identicalInterfacesPromise(), statementEqualsQueryPromise()}},
			{"The PostgreSQL port", []promise{postgresPortCataloguePromise(), postgresPortClientsPromise(), postgresPortEqualValuesPromise(), postgresPortIdleSessionMemoryPromise()}},
			{"Hostile input", []promise{injectionPromise(), hostileClientsPromise(), worstQueryCompileTimePromise(), fuzzingPromise(), secretLeaksPromise(), slowClientsPromise()}},
			{"Limits and faults", []promise{executionLimitRejectionPromise(), gracefulShutdownPromise(), brokenResponsesPromise(), driverFaultsPromise(), timeoutsPromise(), modelReloadUnderTrafficPromise()}},
			{"No growth", []promise{goroutineLeaksPromise(), streamMemoryGrowthPromise(), soakPromise()}},
		},
	}
}

// requireServersEnv makes a missing server a failure.
var requireServersEnv = map[string]string{"SEMLAYER_REQUIRE_SERVERS": "postgres,mariadb"}

func withEnvVariables(env map[string]string, more ...string) map[string]string {
	out := map[string]string{}
	for name, value := range env {
		out[name] = value
	}
	for i := 0; i+1 < len(more); i += 2 {
		out[more[i]] = more[i+1]
	}
	return out
}

// shortPropertiesEnv is the short form of the properties.
var shortPropertiesEnv = map[string]string{"SEMLAYER_PROPERTY_QUERIES": "200", "SEMLAYER_PROPERTY_SEED": "4"}

func manyRandomQueriesEnvVariables() map[string]string {
	return withEnvVariables(requireServersEnv, "SEMLAYER_PROPERTY_QUERIES", "10000", "SEMLAYER_PROPERTY_SEED", "random")
}

func rollupsPromise() promise {
	return promise{
		name: "rollups", sentence: "A query has the same rows over rollups and over the base tables",
		method: `Random models have random rollups: those that are suggested for a question, copies of them that differ in a part, and others.
Random queries run with rollups and without on DuckDB, PostgreSQL, MariaDB and SQLite. Where a branch reads a
rollup, both must have the rows of each other and of the reference evaluator, which has no rollups; where none does, the SQL must
be that without rollups. An error must be the same with rollups and without. The share is that of the engine with the least, of
all branches that compile. The rarest rule is the one that the fewest rollups failed first.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestRollups_HaveTheRowsOfTheReferenceOnEveryEngine$", flags: []string{"-timeout=180m"},
			env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestRollups_HaveTheRowsOfTheReferenceOnEveryEngine$`,
		figures: []figureDefinition{
			{name: "differences", key: "differences", aims: exactTarget(0)},
			{name: "questions", key: "questions", aims: withShortFormBound(atLeastTarget(10_000), 50)},
			{name: "that compile on every engine", key: "compiled"},
			{name: "branches over rollups, percent", key: "routed-percent", aims: withShortFormBound(atLeastTarget(40), 15)},
			{name: "compared on DuckDB", key: "compared-duckdb"},
			{name: "on PostgreSQL", key: "compared-postgres"},
			{name: "on MariaDB", key: "compared-mariadb"},
			{name: "on SQLite", key: "compared-sqlite"},
			{name: "with the reference", key: "with-reference"},
			{name: "rarest rule", key: "rarest-rule", aims: withShortFormBound(atLeastTarget(100), 0)},
			{name: "first seed", key: "seed", of: aggregationVerbatim},
		},
	}
}

func rowsUnaffectedByServerSettingsPromise() promise {
	return promise{
		name: "settings", sentence: "No setting of a server changes the rows of our sessions",
		method: `A role, a user, a database or a whole server can have settings that truncate results, change
comparisons or change the format of values. Each of those that sessions set is set to a wrong value
on the server, for PostgreSQL, MariaDB and, in the setup of a database, DuckDB, and the
results are compared with those before. A session without our settings must return different rows,
or the comparison would show nothing. [Connections](connections.md#settings-of-the-server) lists them.`,
		run: measurementCommand{
			dir: "executor", pkg: "./postgres ./mysql ./duckdb",
			test: "^(TestSession_TakesNoSettingFromTheRoleThatChangesRows|TestSession_TakesNoSettingFromTheServerThatChangesRows|TestSession_TakesNoSettingFromTheSetupThatChangesRows|TestSession_EachSettingIsTurnedByTheTest)$", env: requireServersEnv,
		},
		rows: `^TestSession_TakesNoSettingFrom\w+(?:/mariadb)?$`,
		figures: []figureDefinition{
			{name: "settings", key: "settings", of: aggregationSum, aims: atLeastTarget(40)},
			{name: "immune", key: "immune", of: aggregationSum, aims: atLeastTarget(40)},
			{name: "open", key: "open", of: aggregationSum, aims: exactTarget(0)},
		},
	}
}

func randomQueriesPromise() promise {
	return promise{
		name: "random", sentence: "Every engine returns the result that the semantics of a random query define",
		method: `Random models over random rows, full of NULLs, foreign keys without a match, ties and gaps, get
random queries: several facts, roles, windows, derived metrics, parameters, levels of
detail, encoded time, filters, ranges. DuckDB, PostgreSQL, MariaDB and SQLite must return
the rows of a reference evaluator, which was written from the semantics of queries and shares no
planning with the engine. Where the engine returns an error, the reference must have a cause for that
code, and the query that the error suggests must work. A query whose result differs between engines
in floating point counts as open; where DuckDB meets its own internal error, nothing is compared
with it. A difference is reduced and printed as a case.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestReference_EngineGivesSameRows$", flags: []string{"-timeout=180m"},
			// Seven of ten questions have a key of those counted.
			env: withEnvVariables(manyRandomQueriesEnvVariables(), "SEMLAYER_PROPERTY_QUERIES", "15000"), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestReference_EngineGivesSameRows$`,
		figures: []figureDefinition{
			{name: "differences", key: "mismatches", aims: exactTarget(0)},
			{name: "questions", key: "questions", aims: withShortFormBound(atLeastTarget(10_000), 200)},
			{name: "on servers too", key: "on-servers", aims: withShortFormBound(atLeastTarget(10_000), 50)},
			{name: "with keys of totals, comparisons, zones and the like", key: "with-keys", aims: withShortFormBound(atLeastTarget(10_000), 50)},
			{name: "with a result", key: "answered"},
			{name: "rejected", key: "refused"},
			{name: "open", key: "unsure"},
			{name: "internal errors of DuckDB", key: "duckdb-defects"},
			{name: "engines", key: "engines", of: aggregationVerbatim},
			{name: "first seed", key: "seed", of: aggregationVerbatim},
		},
	}
}

func randomStatementsPromise() promise {
	return promise{
		name: "random_statements", sentence: "A random statement in SQL has the rows of the query that it spells",
		method: `Queries over random models are written as statements: over the relation of the model, over a
dataset, over joins, over SEMANTIC_VIEW, through derived tables as BI tools write them, and with
parameters. DuckDB, PostgreSQL, MariaDB and SQLite must return for each the rows of its query.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestStatements_HaveTheRowsOfRandomQueries$", flags: []string{"-timeout=180m"},
			env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestStatements_HaveTheRowsOfRandomQueries$`,
		figures: []figureDefinition{
			{name: "differences", key: "mismatches", aims: exactTarget(0)},
			{name: "statements", key: "statements", aims: withShortFormBound(atLeastTarget(10_000), 200)},
			{name: "on servers too", key: "on-servers", aims: withShortFormBound(atLeastTarget(10_000), 50)},
			{name: "engines", key: "engines", of: aggregationVerbatim},
			{name: "first seed", key: "seed", of: aggregationVerbatim},
		},
	}
}

func outerSQLPromise() promise {
	return promise{
		name: "outer_sql", sentence: "Random outer SQL has the rows that DuckDB gives for it over tables",
		method: `The queries of the corpus are the parts of random statements: derived tables, WITH, joins, set operations,
groups, windows, subqueries, orders and limits at every level. DuckDB runs the same text over tables with the rows of
the parts, and must have the rows of the statement.`,
		run: measurementCommand{
			dir: "integration", pkg: "./statements", test: "^TestOuterSQL_HasTheRowsOfTheSameTextOverTables$", flags: []string{"-timeout=60m"},
			env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestOuterSQL_HasTheRowsOfTheSameTextOverTables$`,
		figures: []figureDefinition{
			{name: "differences", key: "different", aims: exactTarget(0)},
			{name: "statements", key: "statements", aims: withShortFormBound(atLeastTarget(10_000), 200)},
			{name: "with rows", key: "with-rows"},
			{name: "parts", key: "parts", aims: atLeastTarget(100)},
			{name: "first seed", key: "seed", of: aggregationVerbatim},
		},
	}
}

func referenceMatchesHandWrittenResultsPromise() promise {
	return promise{
		name: "reference", sentence: "The reference returns the hand-written results",
		method: `The reference evaluator is compared with the results of the corpus, which were written from the
questions. It does not judge input that is not a query.`,
		run:  measurementCommand{dir: "integration", pkg: "./properties", test: "^TestReference_GivesCorpusRows$"},
		rows: `^TestReference_GivesCorpusRows$`,
		figures: []figureDefinition{
			{name: "cases compared", key: "judged", aims: atLeastTarget(500)},
			{name: "cases", key: "cases"},
		},
	}
}

func corpusOnEveryEnginePromise() promise {
	return promise{
		name: "corpus", sentence: "Every case of the corpus has its result on every engine",
		method: "Each case is a question with a hand-written result: plain SQL over the tables, or the rows.",
		run: measurementCommand{
			dir: "integration", pkg: ".", test: "^TestCorpus_Rows$", flags: []string{"-timeout=30m"}, env: requireServersEnv,
		},
		rows: `^TestCorpus_Rows/(\w+)$`, rowHeader: "engine",
		figures: []figureDefinition{
			{name: "cases equal", key: "equal", aims: atLeastTarget(500)},
			{name: "different", key: "different", aims: exactTarget(0)},
		},
	}
}

func sqliteCorpusPromise() promise {
	return promise{
		name: "guests", sentence: "SQLite returns the result of every case, or an error code",
		method: `Its rows are compared with the rows of the hand-written SQL on DuckDB. The cases that it rejects are
listed, with the code; a case that is listed and works is an error.`,
		run:  measurementCommand{dir: "integration", pkg: ".", test: "^TestCorpus_RowsOnSQLite$"},
		rows: `^TestCorpus_RowsOnSQLite$`,
		figures: []figureDefinition{
			{name: "cases equal", key: "equal", aims: atLeastTarget(500)},
			{name: "rejected as listed", key: "refused"},
		},
	}
}

func expressionsOnEveryEnginePromise() promise {
	return promise{
		name: "expressions", sentence: "An expression means the same on every engine",
		method: "A table of expressions with their expected values.",
		run:    measurementCommand{dir: "integration", pkg: "./expressions", test: "^TestExpressions_SameOnEveryEngine$", env: requireServersEnv},
		rows:   `^TestExpressions_SameOnEveryEngine/(\w+)$`, rowHeader: "engine",
		figures: []figureDefinition{
			{name: "equal", key: "equal", aims: atLeastTarget(200)},
			{name: "different", key: "different", aims: exactTarget(0)},
		},
	}
}

func sameValuesAcrossEnginesPromise() promise {
	return promise{
		name: "types", sentence: "A value reads the same from every engine, in JSON and in Arrow",
		method: "The table of [types](types.md), value by value.",
		run:    measurementCommand{dir: "integration", pkg: "./types", test: "^TestTypes_SameOnEveryEngine$", env: requireServersEnv},
		rows:   `^TestTypes_SameOnEveryEngine/(\w+)$`, rowHeader: "engine",
		figures: []figureDefinition{
			{name: "equal", key: "equal", aims: atLeastTarget(10)},
			{name: "different", key: "different", aims: exactTarget(0)},
		},
	}
}

func aggregationLawsPromise() promise {
	return promise{
		name: "laws", sentence: "Laws of aggregation hold on random models",
		method: `These laws need no reference: a safe group-by never changes the total, sums of parts roll up, a
condition, its negation and the unknown make the whole, the order of conditions, metrics
and the model changes nothing, adjacent ranges add up, and others like these.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", flags: []string{"-timeout=120m"}, env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
			test: "^(TestLaws_SafeGroupByKeepsTheTotal|TestLaws_AdditiveMetricsRollUp|TestLaws_ConditionNegationAndUnknownMakeTheWhole|TestLaws_DisjointRangesAddUp|" +
				"TestLaws_OrderOfMetricsDoesNotMatter|TestLaws_SQLDoesNotDependOnModelOrder|TestLaws_OrderOfConditionsDoesNotMatter|TestLaws_ConditionOnGroupsHidesWindowRows|" +
				"TestLaws_TwoCompilationsGiveTheSameSQL|TestLaws_TaggedRangeEqualsTheRangeAlone|TestLaws_ListOfValuesEqualsEachValueAlone|TestLaws_DerivedFilterEqualsACondition|TestLaws_LimitKeepsTheFirstRows|" +
				"TestLaws_LastRunningSumIsTheTotal|TestLaws_DetailQueryHasOneRowForEachRootRow|TestLaws_PagesMakeTheWholeAnswer|TestLaws_TotalRowEqualsTheQueryWithoutItsDimensions|" +
				"TestLaws_SharesAddToOneAndStayUnderConditions|TestLaws_OtherTopAndNullMakeTheTotal|TestLaws_PreviousEqualsTheQueryOverThePreviousRange|TestLaws_DaysOfAZoneAddToTheRange|" +
				"TestLaws_FilledAndPlainAgreeOnUnfilledRows|TestLaws_DistinctEqualsTheGroupsOfACount|TestLaws_InlineMetricEqualsTheMetricOfTheModel|TestLaws_RelativeRangeEqualsItsBounds|" +
				"TestLaws_LocalFieldEqualsTheFieldOfTheModel|TestLaws_UTCIsNoTimeZone|TestLaws_TextsOfAQueryGiveTheSQLOfTheModelThatHasThem)$",
		},
		rows: `^TestLaws_(\w+)$`, rowHeader: "law", spellTestNames: true,
		figures: []figureDefinition{
			{name: "comparisons", key: "comparisons", aims: withShortFormBound(atLeastTarget(10), 1)},
			{name: "broken", key: "broken", aims: exactTarget(0)},
		},
	}
}

func windowLawsPromise() promise {
	return promise{
		name: "window_laws", sentence: "The value of a window depends on nothing but the question",
		method: `Random queries for windows over random models. Another metric, filled buckets, a narrower time range and another
spelling of a condition must change no value that stays. The figures of an engine are those of the engine with the fewest
answers: SQLite rejects some windows.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestLaws_WindowsDependOnNothingButTheQuestion$", flags: []string{"-timeout=180m"},
			env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestLaws_WindowsDependOnNothingButTheQuestion/(company|fill|range|spelling)$`, rowHeader: "law",
		figures: []figureDefinition{
			{name: "broken", key: "broken", aims: exactTarget(0)},
			{name: "answers of an engine", key: "queries", aims: withShortFormBound(atLeastTarget(5_000), 20)},
			{name: "comparisons", key: "comparisons", aims: withShortFormBound(atLeastTarget(500), 2)},
			{name: "engines", key: "engines", of: aggregationVerbatim},
		},
	}
}

func attributionSumsPromise() promise {
	return promise{
		name: "attributions", sentence: "Attributions add up",
		method: `Attributions of random metrics, compared with the metric plane: their totals are the metric's values,
their segments add up to the change, and a drill-down finds its segment's values.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestAttribution_AddsUp$", flags: []string{"-timeout=60m"}, env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestAttribution_AddsUp$`,
		figures: []figureDefinition{
			{name: "term-wise", key: "term_wise", aims: withShortFormBound(atLeastTarget(50), 1)},
			{name: "of a mix", key: "mix_shift", aims: withShortFormBound(atLeastTarget(50), 0)},
			{name: "of factors", key: "factor_shapley", aims: withShortFormBound(atLeastTarget(50), 0)},
			{name: "totals only", key: "unsupported"},
			{name: "rejected", key: "refused"},
		},
	}
}

func suggestedRetriesPromise() promise {
	return promise{
		name: "closure", sentence: "A suggested retry leads to a query that works",
		method: `Every suggestion of every rejected case is merged into its query: the query then runs, or gets
another error whose suggestion is followed in turn, three at the most. (Random queries, above, follow
the suggestions of their errors too.)`,
		run:  measurementCommand{dir: "integration", pkg: ".", test: "^TestSuggestedRetry_LeadsToWorkingQuery$"},
		rows: `^TestSuggestedRetry_LeadsToWorkingQuery$`,
		figures: []figureDefinition{
			{name: "stuck", key: "stuck", aims: exactTarget(0)},
			{name: "suggestions followed", key: "suggestions", aims: atLeastTarget(50)},
			{name: "codes that suggest", key: "codes"},
		},
	}
}

func queryErrorCodeCoveragePromise() promise {
	return promise{
		name: "codes", sentence: "Every error code that a query can meet has a case",
		method: `The registry of codes against the errors of the corpus. Codes of attributions have their tests
in the planner, and the code of internal errors cannot have one.`,
		run:  measurementCommand{dir: "integration", pkg: ".", test: "^TestErrorCodes_EveryQueryCodeHasCase$"},
		rows: `^TestErrorCodes_EveryQueryCodeHasCase$`,
		figures: []figureDefinition{
			{name: "without a case", key: "missing", aims: exactTarget(0)},
			{name: "raised", key: "raised", aims: atLeastTarget(30)},
		},
	}
}

func attributionRetriesPromise() promise {
	return promise{
		name: "retries", sentence: "Every suggested retry of an attribution works",
		method: "The same for attributions; and every code that suggests a query has a case for it.",
		run:    measurementCommand{dir: "integration", pkg: ".", test: "^(TestSuggestedRetry_AttributionWorks|TestSuggestedRetry_EveryCodeHasCase)$"},
		rows:   `^(?:TestSuggestedRetry_AttributionWorks|TestSuggestedRetry_EveryCodeHasCase)$`,
		figures: []figureDefinition{
			{name: "suggestions followed", key: "suggestions", aims: atLeastTarget(5)},
			{name: "codes that suggest a query", key: "codes", aims: atLeastTarget(10)},
		},
	}
}

func serverErrorCodeCoveragePromise() promise {
	return promise{
		name: "situations", sentence: "Every error code of the server and of executing is raised",
		method: `The codes that no query raises by itself: of the server, of connections and of warehouses. The test
provokes each and checks its status.`,
		run:     measurementCommand{dir: "integration", pkg: ".", test: "^TestErrorCodes_EveryRuntimeCodeIsRaised$", env: requireServersEnv},
		rows:    `^TestErrorCodes_EveryRuntimeCodeIsRaised$`,
		figures: []figureDefinition{{name: "codes raised", key: "codes", aims: atLeastTarget(10)}},
	}
}

func statementEqualsQueryPromise() promise {
	return promise{
		name: "statements", sentence: "A statement in SQL returns the same bytes as the query with the same meaning",
		method: `Every query of the corpus that SQL can say, written over the relation of the model, over datasets and
their joins, over SEMANTIC_VIEW, through derived tables as BI tools write them, and with parameters. The
values of the rows are compared as JSON writes them. A statement is a query in SQL: see [SQL](sql.md).`,
		run: measurementCommand{
			dir: "integration", pkg: "./statements", test: "^TestBytes_StatementsAnswerTheBytesOfTheirQueries$",
			env: longTestsEnv, shortEnv: shortServiceTestsEnv,
		},
		rows: `^TestBytes_StatementsAnswerTheBytesOfTheirQueries$`,
		figures: []figureDefinition{
			{name: "different", key: "different", aims: exactTarget(0)},
			{name: "statements compared", key: "compared", aims: withShortFormBound(atLeastTarget(4000), 1800)},
			{name: "queries", key: "queries"},
			{name: "rows", key: "rows"},
		},
	}
}

func identicalInterfacesPromise() promise {
	return promise{
		name: "surfaces", sentence: "Every interface returns identical bytes",
		method: `Every query of the corpus in process, over HTTP, on the command line and as a tool of MCP: the
same SQL or the same error, byte by byte. A tool rejects input that is not a query of its schema
with a sentence, as its interface specifies; such input is not compared.`,
		run:  measurementCommand{dir: "cmd", pkg: "./internal/paritytest", test: "^TestSurfaces_ReturnSameBytes$", env: longTestsEnv, shortEnv: shortServiceTestsEnv},
		rows: `^TestSurfaces_ReturnSameBytes$`,
		figures: []figureDefinition{
			{name: "different", key: "different", aims: exactTarget(0)},
			{name: "results compared", key: "compared", aims: atLeastTarget(2000)},
			{name: "questions", key: "questions"},
			{name: "rejected queries", key: "refused"},
		},
	}
}

// agentPackage is the package that measures questions in plain words.
const agentPackage = "./agents"

func agentCoveragePromise() promise {
	return promise{
		name: "agents-coverage", sentence: "Questions in plain words have a query with the rows of hand-written SQL",
		method: `120 questions about a retailer, a warehouse in the manner of TPC-DS and a clinic of 26 datasets, each with SQL
by hand and the body of a query. Both are run on the small data of the model, and on generated data with 1,000 times as
many rows, null keys, keys without a row, and months without rows.`,
		run: measurementCommand{
			dir: "integration", pkg: agentPackage, test: "^TestCoverage_BodiesGiveRowsOfSQLByHand$",
			env: map[string]string{"SEMLAYER_AGENTS_COPIES": "1000"}, shortEnv: map[string]string{"SEMLAYER_AGENTS_COPIES": "20"},
		},
		rows: `^TestCoverage_BodiesGiveRowsOfSQLByHand/(\w+)/(\w+)$`, rowHeader: "model, data",
		figures: []figureDefinition{
			{name: "questions", key: "questions", aims: atLeastTarget(40)},
			{name: "share with equal rows", key: "equal", aims: atLeastTarget(0.95)},
			{name: "other rows", key: "different", aims: exactTarget(0)},
		},
	}
}

func agentFindRetrievalPromise() promise {
	return promise{
		name: "agents-retrieval", sentence: "find has the names that a question needs among its first hits",
		method: `The questions of the coverage, and a phrase for each of 105 names. The figures are the shares of the names that
are among the first five hits of find, or among as many as the question needs: with the synonyms of the model, without
any, and with one letter of each text wrong. The seed of the wrong letters is 28, 9. The last row is of the clinic alone,
whose datasets are among 974 others.`,
		run:  measurementCommand{dir: "integration", pkg: agentPackage, test: "^(TestRetrieval_FindsNamesOfQuestions|TestRetrieval_FindsNamesAmongThousandDatasets)$"},
		rows: `^TestRetrieval_\w+/(\w+)$`, rowHeader: "condition",
		figures: []figureDefinition{
			{name: "of questions", key: "questions", aims: []figureTarget{
				{is: targetAtLeast, bound: 0.92, row: "with synonyms"}, {is: targetAtLeast, bound: 0.83, row: "without synonyms"},
				{is: targetAtLeast, bound: 0.90, row: "with a typo"}, {is: targetAtLeast, bound: 0.94, row: "among 1000 datasets"},
			}},
			{name: "of phrases", key: "phrases", aims: []figureTarget{
				{is: targetAtLeast, bound: 0.98, row: "with synonyms"}, {is: targetAtLeast, bound: 0.96, row: "without synonyms"},
				{is: targetAtLeast, bound: 0.98, row: "with a typo"},
			}},
		},
	}
}

func agentRepairPromise() promise {
	return promise{
		name: "agents-repair", sentence: "A program corrects a broken query by the errors that it gets",
		method: `The bodies of the questions are broken in ten ways. A program of 60 lines may only merge the suggested retry, or
replace the rejected name by the first candidate, or else by the first hit of find. A body is solved if the program gets
the rows of the original body within three calls. The seed is 28, 10.`,
		run:  measurementCommand{dir: "integration", pkg: agentPackage, test: "^TestRepair_RobotSolvesBrokenBodies$"},
		rows: `^TestRepair_RobotSolvesBrokenBodies$`,
		figures: []figureDefinition{
			{name: "broken bodies", key: "bodies", aims: atLeastTarget(600)},
			{name: "solved", key: "solved", aims: atLeastTarget(0.98)},
			{name: "other rows without a warning", key: "different", aims: exactTarget(0)},
			{name: "bytes read for a solved body, median", key: "bytes", aims: atMostTarget(6000)},
		},
	}
}

func agentInitialContextSizePromise() promise {
	return promise{
		name: "agents-budgets", sentence: "The text that a language model reads before its first question is limited on every model",
		method: `MCP sessions on 200 generated models of up to 1,000 datasets, with long names and texts in several scripts: the
list of tools, the instructions, and the longest of the lists of metrics, dimensions and datasets. The seed is 28, 4.`,
		run:  measurementCommand{dir: "cmd", pkg: "./internal/mcp", test: "^TestBudgets_HoldOnGeneratedModels$", shortFlags: []string{"-short"}},
		rows: `^TestBudgets_HoldOnGeneratedModels$`,
		figures: []figureDefinition{
			{name: "models", key: "models", aims: withShortFormBound(atLeastTarget(200), 20)},
			{name: "bytes of the list of tools", key: "tools", aims: atMostTarget(8000)},
			{name: "of the instructions", key: "instructions", aims: atMostTarget(4000)},
			{name: "of a list", key: "lists", aims: atMostTarget(8000)},
		},
	}
}

func agentFirstResponseSizePromise() promise {
	return promise{
		name: "agents-cost", sentence: "The first responses to a question are short on models of every size",
		method: `The results of find for a question of six words, and of compatible for a query of one metric, on a model of one
dataset, and on the clinic among others with 200 and 1,000 datasets.`,
		run:  measurementCommand{dir: "integration", pkg: agentPackage, test: "^TestCost_FirstAnswers$"},
		rows: `^TestCost_FirstAnswers/(\d+)$`, rowHeader: "datasets",
		figures: []figureDefinition{
			{name: "bytes of find", key: "find", aims: atMostTarget(8000)},
			{name: "of compatible", key: "compatible", aims: atMostTarget(8000)},
		},
	}
}

func dataCheckFindsFaultsPromise() promise {
	return promise{
		name: "data-faults", sentence: "A check of data finds the planted faults, and nothing else",
		method: `Models are generated from random schemas with hostile names. Against the data that they were made of,
a check finds only the unmatched values that the generator accepts. Then one fault is planted at a time: a duplicate, a
null, an orphan, a renamed table or column, another type. The check must have the finding with its numbers, and no other.`,
		run: measurementCommand{
			dir: "integration", pkg: "./generated", test: "^(TestDataChecks_DuckDB|TestDataChecks_SQLite|TestDataChecks_PostgreSQL|TestDataChecks_MariaDB)$",
			env: withEnvVariables(requireServersEnv, "SEMLAYER_TEST_LONG", "1"), shortEnv: map[string]string{"SEMLAYER_TEST_LONG": ""},
		},
		rows: `^TestDataChecks_(\w+)$`, rowHeader: "engine",
		figures: []figureDefinition{
			{name: "planted faults", key: "planted", aims: withShortFormBound(atLeastTarget(200), 8)},
			{name: "missing or other findings", key: "wrong", aims: exactTarget(0)},
		},
	}
}

func modelReloadUnderTrafficPromise() promise {
	return promise{
		name: "reload", sentence: "A model that changes under traffic fails no request and mixes no revisions",
		method: `200 requests a second over HTTP and MCP, of rows, Arrow, the model and its metrics, to
` + "`semlayer serve --watch`" + ` for 30 s while the file changes 50 times; every tenth text is broken and must be
rejected. The rows, the SQL and the description hold the number of their revision. A response counts as matched
if all of it is of exactly one good revision; a request of both lists has two responses. The heap is
compared after a collection, early on and at the end.`,
		run: measurementCommand{
			dir: "cmd", pkg: "./internal/cli", test: "^TestServe_ReloadsUnderTrafficWithoutAnError$",
			env: longTestsEnv, shortEnv: shortServiceTestsEnv,
		},
		rows: `^TestServe_ReloadsUnderTrafficWithoutAnError$`,
		figures: []figureDefinition{
			{name: "failed requests", key: "failed", aims: exactTarget(0)},
			{name: "responses of no good revision, or of several", key: "unmatched", aims: exactTarget(0)},
			{name: "responses matched", key: "matched", aims: withShortFormBound(atLeastTarget(5000), 300)},
			{name: "requests", key: "requests", aims: withShortFormBound(atLeastTarget(5000), 300)},
			{name: "changes", key: "changes", aims: withShortFormBound(atLeastTarget(50), 11)},
			{name: "rejected texts", key: "rejected", aims: withShortFormBound(exactTarget(5), 1)},
			{name: "heap at the end, of that early on", key: "heap-ratio", aims: atMostTarget(1.3)},
		},
	}
}

func timeZoneHourBucketsPromise() promise {
	return promise{
		name: "zone-hours", sentence: "Every hour of a year is in the buckets of its time zone",
		method: `The beginning and the last quarter of each hour of 2024 are grouped by hour, day, week and month in eight time
zones, on DuckDB, PostgreSQL, MariaDB, SQLite and each further server that is named. The buckets are those that Go's
own zone data gives. The zones change by an hour and by half an hour, in either half of the world, at midnight, or never.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestZones_HoursAreInTheBucketsOfGo$", flags: []string{"-timeout=60m"},
			env: withEnvVariables(requireServersEnv, "SEMLAYER_TEST_LONG", "1"), shortEnv: map[string]string{"SEMLAYER_TEST_LONG": ""},
		},
		rows: `^TestZones_HoursAreInTheBucketsOfGo$`,
		figures: []figureDefinition{
			{name: "different", key: "different", aims: exactTarget(0)},
			{name: "instants compared", key: "compared", aims: withShortFormBound(atLeastTarget(4*8*17_568), 4*8*500)},
			{name: "zones", key: "zones", aims: atLeastTarget(8)},
			{name: "engines", key: "engines", of: aggregationVerbatim},
		},
	}
}
