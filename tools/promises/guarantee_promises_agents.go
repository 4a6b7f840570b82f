package main

// agentPackage is the package that measures questions in plain words.
const agentPackage = "./agents"

func agentCoveragePromise() promise {
	return promise{
		name: "agents-coverage", sentence: "Questions in plain words have a query with the rows of SQL by hand",
		method: `120 questions about a retailer, a warehouse in the manner of TPC-DS and a clinic of 26 datasets, each with SQL
by hand and the body of a query. Both are run on the small data of the model, and on generated data with 1,000 times as
many rows, null keys, keys without a row, and months without rows.`,
		run: measureCommand{
			dir: "integration", pkg: agentPackage, test: "^TestCoverage_BodiesGiveRowsOfSQLByHand$",
			env: map[string]string{"SEMLAYER_AGENTS_COPIES": "1000"}, shortEnv: map[string]string{"SEMLAYER_AGENTS_COPIES": "20"},
		},
		rows: `^TestCoverage_BodiesGiveRowsOfSQLByHand/(\w+)/(\w+)$`, rowHeader: "model, data",
		figures: []measuredFigure{
			{name: "questions", key: "questions", aims: atLeastTarget(40)},
			{name: "share with equal rows", key: "equal", aims: atLeastTarget(0.95)},
			{name: "other rows", key: "different", aims: exactTarget(0)},
		},
	}
}

func agentRetrievalPromise() promise {
	return promise{
		name: "agents-retrieval", sentence: "find has the names that a question needs among its first hits",
		method: `The questions of the coverage, and a phrase for each of 105 names. The figures are the shares of the names that
are among the first five hits of find, or among as many as the question needs: with the synonyms of the model, without
any, and with one letter of each text wrong. The seed of the wrong letters is 28, 9.`,
		run:  measureCommand{dir: "integration", pkg: agentPackage, test: "^TestRetrieval_FindsNamesOfQuestions$"},
		rows: `^TestRetrieval_FindsNamesOfQuestions/(\w+)$`, rowHeader: "condition",
		figures: []measuredFigure{
			{name: "of questions", key: "questions", aims: []figureTarget{
				{is: targetAtLeast, bound: 0.92, row: "with synonyms"}, {is: targetAtLeast, bound: 0.83, row: "without synonyms"},
				{is: targetAtLeast, bound: 0.90, row: "with a typo"},
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
		name: "agents-repair", sentence: "A broken query repairs itself from its errors",
		method: `The bodies of the questions are broken in ten ways. A robot of 60 lines may only merge the suggested retry, or
replace the refused name by the first candidate or else by the first hit of find. Solved is a body with the rows of the
sound one within three calls. The seed is 28, 10.`,
		run:  measureCommand{dir: "integration", pkg: agentPackage, test: "^TestRepair_RobotSolvesBrokenBodies$"},
		rows: `^TestRepair_RobotSolvesBrokenBodies$`,
		figures: []measuredFigure{
			{name: "broken bodies", key: "bodies", aims: atLeastTarget(600)},
			{name: "solved", key: "solved", aims: atLeastTarget(0.98)},
			{name: "other rows without a warning", key: "different", aims: exactTarget(0)},
			{name: "bytes read for a solved body, median", key: "bytes", aims: atMostTarget(6000)},
		},
	}
}
