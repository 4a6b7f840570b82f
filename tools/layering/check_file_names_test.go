package layering_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/semlayer/semlayer/tools/layering"
)

// misnamedFiles are the files that still have another name than the rule asks for. The list only gets shorter.
var misnamedFiles = []string{
	"cmd/internal/cli/advanced_metric_query_flags.go",
	"cmd/internal/cli/check_server_or_connections_command.go",
	"cmd/internal/cli/check_server_or_connections_command_test.go",
	"cmd/internal/cli/column_widths_and_rounding.go",
	"cmd/internal/cli/column_widths_and_rounding_test.go",
	"cmd/internal/cli/find_and_compatible_commands.go",
	"cmd/internal/cli/format_number_by_column_format.go",
	"cmd/internal/cli/format_number_by_column_format_test.go",
	"cmd/internal/cli/help_and_unknown_commands.go",
	"cmd/internal/cli/in_memory_shell_history.go",
	"cmd/internal/cli/info_command_format_and_counts.go",
	"cmd/internal/cli/model_flags_and_generation_note.go",
	"cmd/internal/cli/open_engine_and_print_warnings.go",
	"cmd/internal/cli/output_formats_and_text_table.go",
	"cmd/internal/cli/terminal_style_and_progress.go",
	"cmd/internal/cli/terminal_style_and_progress_test.go",
	"cmd/internal/collector/garbage_collection_percent_by_heap_floor.go",
	"cmd/internal/collector/garbage_collection_percent_by_heap_floor_test.go",
	"cmd/internal/filewatch/folders_to_watch_for_paths.go",
	"cmd/internal/mcp/http_handler_with_call_cancel_notifications.go",
	"cmd/internal/mcp/tool_list_without_default_hints.go",
	"cmd/internal/reload/data_paths_to_watch.go",
	"engine/check_connection_and_sources.go",
	"engine/check_connection_and_sources_test.go",
	"engine/compile_errors_and_warnings.go",
	"engine/datacheck/can_read_all_upstream_objects.go",
	"engine/datacheck/check_overlapping_validity.go",
	"engine/datacheck/compile_fields_and_find_nearest_tables.go",
	"engine/datacheck/compile_metrics_on_warehouse.go",
	"engine/datacheck/dataset_rows_plans_and_exprs.go",
	"engine/datacheck/format_values_in_messages.go",
	"engine/datacheck/time_format_and_granularity_mismatches.go",
	"engine/describe/metric_definition_in_one_line.go",
	"engine/describe/window_fill_and_semi_additive_words.go",
	"engine/describe_and_prepare_sql.go",
	"engine/engine_capabilities_and_versions.go",
	"engine/execute_metrics_in_slot.go",
	"engine/execute_metrics_in_slot_test.go",
	"engine/execution_slots_and_pools.go",
	"engine/fields_compared_ignoring_case.go",
	"engine/fields_compared_ignoring_case_test.go",
	"engine/find/match_word_against_vocabulary.go",
	"engine/find/split_and_stem_words.go",
	"engine/find/value_to_text_likeness_scorer.go",
	"engine/generate/build_draft_and_report.go",
	"engine/generate/generate_from_warehouse.go",
	"engine/generate_model_from_tables.go",
	"engine/generate_model_from_tables_test.go",
	"engine/list_and_bind_saved_queries.go",
	"engine/list_and_bind_saved_queries_test.go",
	"engine/query_result_as_json.go",
	"engine/query_result_as_json_test.go",
	"engine/read_rows_ahead_for_emptiness_check.go",
	"engine/request_log_reader_and_diff.go",
	"engine/rows_with_plan_column_names.go",
	"engine/rows_with_plan_column_names_test.go",
	"engine/source/open_source.go",
	"engine/source/open_source_test.go",
	"engine/source/write_connections_file_from_dsn.go",
	"modelspec/importer/aggregate_expression_rewriter.go",
	"modelspec/importer/aggregate_expression_rewriter_test.go",
	"modelspec/importer/ai_context_key_values.go",
	"modelspec/importer/finish_import_and_remove_failing_objects.go",
	"modelspec/importer/lookml/block_items_and_registry.go",
	"modelspec/importer/lookml/double_quoted_text_or_column.go",
	"modelspec/importer/lookml/double_quoted_text_or_column_test.go",
	"modelspec/importer/lookml/lookml_parser.go",
	"modelspec/importer/lookml/replace_lookml_constants.go",
	"modelspec/importer/metricflow/semantic_models_declared_in_dbt_models.go",
	"modelspec/importer/metricflow/semantic_models_declared_in_dbt_models_test.go",
	"modelspec/importer/snowflake/cross_table_aggregates_to_lod_fields.go",
	"modelspec/importer/snowflake/verified_queries_to_model_tests.go",
	"modelspec/importer/source_file_and_options.go",
	"modelspec/importer/yaml_and_json_file_reader.go",
	"restapi/admit_body_and_serve_request.go",
	"restapi/admit_body_and_serve_request_test.go",
	"restapi/choose_model_by_path.go",
	"restapi/client_conn_state_and_lingering_close.go",
	"restapi/compression_and_etags.go",
	"restapi/compression_and_etags_test.go",
	"restapi/framing_error_in_request_header.go",
	"restapi/framing_error_in_request_header_test.go",
	"restapi/internal/openapi/attribution_field_descriptions.go",
	"restapi/internal/openapi/request_and_response_bodies.go",
	"restapi/internal/static/static_file.go",
	"restapi/internal/static/static_file_test.go",
	"restapi/max_connections_by_file_descriptors.go",
	"restapi/model_list_and_readiness_handlers.go",
	"restapi/model_prometheus_collector.go",
	"restapi/model_prometheus_collector_test.go",
	"restapi/net_http_request_as_net_conn.go",
	"restapi/openapi_find_and_compatible_operations.go",
	"restapi/openapi_model_request_examples.go",
	"restapi/read_open_file_limit.go",
	"restapi/respond_within_time_budget.go",
	"restapi/saturation_and_connection_collectors.go",
	"restapi/send_fasthttp_response_to_net_http.go",
	"restapi/server_as_net_http_handler.go",
	"restapi/server_as_net_http_handler_test.go",
}

func TestFileNames_AreNouns(t *testing.T) {
	complaints, err := layering.CheckFileNames(loadRepository(t), misnamedFiles)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range complaints {
		t.Error(s)
	}
}

func TestCheckFileNames_FindsSentences(t *testing.T) {
	const base = "package base\n"
	files := twoModules()
	for _, name := range []string{
		"three_short_words", "three_short_words_test", "three_short_words_internal_test", "three_short_words_linux", "three_short_words_other",
		strings.Repeat("a", 24), "base", "standby",
		"four_words_of_one", "cups_and_saucers_test", strings.Repeat("a", 25), "base_plates", "and_listed_as_such",
	} {
		files["base/"+name+".go"] = base
	}
	got, err := layering.CheckFileNames(loadFiles(t, files), []string{"base/and_listed_as_such.go", "base/standby.go", "base/gone.go"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"base/" + strings.Repeat("a", 25) + ".go: the name has 25 characters, more than 24",
		"base/base_plates.go: the name repeats base, the name of its folder",
		`base/cups_and_saucers_test.go: the name joins two things by "and": name the one thing, or make it two files`,
		"base/four_words_of_one.go: the name has 4 words, more than 3",
		"base/gone.go: is listed as misnamed, and is not",
		"base/standby.go: is listed as misnamed, and is not",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
