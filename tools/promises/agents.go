package main

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
