package settings

import "cmp"

// table holds every setting once.
var table = sinceFirstRelease([]Setting{
	{Flag: "config", Variable: "SVC_CONFIG", Kind: File, NotInFile: true, Chart: "settings", Help: "file of settings, YAML, read at start",
		Effect: "[file of settings](#the-settings-file)"},
	{Flag: "model", Variable: "SVC_MODEL", Kind: File, Chart: "model.key", Help: "model file, YAML or JSON",
		DefaultText: "required; without it, `--data` or `--db` gives a [generated model](authoring.md#start-without-a-model)", Effect: "model file"},
	{Flag: "models", Variable: "SVC_MODELS", Kind: Folder, ServeOnly: true, Chart: "model.folder", Help: "folder of models NAME.yaml, NAME.yml or NAME.json, each served under /m/NAME",
		Effect: "folder of models, instead of `--model`: [several models](#several-models)"},
	{Flag: "default-model", Variable: "SVC_DEFAULT_MODEL", Kind: Text, ServeOnly: true, Chart: "model.default", Help: "model of --models for paths without /m/NAME; by default the only one",
		DefaultText: "the only model, else none", Effect: "model of `--models` for paths without `/m/NAME`"},
	{Flag: "watch", Variable: "SVC_WATCH", Kind: Boolean, ServeOnly: true, Chart: "model.watch", Help: "load a model again when its file changes",
		Effect: "load the model again when its file changes: [reloading](#reloading-the-model)"},
	{Flag: "sem-vendor", Variable: "SVC_SEM_VENDOR", Kind: Boolean, Default: "true", Chart: "config.mode", Help: "read vendor extensions"},
	{Flag: "sem-basic", Variable: "SVC_SEM_BASIC", Kind: Boolean, Chart: "config.mode", Help: "ignore vendor extensions, read only the core format"},
	{Flag: "strict", Variable: "SVC_STRICT", Kind: Boolean, ServeOnly: true, Help: "do not start with compile errors, with tokens of less than 16 characters or without the file of --db, and reject a changed model with compile errors",
		Effect: "do not start, or [reload](#reloading-the-model), with a model of which an object does not compile; do not start if the file of `--db` does not open or a [token](#tokens) is short. Without the flag these are warnings in the log"},

	{Flag: "connections", Variable: "SVC_CONNECTIONS", Kind: File, Chart: "connections.key", Help: "file of connection profiles; without it the first of several usual files",
		DefaultText: "[search](connections.md#where-the-file-is-found)", Effect: "connection profiles: [connections.md](connections.md)"},
	{Flag: "default-connection", Variable: "SVC_DEFAULT_CONNECTION", Kind: Text, Help: "connection profile of requests that name none; by default they run on the embedded database",
		DefaultText: "the embedded DuckDB", Effect: "[connection](connections.md#the-default-connection) of requests that name none"},
	{Flag: "db", Variable: "SVC_DB", Kind: File, Help: "DuckDB file to run queries on; without it a database in memory",
		DefaultText: "in memory", Effect: "DuckDB file, opened read-only"},
	{Flag: "data", Variable: "SVC_DATA", Kind: List, Help: "folder, file or glob of CSV, Parquet or JSON files that are the tables of the embedded database; repeat it for several",
		Effect: "folders, files or globs of CSV, Parquet or JSON files that are the tables of the embedded DuckDB: [authoring.md](authoring.md#query-files). Not together with `--db`"},
	{Flag: "index-values", Variable: "SVC_INDEX_VALUES", Kind: Integer, Default: "0", Max: 1000, Chart: "config.indexValues", Help: "let find search the values of text dimensions that have at most this number of different values; 0 for none",
		Effect: "let `find` search the [values](agents.md#values-in-find) of text dimensions that have at most this number of different values"},
	{Flag: "tag-statements", Variable: "SVC_TAG_STATEMENTS", Kind: Boolean, Default: "true", Help: "send the id of the query with each statement to the warehouse",
		Effect: "send the id of the query with each statement to the warehouse: [log](#log)"},

	{Flag: "bind", Variable: "SVC_BIND", Kind: Address, Default: "127.0.0.1:8081", ServeOnly: true, Chart: "service.port", Help: "address to listen on"},
	{Flag: "no-explorer", Variable: "SVC_NO_EXPLORER", Kind: Boolean, ServeOnly: true, Chart: "config.explorer", Help: "do not serve the explorer, the page at /",
		Effect: "remove the explorer, the page at `/`"},
	{Flag: "cors-origins", Variable: "SVC_CORS_ORIGINS", Kind: Words, ServeOnly: true, Chart: "config.corsOrigins", Help: "web origins whose pages may call the server, separated by commas",
		Effect: "[web pages](#web-pages) that may call the server"},
	{Flag: "mcp-execute-query", Variable: "SVC_MCP_EXECUTE_QUERY", Kind: Boolean, Chart: "config.mcpExecuteQuery", Help: "add the MCP tool execute_query, a draft profile of Apache Ossie",
		Effect: "add the MCP tool [`execute_query`](mcp.md#execute_query), a draft profile of Apache Ossie"},
	{Flag: "disable-execute", Variable: "SVC_DISABLE_EXECUTE", Kind: Boolean, Chart: "config.disableExecute", Help: "compile only: reject executions", Effect: "compile only"},

	{Flag: "memory-mib", Variable: "SVC_MEMORY_MIB", Kind: Integer, Min: 256, Chart: "resources.limits", Help: "MiB of memory for the process, which its parts share; by default the limit of the container, or four fifths of the machine",
		DefaultText: "the limit of the container, else four fifths of the machine", Effect: "[memory of the process](#memory), which its parts share"},
	{Flag: "db-memory-mib", Variable: "SVC_DB_MEMORY_MIB", Kind: Integer, Min: 1, Help: "MiB of memory for the embedded database; by default its share of --memory-mib, or four fifths of the machine",
		DefaultText: "its share of `--memory-mib`", Effect: "memory of the embedded DuckDB; it writes data that does not fit to a temporary directory"},
	{Flag: "spill-mib", Variable: "SVC_SPILL_MIB", Kind: Integer, Min: 1, Chart: "tmp.sizeLimit", Help: "MiB that DuckDB may write to the temporary directory; by default half of the free space",
		DefaultText: "half of the free space", Effect: "what DuckDB may write to the temporary directory (`TMPDIR`); a statement that needs more gets [`memory_limit`](#memory)"},
	{Flag: "max-concurrent-executions", Variable: "SVC_MAX_EXECUTIONS", Kind: Integer, Default: "16", Min: 1, Chart: "config.maxConcurrentExecutions", Help: "maximum number of executions at once",
		Effect: "executions at once; the next one gets 429"},
	{Flag: "pool-size", Variable: "SVC_POOL_SIZE", Kind: Integer, Default: "8", Min: 1, Chart: "config.poolSize", Help: "connections per profile"},
	{Flag: "queue-ms", Variable: "SVC_QUEUE_MS", Kind: Integer, Default: "0", Max: 60_000, ServeOnly: true, Help: "time that an execution waits for a slot, in milliseconds, at most 60000; 0 rejects it at once",
		Effect: "time that an execution [waits for a slot](access.md#quotas), in milliseconds; 0 rejects it at once"},
	{Flag: "queue-length", Variable: "SVC_QUEUE_LENGTH", Kind: Integer, Default: "64", Min: 1, ServeOnly: true, Help: "maximum number of executions that wait for one connection",
		Effect: "executions that wait for one connection"},
	{Flag: "execute-timeout-secs", Variable: "SVC_EXECUTE_TIMEOUT_SECS", Kind: Integer, Default: "60", Min: 1, Chart: "config.executeTimeoutSecs", Help: "time limit of an execution in seconds",
		Effect: "time limit of an execution"},
	{Flag: "request-timeout-secs", Variable: "SVC_REQUEST_TIMEOUT_SECS", Kind: Integer, Default: "30", Min: 1, Chart: "config.requestTimeoutSecs", Help: "time limit of every other request in seconds",
		Effect: "time limit of every other request"},
	{Flag: "stream-timeout-secs", Variable: "SVC_STREAM_TIMEOUT_SECS", Kind: Integer, Default: "3600", Min: 1, ServeOnly: true, Chart: "config.streamTimeoutSecs", Help: "time limit of a stream or cursor from its start to its last row, in seconds",
		Effect: "time limit of a stream of rows, and of a cursor of the PostgreSQL port, from its start to its last row"},
	{Flag: "max-body-bytes", Variable: "SVC_MAX_BODY_BYTES", Kind: Integer, Default: "1048576", Min: 1, ServeOnly: true, Chart: "config.maxBodyBytes", Help: "maximum length of a request body in bytes",
		Effect: "maximum length of a request body"},
	{Flag: "max-answer-bytes", Variable: "SVC_MAX_ANSWER_BYTES", Kind: Integer, Default: "268435456", Min: 1, Chart: "config.maxAnswerBytes", Help: "maximum length of a JSON response in bytes; Arrow streams have no limit",
		Effect: "maximum length of a response in JSON; a longer one is a `driver` error. Arrow streams have no limit"},
	{Flag: "max-connections", Variable: "SVC_MAX_CONNECTIONS", Kind: Integer, Min: 1, ServeOnly: true, Help: "maximum number of open connections of clients; by default 2048, or what the limit of open files allows",
		DefaultText: "2048, or what the limit of open files allows", Effect: "open [connections](#connections) of clients"},
	{Flag: "max-connections-per-address", Variable: "SVC_MAX_CONNECTIONS_PER_ADDRESS", Kind: Integer, Min: 1, ServeOnly: true, Help: "maximum number of open connections of one client address; by default the same as --max-connections",
		DefaultText: "`--max-connections`", Effect: "open connections of one client address"},

	{Flag: "auth-token", Variable: "SVC_SERVER_TOKEN", Kind: List, Secret: true, ServeOnly: true, Help: "bearer token that /v1 requires; repeat it to accept several", DefaultText: "off",
		Effect: "bearer token, or several: [tokens](#tokens)"},
	{Flag: "auth-token-file", Variable: "SVC_SERVER_TOKEN_FILE", Kind: File, ServeOnly: true, Chart: "auth.key", Help: "file of bearer tokens, one per line, some of them JSON with a name and roles, read again while serving", DefaultText: "off",
		Effect: "file of bearer tokens, read again while serving; a line may [name its caller](access.md#named-tokens)"},
	{Flag: "policies", Variable: "SVC_POLICIES", Kind: File, ServeOnly: true, Help: "policies file: issuers of tokens and limits, read again while serving", DefaultText: "off",
		Effect: "[policies file](access.md#the-policies-file): issuers of JSON Web Tokens, read again while serving"},

	{Flag: "pg-bind", Variable: "SVC_PG_BIND", Kind: Address, ServeOnly: true, Chart: "postgres.enabled", Help: "address of the PostgreSQL port; without it the port is closed", DefaultText: "off",
		Effect: "address of the [PostgreSQL port](postgres-port.md). An address that other machines can reach needs tokens"},
	{Flag: "pg-tls-cert", Variable: "SVC_PG_TLS_CERT", Kind: File, ServeOnly: true, Chart: "postgres.tlsSecret", Help: "PEM file of the certificate of the PostgreSQL port, read again when it changes", DefaultText: "off",
		Effect: "PEM file of the certificate of that port, read again when it changes"},
	{Flag: "pg-tls-key", Variable: "SVC_PG_TLS_KEY", Kind: File, ServeOnly: true, Chart: "postgres.tlsSecret", Help: "PEM file of the key of the certificate", DefaultText: "off",
		Effect: "PEM file of the key of that certificate"},
	{Flag: "pg-require-tls", Variable: "SVC_PG_REQUIRE_TLS", Kind: Boolean, ServeOnly: true, Help: "reject sessions of the PostgreSQL port without TLS",
		Effect: "reject sessions of that port without TLS"},
	{Flag: "pg-max-sessions", Variable: "SVC_PG_MAX_SESSIONS", Kind: Integer, Default: "200", Min: 1, ServeOnly: true, Chart: "postgres.maxSessions", Help: "maximum number of sessions of the PostgreSQL port",
		Effect: "maximum number of sessions of that port"},
	{Flag: "pg-max-pending", Variable: "SVC_PG_MAX_PENDING", Kind: Integer, Default: "200", Min: 1, ServeOnly: true, Chart: "postgres.maxPending", Help: "maximum number of connections to the PostgreSQL port that have no session yet; one more closes the one that has waited longest",
		Effect: "maximum number of connections to that port that have no session yet; one more closes the one that has waited longest"},
	{Flag: "pg-idle-timeout-secs", Variable: "SVC_PG_IDLE_TIMEOUT_SECS", Kind: Integer, Default: "3600", ServeOnly: true, Help: "time after which an idle session of the PostgreSQL port ends; 0 is never",
		Effect: "time after which an idle session of that port ends; 0 for never"},

	{Flag: "log-format", Variable: "SVC_LOG_FORMAT", Kind: Choice, Choices: []string{"text", "json"}, Default: "text", Chart: "config.logFormat", Help: "format of the log, text or json",
		Effect: "format of the [log](#log)"},
	{Flag: "log-level", Variable: "SVC_LOG_LEVEL", Kind: Choice, Choices: []string{"debug", "info", "warn", "error"}, Default: "info", Chart: "config.logLevel", Help: "lowest level of the log: debug, info, warn or error",
		Effect: "lowest level of the log"},

	{Flag: "max-rows", Kind: Integer, Default: "200", Min: 1, MCPOnly: true, Help: "maximum rows of a result"},
	{Flag: "max-bytes", Kind: Integer, Default: "65536", Min: 1, MCPOnly: true, Help: "maximum bytes of rows in a result, and of a list with detail"},
	{Flag: "max-list-bytes", Kind: Integer, Default: "8000", Min: 1, MCPOnly: true, Help: "maximum bytes of a list of metrics, dimensions or datasets without detail"},
})

// sinceFirstRelease completes the settings that name no release: the first one has them.
func sinceFirstRelease(settings []Setting) []Setting {
	for i := range settings {
		settings[i].Since = cmp.Or(settings[i].Since, "0.1")
	}
	return settings
}
