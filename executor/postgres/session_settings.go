package postgres

import "strings"

// serverParameter is a parameter of the server and the value that sessions give it.
type serverParameter struct{ name, value string }

// sessionSettings returns the parameters that change which rows a statement has, or how a value of them is
// read or written. A role, a database or the server may set each of them; a session sets these
// values. docs/connections.md lists them, and the parameters that keep the server's value.
func sessionSettings() []serverParameter {
	return []serverParameter{
		{"client_encoding", "UTF8"},
		{"standard_conforming_strings", "on"},
		{"backslash_quote", "safe_encoding"},
		{"TimeZone", "UTC"},
		{"timezone_abbreviations", "Default"},
		{"DateStyle", "ISO, MDY"},
		{"IntervalStyle", "postgres"},
		{"extra_float_digits", "1"},
		{"bytea_output", "hex"},
		{"xmlbinary", "base64"},
		{"xmloption", "content"},
		{"array_nulls", "on"},
		{"transform_null_equals", "off"},
		{"quote_all_identifiers", "off"},
		{"gin_fuzzy_search_limit", "0"},
		{"lc_numeric", "C"},
		{"lc_time", "C"},
		{"default_transaction_isolation", "read committed"},
		{"default_transaction_deferrable", "off"},
		{"default_transaction_read_only", "on"},
		{"sql_inheritance", "on"}, // before PostgreSQL 10
		// CockroachDB.
		{"null_ordered_last", "off"},
		{"default_int_size", "8"},
		{"default_transaction_use_follower_reads", "off"},
	}
}

// clientConnectionCheckParameter makes the server check during a computation that its client is still connected. It
// needs PostgreSQL 14, and an operating system that can detect it.
func clientConnectionCheckParameter() serverParameter {
	return serverParameter{"client_connection_check_interval", "1s"}
}

// redshiftSettings returns the settings of Redshift, which has neither literals without escapes nor most
// of the others. Its casts truncate digits unless a setting makes them round.
func redshiftSettings() []serverParameter {
	return []serverParameter{
		{"client_encoding", "UTF8"},
		{"timezone", "UTC"},
		{"datestyle", "ISO, MDY"},
		{"extra_float_digits", "0"},
		{"enable_numeric_rounding", "on"},
		{"describe_field_name_in_uppercase", "off"},
		{"json_serialization_enable", "false"},
		{"json_serialization_parse_nested_strings", "false"},
		{"navigate_super_null_on_error", "on"},
		{"cast_super_null_on_error", "on"},
		{"default_transaction_read_only", "on"},
	}
}

// applySettingsAndReadLimitStatement returns one statement that sets the settings that the server supports, and returns
// the server's own limit of a statement in milliseconds.
func applySettingsAndReadLimitStatement(list []serverParameter) string {
	var b strings.Builder
	b.WriteString("SELECT (SELECT p.setting FROM pg_settings AS p WHERE p.name = 'statement_timeout'), set_config(s.name, s.value, false) FROM (VALUES ")
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("('" + s.name + "', '" + s.value + "')")
	}
	b.WriteString(") AS s(name, value) WHERE lower(s.name) IN (SELECT lower(p.name) FROM pg_settings AS p)")
	return b.String()
}

// setSettingStatement returns the statement for one setting alone.
func (s serverParameter) setSettingStatement() string {
	return "SET " + s.name + " = '" + s.value + "'"
}
