package main

func filteredCopyPromise() promise {
	return promise{
		name: "filtered_copy", sentence: "A reader gets the rows of tables that hold only what it may see",
		method: `Random models, rows and queries, under random policies: one role or two, rules over own fields and over
relationships with attributes, masks, hidden fields, revealed metrics. The reference evaluator, which has no policies, gets the
admitted rows with masked values, filtered by code that shares nothing with the engine; every engine must return its rows.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestReaders_SeeAFilteredCopy$", flags: []string{"-timeout=180m"},
			env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestReaders_SeeAFilteredCopy$`,
		figures: []figureDefinition{
			{name: "differences", key: "mismatches", aims: exactTarget(0)},
			{name: "questions", key: "questions", aims: withShortFormBound(atLeastTarget(10_000), 200)},
			{name: "engines", key: "engines", of: aggregationVerbatim},
		},
	}
}

func nonInterferencePromise() promise {
	return promise{
		name: "interference", sentence: "A reader learns nothing of what it may not see",
		method: `Two databases differ in what a random policy keeps from a reader: rows, hidden columns, values under masks, whole tables,
with words that no cast accepts, numbers out of range, keys that match nothing, NaN. Every response over one must have the bytes
of the other, and none of the words: rows, errors, candidates, plans, lists, values, attributions. The order of rows is left out.`,
		run: measurementCommand{
			dir: "integration", pkg: "./properties", test: "^TestReaders_LearnNothingOfWhatTheyDoNotSee$", flags: []string{"-timeout=180m"},
			env: manyRandomQueriesEnvVariables(), shortEnv: shortPropertiesEnv,
		},
		rows: `^TestReaders_LearnNothingOfWhatTheyDoNotSee$`,
		figures: []figureDefinition{
			{name: "leaks", key: "leaks", aims: exactTarget(0)},
			{name: "questions", key: "pairs", aims: withShortFormBound(atLeastTarget(10_000), 200)},
			{name: "requests", key: "requests"},
			{name: "of the surface with the fewest", key: "of-a-surface", aims: withShortFormBound(atLeastTarget(500), 2)},
			{name: "changed rows", key: "changed-rows", aims: withShortFormBound(atLeastTarget(1_000), 20)},
			{name: "engines", key: "engines", of: aggregationVerbatim},
		},
	}
}
