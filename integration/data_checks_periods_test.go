package integration_test

// periodFaults lists faults of calendars whose periods do not have whole buckets of the declared grain.
func periodFaults() []plantedFault {
	const table = "CREATE TABLE cal (d DATE, fy INTEGER);\nINSERT INTO cal VALUES ('2024-01-30', 1), ('2024-01-31', 1), "
	model := func(period, modelKeys string) string {
		return modelOf([]string{modelDataset("cal", "cal", "    primary_key: [d]\n    custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"calendar\": {\"date\": \"d\", \"periods\": {\"fiscal_year\": "+period+"}}}'}]\n",
			modelField("d", "Date", "", ""), modelField("fy", "Integer", "", ""))}, "", metricLine("n", "COUNT(cal.d)")) + modelKeys
	}
	months, clean := model(`{"field": "fy", "whole": "month"}`, ""), table+"('2024-02-01', 2), ('2024-02-02', 2);\n"
	finding := func(grain, bucket string) []string {
		return []string{"error period_not_whole at datasets[0]: the period fiscal_year is declared with whole " + grain + "s, and the days of the " + grain + " `" + bucket + "` are in several periods of cal.fy"}
	}
	const sundays = "custom_extensions: [{vendor_name: SEMLAYER, data: '{\"v\": \"1.10\", \"week_start\": \"sunday\"}'}]\n"
	return []plantedFault{
		{
			name: "a period that begins within a month", model: months, clean: clean,
			data: table + "('2024-02-01', 1), ('2024-02-02', 2), ('2024-03-01', 2), ('2024-03-02', 3);\n", want: finding("month", "2024-02-01"),
		},
		{
			name: "a period that ends within a month", model: months, clean: clean,
			data: table + "('2024-02-01', NULL), ('2024-01-29', NULL);\n", want: finding("month", "2024-01-01"),
		},
		{
			name: "weeks of the model", model: model(`{"field": "fy", "whole": "week"}`, sundays), clean: table + "('2024-02-03', 1), ('2024-02-04', 2), ('2024-02-10', 2);\n",
			data: table + "('2024-02-04', 1), ('2024-02-05', 2);\n", want: finding("week", "2024-02-04"),
		},
	}
}
