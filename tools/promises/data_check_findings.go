package main

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
