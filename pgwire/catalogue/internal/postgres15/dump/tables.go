package main

// dumpedTable is a table whose rows are written.
type dumpedTable struct {
	name, where string
	further     []string // expressions after the columns
}

// portableCollationsCondition leaves out those that depend on the machine of the server.
const portableCollationsCondition = "collname IN ('default', 'C', 'POSIX', 'ucs_basic')"

// dumpedTables are the tables of pg_catalog that have rows which clients read.
var dumpedTables = []dumpedTable{
	{name: "pg_aggregate"},
	{name: "pg_am"},
	{name: "pg_amop"},
	{name: "pg_amproc"},
	{name: "pg_attribute"},
	{name: "pg_auth_members"},
	{name: "pg_authid", where: "true"},
	{name: "pg_cast"},
	{name: "pg_class", further: []string{"pg_table_is_visible(oid)", "has_table_privilege(0::oid, oid, 'SELECT')"}},
	{name: "pg_collation", where: portableCollationsCondition},
	{name: "pg_constraint", further: []string{"pg_get_constraintdef(oid)", "pg_get_constraintdef(oid, true)"}},
	{name: "pg_conversion"},
	{name: "pg_depend"},
	{name: "pg_description"},
	{name: "pg_extension"},
	{name: "pg_index", further: []string{"pg_get_indexdef(indexrelid)"}},
	{name: "pg_init_privs"},
	{name: "pg_language"},
	{name: "pg_namespace"},
	{name: "pg_opclass"},
	{name: "pg_operator"},
	{name: "pg_opfamily"},
	{name: "pg_proc", further: []string{
		"pg_get_function_arguments(oid)", "pg_get_function_result(oid)", "pg_get_function_identity_arguments(oid)", "pg_function_is_visible(oid)",
	}},
	{name: "pg_range"},
	{name: "pg_shdescription", where: "classoid <> 1262"},
	{name: "pg_tablespace"},
	{name: "pg_ts_config"},
	{name: "pg_ts_dict"},
	{name: "pg_ts_parser"},
	{name: "pg_ts_template"},
	{name: "pg_type", further: []string{"format_type(oid, NULL)", "pg_type_is_visible(oid)"}},
}

// dumpedQuery writes the rows of a query.
type dumpedQuery struct{ name, sql string }

var dumpedQueries = []dumpedQuery{
	{"keywords", "SELECT word, catcode, barelabel, catdesc, baredesc FROM pg_get_keywords() ORDER BY word"},
	{"settings", "SELECT name, setting, unit, category, short_desc, extra_desc, context, vartype, source, min_val, max_val, array_to_json(enumvals), boot_val, reset_val, current_setting(name) FROM pg_settings WHERE name NOT IN (" + excludedSettingNames + ") ORDER BY name COLLATE \"C\""},
	{"views", "SELECT n.nspname, c.relname, pg_get_viewdef(c.oid), pg_get_viewdef(c.oid, true) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind = 'v' ORDER BY n.nspname, c.relname"},
}

// excludedSettingNames are those that name places of the machine, and those that only a superuser sees.
const excludedSettingNames = `'port', 'shared_buffers', 'max_connections', 'log_timezone', 'TimeZone', 'listen_addresses', 'unix_socket_directories',
	'fsync', 'synchronous_commit', 'full_page_writes', 'config_file', 'data_directory', 'hba_file', 'ident_file', 'external_pid_file', 'data_directory_mode',
	'dynamic_library_path', 'krb_server_keyfile', 'log_directory', 'log_filename', 'log_destination', 'logging_collector', 'session_preload_libraries',
	'shared_preload_libraries', 'local_preload_libraries', 'ssl_ca_file', 'ssl_cert_file', 'ssl_ciphers', 'ssl_crl_dir', 'ssl_crl_file', 'ssl_key_file',
	'unix_socket_group', 'unix_socket_permissions', 'primary_conninfo', 'restore_command', 'archive_command', 'shared_memory_size', 'shared_memory_size_in_huge_pages',
	'server_version', 'server_version_num', 'session_authorization', 'is_superuser', 'application_name'`
