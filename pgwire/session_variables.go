package pgwire

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// variableDefinition is a variable that sessions have.
type variableDefinition struct {
	name     string              // as it is shown
	value    string              // by default
	fixed    bool                // setting it has no effect
	constant bool                // setting it is an error
	reported bool                // each change is sent to the client
	read     variableValueReader // nil takes every text
	describe string
}

// The names of the variables of this service, in lower case.
const (
	connectionVariableName       = "semlayer.connection"
	contextFilterVariableName    = "semlayer.context_filter"
	dialectVariableName          = "semlayer.dialect"
	maxAgeVariableName           = "semlayer.max_age"
	rollupsVariableName          = "semlayer.rollups"
	statementTimeoutVariableName = "statement_timeout"
	timeZoneVariableName         = "timezone"
	isolationVariableName        = "transaction_isolation"
	defaultIsolationVariableName = "default_transaction_isolation"
)

var readIsolationValue = newOneOfWordsValueReader("serializable", "repeatable read", "read committed", "read uncommitted")

// knownVariables are the variables of PostgreSQL that clients set and read, and those of this service.
var knownVariables = variablesByName(plannerVariables,
	variableDefinition{name: "server_version", value: "15.0", constant: true, reported: true, describe: "Shows the server version."},
	variableDefinition{name: "server_version_num", value: "150000", constant: true, describe: "Shows the server version as an integer."},
	variableDefinition{name: "server_encoding", value: "UTF8", constant: true, reported: true, describe: "Shows the server (database) character set encoding."},
	variableDefinition{name: "client_encoding", value: "UTF8", fixed: true, reported: true, read: readEncodingValue, describe: "Sets the client's character set encoding."},
	variableDefinition{name: "DateStyle", value: "ISO, MDY", fixed: true, reported: true, describe: "Sets the display format for date and time values."},
	variableDefinition{name: "IntervalStyle", value: "postgres", fixed: true, reported: true, describe: "Sets the display format for interval values."},
	variableDefinition{name: "TimeZone", value: "UTC", reported: true, read: readTimeZoneValue, describe: "Sets the time zone for displaying and interpreting time stamps."},
	variableDefinition{name: "integer_datetimes", value: "on", constant: true, reported: true, describe: "Shows whether datetimes are integer based."},
	variableDefinition{name: "standard_conforming_strings", value: "on", fixed: true, reported: true, read: readAlwaysOnValue, describe: "Causes '...' strings to treat backslashes literally."},
	variableDefinition{name: "is_superuser", value: "off", constant: true, reported: true, describe: "Shows whether the current user is a superuser."},
	variableDefinition{name: "session_authorization", fixed: true, reported: true, describe: "Sets the session user name."},
	variableDefinition{name: "application_name", reported: true, describe: "Sets the application name to be reported in statistics and logs."},
	variableDefinition{name: "default_transaction_read_only", value: "on", fixed: true, reported: true, describe: "Sets the default read-only status of new transactions."},
	variableDefinition{name: "in_hot_standby", value: "off", constant: true, reported: true, describe: "Shows whether hot standby is currently active."},
	variableDefinition{name: "transaction_read_only", value: "on", fixed: true, describe: "Sets the current transaction's read-only status."},
	variableDefinition{name: isolationVariableName, read: readIsolationValue, describe: "Sets the current transaction's isolation level."},
	variableDefinition{name: "transaction_deferrable", value: "off", fixed: true, describe: "Whether to defer a read-only serializable transaction until it can be executed with no possible serialization failures."},
	variableDefinition{name: defaultIsolationVariableName, value: "read committed", read: readIsolationValue, describe: "Sets the transaction isolation level of each new transaction."},
	variableDefinition{name: "default_transaction_deferrable", value: "off", read: readOnOffValue, describe: "Sets the default deferrable status of new transactions."},
	variableDefinition{name: "search_path", value: `"$user", public`, describe: "Sets the schema search order for names that are not schema-qualified."},
	variableDefinition{name: "extra_float_digits", value: "1", read: newBoundedIntegerReader(-15, 3), describe: "Sets the number of digits displayed for floating-point values."},
	variableDefinition{name: "bytea_output", value: "hex", read: newOneOfWordsValueReader("hex", "escape"), describe: "Sets the output format for bytea."},
	variableDefinition{name: statementTimeoutVariableName, value: "0", read: readTimeoutValue, describe: "Sets the maximum allowed duration of any statement."},
	variableDefinition{name: "lock_timeout", value: "0", read: readTimeoutValue, describe: "Sets the maximum allowed duration of any wait for a lock."},
	variableDefinition{name: "idle_in_transaction_session_timeout", value: "0", read: readTimeoutValue, describe: "Sets the maximum allowed idle time between queries, when in a transaction."},
	variableDefinition{name: "idle_session_timeout", value: "0", read: readTimeoutValue, describe: "Sets the maximum allowed idle time between queries, when not in a transaction."},
	variableDefinition{name: "client_min_messages", value: "notice", read: newOneOfWordsValueReader("debug5", "debug4", "debug3", "debug2", "debug1", "debug", "log", "info", "notice", "warning", "error"), describe: "Sets the message levels that are sent to the client."},
	variableDefinition{name: "max_identifier_length", value: "63", constant: true, describe: "Shows the maximum identifier length."},
	variableDefinition{name: "max_index_keys", value: "32", constant: true, describe: "Shows the maximum number of index keys."},
	variableDefinition{name: "block_size", value: "8192", constant: true, describe: "Shows the size of a disk block."},
	variableDefinition{name: "lc_collate", value: "C", constant: true, describe: "Shows the collation order locale."},
	variableDefinition{name: "lc_ctype", value: "C.UTF-8", constant: true, describe: "Shows the character classification and case conversion locale."},
	variableDefinition{name: "lc_messages", value: "C", describe: "Sets the language in which messages are displayed."},
	variableDefinition{name: "lc_monetary", value: "C", describe: "Sets the locale for formatting monetary amounts."},
	variableDefinition{name: "lc_numeric", value: "C", describe: "Sets the locale for formatting numbers."},
	variableDefinition{name: "lc_time", value: "C", describe: "Sets the locale for formatting date and time values."},
	variableDefinition{name: "default_text_search_config", value: "pg_catalog.simple", describe: "Sets default text search configuration."},
	variableDefinition{name: "row_security", value: "on", read: readOnOffValue, describe: "Enable row security."},
	variableDefinition{name: "check_function_bodies", value: "on", read: readOnOffValue, describe: "Check routine bodies during CREATE FUNCTION and CREATE PROCEDURE."},
	variableDefinition{name: "default_tablespace", describe: "Sets the default tablespace to create tables and indexes in."},
	variableDefinition{name: "default_table_access_method", value: "heap", describe: "Sets the default table access method for new tables."},
	variableDefinition{name: "default_with_oids", value: "off", read: readOnOffValue, describe: "Create new tables with OIDs by default."},
	variableDefinition{name: "xmloption", value: "content", read: newOneOfWordsValueReader("content", "document"), describe: "Sets whether XML data in implicit parsing and serialization operations is to be considered as documents or content fragments."},
	variableDefinition{name: "synchronize_seqscans", value: "on", read: readOnOffValue, describe: "Enable synchronized sequential scans."},
	variableDefinition{name: "synchronous_commit", value: "on", describe: "Sets the current transaction's synchronization level."},
	variableDefinition{name: "work_mem", value: "4MB", describe: "Sets the maximum memory to be used for query workspaces."},
	variableDefinition{name: "maintenance_work_mem", value: "64MB", describe: "Sets the maximum memory to be used for maintenance operations."},
	variableDefinition{name: "temp_buffers", value: "8MB", describe: "Sets the maximum number of temporary buffers used by each session."},
	variableDefinition{name: "random_page_cost", value: "4", describe: "Sets the planner's estimate of the cost of a nonsequentially fetched disk page."},
	variableDefinition{name: "seq_page_cost", value: "1", describe: "Sets the planner's estimate of the cost of a sequentially fetched disk page."},
	variableDefinition{name: "cursor_tuple_fraction", value: "0.1", describe: "Sets the planner's estimate of the fraction of a cursor's rows that will be retrieved."},
	variableDefinition{name: "enable_seqscan", value: "on", read: readOnOffValue, describe: "Enables the planner's use of sequential-scan plans."},
	variableDefinition{name: "enable_nestloop", value: "on", read: readOnOffValue, describe: "Enables the planner's use of nested-loop join plans."},
	variableDefinition{name: "enable_hashjoin", value: "on", read: readOnOffValue, describe: "Enables the planner's use of hash join plans."},
	variableDefinition{name: "enable_mergejoin", value: "on", read: readOnOffValue, describe: "Enables the planner's use of merge join plans."},
	variableDefinition{name: "enable_indexscan", value: "on", read: readOnOffValue, describe: "Enables the planner's use of index-scan plans."},
	variableDefinition{name: "enable_bitmapscan", value: "on", read: readOnOffValue, describe: "Enables the planner's use of bitmap-scan plans."},
	variableDefinition{name: "geqo", value: "on", read: readOnOffValue, describe: "Enables genetic query optimization."},
	variableDefinition{name: "jit", value: "off", read: readOnOffValue, describe: "Allow JIT compilation."},
	variableDefinition{name: "plan_cache_mode", value: "auto", read: newOneOfWordsValueReader("auto", "force_generic_plan", "force_custom_plan"), describe: "Controls the planner's selection of custom or generic plan."},
	variableDefinition{name: "ssl_renegotiation_limit", value: "0", describe: "SSL renegotiation is no longer supported; this can only be 0."},
	variableDefinition{name: "quote_all_identifiers", value: "off", read: readOnOffValue, describe: "When generating SQL fragments, quote all identifiers."},
	variableDefinition{name: "restrict_nonsystem_relation_kind", describe: "Prohibits access to non-system relations of specified kinds."},
	variableDefinition{name: "escape_string_warning", value: "on", read: readOnOffValue, describe: "Warn about backslash escapes in ordinary string literals."},
	variableDefinition{name: "backslash_quote", value: "safe_encoding", describe: `Sets whether "\'" is allowed in string literals.`},
	variableDefinition{name: "array_nulls", value: "on", read: readOnOffValue, describe: "Enable input of NULL elements in arrays."},
	variableDefinition{name: "transform_null_equals", value: "off", read: readOnOffValue, describe: `Treats "expr=NULL" as "expr IS NULL".`},
	variableDefinition{name: "tcp_keepalives_idle", value: "0", describe: "Time between issuing TCP keepalives."},
	variableDefinition{name: "tcp_keepalives_interval", value: "0", describe: "Time between TCP keepalive retransmits."},
	variableDefinition{name: "tcp_keepalives_count", value: "0", describe: "Maximum number of TCP keepalive retransmits."},
	variableDefinition{name: "port", value: "5432", constant: true, describe: "Sets the TCP port the server listens on."},
	variableDefinition{name: "max_connections", value: "200", constant: true, describe: "Sets the maximum number of concurrent connections."},
	variableDefinition{name: "wal_level", value: "replica", constant: true, describe: "Sets the level of information written to the WAL."},
	variableDefinition{name: "ssl", value: "off", constant: true, describe: "Enables SSL connections."},
	variableDefinition{name: connectionVariableName, describe: "Connection profile of later statements."},
	variableDefinition{name: contextFilterVariableName, describe: "Condition on the rows that later statements read."},
	variableDefinition{name: dialectVariableName, describe: "SQL dialect that EXPLAIN plans for."},
	variableDefinition{name: rollupsVariableName, value: "true", read: newOneOfWordsValueReader("true", "false", "only"), describe: "Whether later statements read rollups in place of base tables."},
	variableDefinition{name: maxAgeVariableName, read: readSecondsOrEmptyValue, describe: "Age in seconds that no datum of later results may exceed."},
)

// superuserVariables are the settings of PostgreSQL that only its superusers read.
var superuserVariables = strings.Fields("config_file data_directory dynamic_library_path external_pid_file hba_file ident_file jit_provider krb_server_keyfile " +
	"log_directory log_filename primary_conninfo session_preload_libraries shared_preload_libraries ssl_ciphers ssl_dh_params_file ssl_ecdh_curve " +
	"ssl_max_protocol_version ssl_min_protocol_version ssl_passphrase_command unix_socket_directories")

// IsSuperuserVariable reports whether only superusers of PostgreSQL read a setting.
func IsSuperuserVariable(name string) bool {
	return slices.Contains(superuserVariables, canonicalVariableName(name))
}

func variablesByName(planner []variableDefinition, others ...variableDefinition) map[string]variableDefinition {
	out := make(map[string]variableDefinition, len(planner)+len(others))
	for _, v := range slices.Concat(planner, others) {
		out[strings.ToLower(v.name)] = v
	}
	return out
}

// The bounds of the variables that a session sets.
const (
	maxCustomVariables = 1000
	maxVariableBytes   = 1 << 20 // of all their names and values
)

// sessionVariables are the variables of one session. The maps have names in lower case, and hold the values that are not the
// default ones.
type sessionVariables struct {
	defaults map[string]string // of this session: what its start-up packet sets
	session  map[string]string
	local    map[string]string // until the transaction ends

	grow func(bytes int) error // counts what the session is about to keep; nil counts nothing
}

func newSessionVariables() *sessionVariables {
	return &sessionVariables{defaults: map[string]string{}, session: map[string]string{}, local: map[string]string{}}
}

// Lookup returns the value of a variable; false for an unknown name.
func (v *sessionVariables) Lookup(name string) (string, bool) {
	name = canonicalVariableName(name)
	for _, values := range []map[string]string{v.local, v.session, v.defaults} {
		if value, ok := values[name]; ok {
			return value, true
		}
	}
	if name == isolationVariableName {
		return v.Lookup(defaultIsolationVariableName)
	}
	known, ok := knownVariables[name]
	return known.value, ok
}

// canonicalVariableName returns the name of a variable in lower case, under its one spelling.
func canonicalVariableName(name string) string {
	name = strings.ToLower(name)
	if name == "time zone" {
		return "timezone"
	}
	return name
}

// List lists all variables in the order of their names.
func (v *sessionVariables) List() []SessionVariable {
	names := map[string]bool{}
	for name := range knownVariables {
		names[name] = true
	}
	for _, values := range []map[string]string{v.local, v.session, v.defaults} {
		for name := range values {
			names[name] = true
		}
	}
	var out []SessionVariable
	for _, name := range slices.Sorted(maps.Keys(names)) {
		one := SessionVariable{Name: name}
		if known, ok := knownVariables[name]; ok {
			one.Name, one.Description = known.name, known.describe
		}
		one.Value, _ = v.Lookup(name)
		out = append(out, one)
	}
	return out
}

// totalBytes returns the length of the names and values that the session has set.
func (v *sessionVariables) totalBytes() (n int) {
	for _, values := range []map[string]string{v.session, v.local} {
		for name, value := range values {
			n += len(name) + len(value)
		}
	}
	return n
}

// keptBytes returns what the variables that the session has set take.
func (v *sessionVariables) keptBytes() int {
	return v.totalBytes() + keptObjectBytes*(len(v.session)+len(v.local))
}

// Set does what SET does, or SET LOCAL.
func (v *sessionVariables) Set(name, value string, local bool) error {
	name = canonicalVariableName(name)
	known, ok := knownVariables[name]
	switch {
	case !ok && !strings.Contains(name, "."):
		return &sessionError{state: sqlstateUndefinedObject, message: "there is no variable " + clipText(name)}
	case !ok && len(v.session)+len(v.local) >= maxCustomVariables:
		return newSessionError(sqlstateConfigurationLimitExceeded, "the session has the maximum number of variables")
	}
	if v.totalBytes()+len(name)+len(value) > maxVariableBytes {
		return newSessionError(sqlstateConfigurationLimitExceeded, "the values of the variables of a session are at most "+strconv.Itoa(maxVariableBytes)+" bytes")
	}
	if known.read != nil {
		shown, readable := known.read(value)
		if !readable && name == timeZoneVariableName {
			return unknownTimeZoneError(value)
		}
		if !readable {
			return newSessionError(sqlstateInvalidParameterValue, "the variable "+known.name+" cannot be "+clipText(value))
		}
		value = shown
	}
	if v.grow != nil && !known.constant && !known.fixed {
		if err := v.grow(keptObjectBytes + len(name) + len(value)); err != nil {
			return err
		}
	}
	name, value = strings.Clone(name), strings.Clone(value) // without the message that holds them
	switch {
	case known.constant:
		return newSessionError(sqlstateCannotChangeParameter, "the variable "+known.name+" cannot be changed")
	case known.fixed:
		return nil
	case local:
		v.local[name] = value
	default:
		v.session[name] = value
		delete(v.local, name)
	}
	return nil
}

// reset gives a variable its default value; "" is all of them.
func (v *sessionVariables) reset(name string) error {
	if name == "" {
		v.session, v.local = map[string]string{}, map[string]string{}
		return nil
	}
	name = canonicalVariableName(name)
	_, known := v.Lookup(name)
	if !known && !strings.Contains(name, ".") {
		return newSessionError(sqlstateUndefinedObject, "there is no variable "+clipText(name))
	}
	delete(v.session, name)
	delete(v.local, name)
	if _, still := v.Lookup(name); known && !still {
		v.session[name] = "" // one that the session has made exists on, without a value
	}
	return nil
}

// setLocalToDefault gives a variable its default value until the transaction ends.
func (v *sessionVariables) setLocalToDefault(name string) error {
	name = canonicalVariableName(name)
	value, ok := v.defaults[name]
	if !ok {
		value = knownVariables[name].value
	}
	return v.Set(name, value, true)
}

// variablesSnapshot are the values at one time, for what a transaction takes back.
type variablesSnapshot struct{ session, local map[string]string }

func (v *sessionVariables) snapshot() variablesSnapshot {
	return variablesSnapshot{maps.Clone(v.session), maps.Clone(v.local)}
}

func (v *sessionVariables) restore(s variablesSnapshot) {
	v.session, v.local = maps.Clone(s.session), maps.Clone(s.local)
}

// clearLocalValues forgets what SET LOCAL has set.
func (v *sessionVariables) clearLocalValues() { clear(v.local) }

func (v *sessionVariables) valueOrEmpty(name string) string {
	value, _ := v.Lookup(name)
	return value
}

// parameterStatusValues returns the values that clients get, by name as shown.
func (v *sessionVariables) parameterStatusValues() map[string]string {
	out := map[string]string{}
	for name, known := range knownVariables {
		if known.reported {
			out[known.name] = v.valueOrEmpty(name)
		}
	}
	return out
}
