package main

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
