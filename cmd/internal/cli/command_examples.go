package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// commandExamples are shown in the help of each command. They run in a directory where
// `semlayer init` has written the bundled model and data, beside the files to import and a policies file;
// before.yaml is a copy of the model.
var commandExamples = map[string][]string{
	"semlayer":        {"semlayer demo", "semlayer init retail-demo"},
	"semlayer serve":  {"semlayer serve --model retail.yaml --db retail.duckdb", "semlayer serve --model retail.yaml --bind 127.0.0.1:9000 --disable-execute"},
	"semlayer config": {"semlayer config --model retail.yaml", "semlayer config --model retail.yaml --pool-size 4 --format json"},
	"semlayer demo":   {"semlayer demo", "semlayer demo --bind 127.0.0.1:9000"},
	"semlayer init":   {"semlayer init retail-demo", "semlayer init my-model --from retail.duckdb"},
	"semlayer import": {
		"semlayer import metricflow orders.yml -o orders.yaml",
		"semlayer import metricflow orders.yml -o orders.yaml --report report.json --source-prefix analytics.marts",
		"semlayer import cube cubes.yml -o cubes.yaml",
	},
	"semlayer mcp":      {"semlayer mcp --model retail.yaml --db retail.duckdb", "semlayer mcp --model retail.yaml --print-config"},
	"semlayer check":    {"semlayer check", "semlayer check --url http://127.0.0.1:8081 --timeout-secs 3"},
	"semlayer licenses": {"semlayer licenses", "semlayer help licenses"},
	"semlayer version":  {"semlayer version", "semlayer --version"},
	"semlayer help":     {"semlayer help query", "semlayer help list dimensions"},
	"semlayer sql": {
		`semlayer sql "SELECT DATE_TRUNC('month', order_date), MEASURE(revenue) FROM orders GROUP BY 1 ORDER BY 1" --model retail.yaml --db retail.duckdb`,
		`semlayer sql "SELECT region, MEASURE(revenue) FROM retail GROUP BY region" --model retail.yaml --compile --dialect snowflake`,
	},
	"semlayer validate": {
		"semlayer validate retail.yaml",
		"semlayer validate retail.yaml --format json",
		"semlayer validate retail.yaml --db retail.duckdb",
		"semlayer validate retail.yaml --db retail.duckdb --max-rows 0 --skip relationship_unmatched",
	},
	"semlayer fmt": {
		"semlayer fmt retail.yaml",
		"semlayer fmt --diff retail.yaml",
	},
	"semlayer schema": {
		"semlayer schema",
		"semlayer schema --kind test",
	},
	"semlayer info": {
		"semlayer info --model retail.yaml",
		"semlayer info --model retail.yaml --sem-basic --format json",
	},
	"semlayer find": {
		`semlayer find "sales by part of the country" --model retail.yaml`,
		"semlayer find customer region --model retail.yaml --kinds dimension --format json",
	},
	"semlayer values": {
		"semlayer values customers.region --model retail.yaml --db retail.duckdb",
		"semlayer values customers.region --model retail.yaml --db retail.duckdb --like nor --format json",
	},
	"semlayer compatible": {
		"semlayer compatible --model retail.yaml --metrics revenue",
		"semlayer compatible --model retail.yaml --group-by customers.region --search orders",
	},
	"semlayer access": {
		"semlayer access check --model retail.yaml --policies policies.yaml",
		`semlayer access explain --model retail.yaml --policies policies.yaml --as '{"roles": ["regional"], "attributes": {"regions": ["north"]}}'`,
	},
	"semlayer access check": {
		"semlayer access check --model retail.yaml --policies policies.yaml",
		"semlayer access check --model retail.yaml --policies policies.yaml --format json",
		"semlayer access check --model retail.yaml --policies policies.yaml --auth-token-file tokens",
	},
	"semlayer access explain": {
		`semlayer access explain --model retail.yaml --policies policies.yaml --as '{"roles": ["regional"], "attributes": {"regions": ["north"]}}'`,
		`semlayer access explain --model retail.yaml --policies policies.yaml --as '{"roles": ["regional"], "attributes": {"regions": []}}' --format json`,
	},
	"semlayer list": {
		"semlayer list metrics --model retail.yaml",
		"semlayer list dimensions --model retail.yaml --metric revenue",
	},
	"semlayer list metrics": {
		"semlayer list metrics --model retail.yaml",
		"semlayer list metrics --model retail.yaml --format csv -o metrics.csv",
	},
	"semlayer list dimensions": {
		"semlayer list dimensions --model retail.yaml",
		"semlayer list dimensions --model retail.yaml --metric revenue",
	},
	"semlayer list datasets": {
		"semlayer list datasets --model retail.yaml",
		"semlayer list datasets --model retail.yaml --format json",
	},
	"semlayer list views": {
		"semlayer list views --model retail.yaml",
		"semlayer list views --model retail.yaml --format json",
	},
	"semlayer list saved": {
		"semlayer list saved --model retail.yaml",
		"semlayer list saved --model retail.yaml --format json",
	},
	"semlayer list connections": {
		"semlayer list connections --model retail.yaml",
		"semlayer list connections --model retail.yaml --format json",
	},
	"semlayer rollup": {
		"semlayer rollup list --model retail.yaml",
		"semlayer rollup list --model retail.yaml --format csv -o rollups.csv",
	},
	"semlayer rollup sql": {
		"semlayer rollup sql orders_daily --model rolled.yaml",
		"semlayer rollup sql orders_daily --model rolled.yaml --dialect snowflake --select",
	},
	"semlayer rollup check": {
		"semlayer rollup check orders_daily --model rolled.yaml --db retail.duckdb",
		"semlayer rollup check --all --model rolled.yaml --db retail.duckdb --format json",
	},
	"semlayer rollup refresh": {
		"semlayer rollup refresh orders_daily --model rolled.yaml --db retail.duckdb",
		"semlayer rollup refresh --all --model rolled.yaml --db retail.duckdb --dry-run --format table",
	},
	"semlayer rollup suggest": {
		"semlayer rollup suggest --model retail.yaml --json queries.jsonl",
		"semlayer rollup suggest --model retail.yaml --json queries.jsonl orders.jsonl",
	},
	"semlayer rollup list": {
		"semlayer rollup list --model retail.yaml",
		"semlayer rollup list --model retail.yaml --format json",
	},
	"semlayer query": {
		"semlayer query --model retail.yaml --db retail.duckdb --metrics revenue,order_count --group-by customers.region --order -revenue",
		"semlayer query --model retail.yaml --db retail.duckdb --metrics revenue --group-by metric_time:month --where \"customers.region = 'north'\"",
		"semlayer query --model retail.yaml --db retail.duckdb --metrics revenue --group-by customers.region --totals '' --share revenue",
	},
	"semlayer compile": {
		"semlayer compile --model retail.yaml --metrics revenue --group-by metric_time:month --dialect postgres",
		`semlayer compile --model retail.yaml --json '{"metrics":["revenue"],"group_by":[{"field":"customers.region"}]}'`,
	},
	"semlayer explain": {
		"semlayer explain --model retail.yaml --metrics revenue --group-by customers.region",
		"semlayer explain --model retail.yaml --metrics revenue --start 2024-01-01 --end 2024-07-01",
	},
	"semlayer select": {
		"semlayer select --model retail.yaml --db retail.duckdb --from orders --fields order_id,order_date,customers.region --limit 5",
		"semlayer select --model retail.yaml --from orders --fields order_id,status --where \"status = 'completed'\" --sql",
	},
	"semlayer attribute": {
		"semlayer attribute --model retail.yaml --db retail.duckdb --metric revenue --dimensions customers.region,orders.status" +
			" --baseline 2024-01-01..2024-02-01 --current 2024-02-01..2024-03-01",
		"semlayer attribute --model retail.yaml --db retail.duckdb --metric revenue --dimensions customers.region" +
			" --baseline 2024-01-01..2024-02-01 --current 2024-02-01..2024-03-01 --format json",
	},
	"semlayer lineage": {
		"semlayer lineage net_revenue --model retail.yaml",
		"semlayer lineage --model retail.yaml --format mermaid",
	},
	"semlayer diff": {
		"semlayer diff before.yaml retail.yaml",
		"semlayer diff before.yaml retail.yaml --fail-on changed --format markdown",
		"semlayer diff before.yaml retail.yaml --policies policies.yaml",
	},
	"semlayer test": {
		"semlayer test --model retail.yaml --db retail.duckdb",
		"semlayer test orders.test.yaml --model retail.yaml --db retail.duckdb --run revenue --format junit",
		"semlayer test readers.yaml --model retail.yaml --db retail.duckdb --policies policies.yaml",
	},
	"semlayer explain-code": {
		"semlayer explain-code fan_out_risk",
		"semlayer explain-code timeout --format json",
	},
}

// addCommandExamples puts its examples into the help of each command.
func addCommandExamples(cmd *cobra.Command) {
	for _, line := range commandExamples[cmd.CommandPath()] {
		cmd.Example += "  " + line + "\n"
	}
	cmd.Example = strings.TrimSuffix(cmd.Example, "\n")
	for _, c := range cmd.Commands() {
		addCommandExamples(c)
	}
}
