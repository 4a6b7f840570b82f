package main

// longForm makes tests judge clocks, which only a quiet machine can keep.
var (
	longForm   = map[string]string{"SEMLAYER_PROOF": "1"}
	anyMachine = map[string]string{"SEMLAYER_PROOF": ""}
)

func injection() promise {
	return promise{
		name: "injection", says: "A hostile text is data, or it is refused",
		how: `Quotes, comments, placeholders, control characters, texts of a megabyte and the dangerous
functions of each engine, in the place of every text that a caller may give, over HTTP. What
reaches the engine is looked at from behind: at most one statement, one SELECT, the very one that
the answer shows. Afterwards the catalog, the settings, the rows and the files are what they
were. Every text is crossed with every input.`,
		run: command{
			dir: "integration", pkg: "./injection", test: "^TestAHostileTextIsDataOrRefused$", flags: []string{"-timeout=60m"},
			env: with(needServers, "SEMLAYER_PROOF", "1"), shortEnv: anyMachine,
		},
		rows: `^TestAHostileTextIsDataOrRefused/(\w+)$`, head: "engine",
		figures: []figure{
			{name: "texts", key: "texts", aims: from(100)},
			{name: "inputs", key: "inputs", aims: from(20)},
			{name: "requests", key: "requests", aims: orShort(from(2000), 200)},
			{name: "statements", key: "statements"},
			{name: "refusals", key: "refusals"},
		},
	}
}

func hostile() promise {
	return promise{
		name: "hostile", says: "A hostile client does not end the server, and takes no more of it than the limits allow",
		how: `The binary, with 512 open files, 256 MiB for Go (` + "`GOMEMLIMIT`" + `) and 200 MiB for DuckDB, meets one
attack after the other, each in a process of its own: more connections than files, patterns that backtrack, texts
that grow, functions of the model that ignore interrupts, requests of foreign web pages, odd framing, expensive
files and bodies, models of a megabyte, a text that YAML aliases repeat, thousands of columns, large answers
of tools, more executions than slots. Every response is checked. The process has to live and to
answer an ordinary query; resident memory is looked at every 10 ms. Afterwards slots, open files
and memory have to be back within 15 s, and the CPU idle. The one exception is
a native function that the model's author wrote: it computes until it is over.`,
		run:  command{dir: "integration", pkg: "./hostile", test: "^TestServer_SurvivesHostileClientsAndModels$", flags: []string{"-timeout=30m"}},
		rows: `^TestServer_SurvivesHostileClientsAndModels$`,
		figures: []figure{
			{name: "attacks", key: "attacks", aims: from(10)},
			{name: "ended the process", key: "ended", aims: equal(0)},
			{name: "beyond a bound of memory or time", key: "beyond-bounds", aims: equal(0)},
			{name: "kept a slot", key: "slots-kept", aims: equal(0)},
		},
	}
}

func worstQueries() promise {
	return promise{
		name: "worst-queries", says: "The worst query within the limits compiles or is refused within a second",
		how: `Queries at every limit over large models: thousands of metrics, ranges, conditions and windows,
chains of metrics that double. The figure is processor time.`,
		run:  command{dir: "engine", pkg: ".", test: "^TestCompile_WorstQueriesAreCompiledOrRefusedInTime$"},
		rows: `^TestCompile_WorstQueriesAreCompiledOrRefusedInTime$`,
		figures: []figure{
			{name: "slowest", key: "slowest-ms", unit: "ms", aims: orShort(upTo(1000), 5000)},
		},
	}
}

func fuzzing() promise {
	return promise{
		name: "fuzzing", says: "No parser falls over what it is given",
		how: `Every fuzz target for half a minute (` + "`FUZZTIME`" + `), from the committed seeds: the parsers of expressions,
models, extension payloads, queries and profiles, literals, the decoders of the drivers, and
the framing of Arrow in the client.`,
		run: command{
			script: []string{"tools/scripts/fuzz.sh"}, env: map[string]string{"FUZZTIME": "30s"},
			shortEnv: map[string]string{"FUZZTIME": "2s"},
		},
		rows: `^fuzz$`,
		figures: []figure{
			{name: "targets that failed", key: "failed", aims: equal(0)},
			{name: "targets", key: "targets", aims: from(20)},
			{name: "inputs", key: "inputs", of: sum},
		},
	}
}

func canaries() promise {
	return promise{
		name: "canaries", says: "A secret appears nowhere",
		how: `Tokens and passwords of profiles are words that occur nowhere else. Everything is asked that
there is to ask, with right and wrong tokens, of warehouses that nobody answers at and of
profiles that are wrong in ways which a careless message would quote. What left the server,
answers, logs at every level and traces, is searched for the words.`,
		run:  command{dir: "restapi", pkg: ".", test: "^TestSecretsAppearNowhere$"},
		rows: `^TestSecretsAppearNowhere$`,
		figures: []figure{
			{name: "found", key: "found", of: sum, aims: equal(0)},
			{name: "searched", key: "bytes", unit: "kB", scale: 1e-3, of: sum, aims: from(100)},
		},
	}
}

func slowClients() promise {
	return promise{
		name: "slow-clients", says: "A slow client is cut off and keeps nobody out",
		how: `Clients stop in the head of a request, in a small body, in a long one and in one of chunks, and are
answered 408 when their time is over. While 200 such connections are open, another client is
served.`,
		run:  command{dir: "restapi", pkg: ".", test: "^(TestSlowClientsAreCutOff|TestManySlowClientsDoNotKeepOthersOut)$"},
		rows: `^(?:TestSlowClientsAreCutOff/(in_.*)|Test(Many)SlowClientsDoNotKeepOthersOut)$`, head: "where a client stops",
		figures: []figure{
			{name: "status", key: "status", aims: equal(408)},
			{name: "answered after its time", key: "late-ms", unit: "ms", aims: upTo(2000)},
			{name: "slow clients", key: "slow", aims: from(200)},
			{name: "another answered after", key: "answered-ms", unit: "ms", aims: upTo(1000)},
		},
	}
}

func saturation() promise {
	return promise{
		name: "saturation", says: "Whoever is over the limit of executions learns so at once",
		how: `64 clients ask a server that executes 16 queries at a time. 16 are answered; the others get
429, the code busy and Retry-After.`,
		run:  command{dir: "restapi", pkg: ".", test: "^TestOfSixtyFourExecutionsFortyEightAreRefusedAtOnce$", env: longForm, shortEnv: anyMachine},
		rows: `^TestOfSixtyFourExecutionsFortyEightAreRefusedAtOnce$`,
		figures: []figure{
			{name: "refused", key: "refused", aims: equal(48)},
			{name: "answered", key: "answered", aims: equal(16)},
			{name: "slowest refusal", key: "slowest-ms", unit: "ms", aims: orShort(upTo(50), 5000)},
		},
	}
}

func drain() promise {
	return promise{
		name: "drain", says: "A server that is told to stop loses no request",
		how:  "200 requests are under way, every fourth of them a stream. All of them end as if nothing had happened, while no new connection is taken.",
		run:  command{dir: "restapi", pkg: ".", test: "^TestADrainLosesNoneOfTwoHundredRequests$"},
		rows: `^TestADrainLosesNoneOfTwoHundredRequests$`,
		figures: []figure{
			{name: "lost", key: "lost", aims: equal(0)},
			{name: "requests", key: "requests", aims: equal(200)},
		},
	}
}

// fewFaults is the short form of the faults.
var fewFaults = map[string]string{"SEMLAYER_FAULT_RUNS": "2"}

func faults() promise {
	return promise{
		name: "faults", says: "Nothing broken passes for an answer",
		how: `Between the server and its warehouse stands a proxy that cuts before the first byte, cuts in
mid-stream, stalls and drips; and the database restarts. A run is right when the client
gets the right code with its status while there is a status to send, no body that passes for a
whole one after that, when the slot is back, and the next query is answered. Half of the
runs are of JSON, half of Arrow.`,
		run: command{
			dir: "integration", pkg: "./faults", test: "^TestNothingBrokenPassesForAnAnswer$", flags: []string{"-timeout=120m"},
			env: with(needServers, "SEMLAYER_FAULT_RUNS", "100"), shortEnv: fewFaults,
		},
		rows: `^TestNothingBrokenPassesForAnAnswer/(\w+)/([^/]+)/`, head: "engine, fault",
		figures: []figure{
			{name: "runs that were right", key: "right", of: sum, aims: orShort(from(200), 4)},
			{name: "wrong", key: "wrong", of: sum, aims: equal(0)},
		},
	}
}

func driverFaults() promise {
	return promise{
		name: "driver-faults", says: "A driver survives whatever the network does",
		how: `The same below the server, for the drivers of PostgreSQL and MariaDB by themselves, which may also
be cut while they are idle: an error of the right code and never a quiet end, the rows before it are the first
rows, no connection is held, and the next query works.`,
		run: command{
			dir: "executor", pkg: "./postgres ./mysql", test: "^TestNoFaultOfTheNetworkIsTakenForAnAnswer$", flags: []string{"-timeout=120m"},
			env: with(needServers, "SEMLAYER_FAULT_RUNS", "100"), shortEnv: fewFaults,
		},
		rows: `^TestNoFaultOfTheNetworkIsTakenForAnAnswer/([^/]+)$`, head: "fault, of both drivers",
		figures: []figure{
			{name: "runs that were right", key: "right", of: sum, aims: orShort(from(200), 4)},
			{name: "wrong", key: "wrong", of: sum, aims: equal(0)},
		},
	}
}

func timeouts() promise {
	return promise{
		name: "timeouts", says: "A timeout is answered within a second of it and ends the work",
		how: `A query that would compute for long meets its budget. The client gets 504 and the code timeout;
the statement has ended on the server, where somebody else looks, and the slot is free.`,
		run: command{
			dir: "integration", pkg: "./faults", test: "^(TestATimeoutIsAnsweredAtOnceAndEndsTheWorkOfTheServer|TestATimeoutIsAnsweredAtOnceAndInterruptsDuckDB)$",
			env: with(needServers, "SEMLAYER_FAULT_RUNS", "100"), shortEnv: fewFaults,
		},
		rows: `^TestATimeoutIsAnsweredAtOnceAnd(?:EndsTheWorkOfTheServer/(\w+)/(\w+)|Interrupts(DuckDB))$`, head: "engine, format",
		figures: []figure{{name: "answered after its budget", key: "late-ms", unit: "ms", aims: upTo(1000)}},
	}
}

func leaks() promise {
	return promise{
		name: "leaks", says: "Nothing is left of many requests",
		how: `Requests of every kind, a third of them given up by their clients, to a server from its start to
its end: then there are as many goroutines and open files as before.`,
		run:  command{dir: "restapi", pkg: ".", test: "^TestNothingIsLeftOfManyRequests$", env: longForm, shortEnv: anyMachine},
		rows: `^TestNothingIsLeftOfManyRequests$`,
		figures: []figure{
			{name: "goroutines left", key: "goroutines-left", aims: equal(0)},
			{name: "files left", key: "files-left", aims: equal(0)},
			{name: "requests", key: "requests", aims: orShort(from(10_000), 600)},
		},
	}
}

func growth() promise {
	return promise{
		name: "growth", says: "A server does not grow with what it streams",
		how: `The whole way, from the warehouse through a server in a process of its own to a client that
decodes, with the memory that the kernel says the server has. DuckDB keeps what it has read of a
file, up to its memory limit: so the file is either larger than the limit, of 48 MB, or was read
before. PostgreSQL spends its time grouping.`,
		run: command{
			dir: "integration", pkg: "./streaming", test: "^TestAServerDoesNotGrowWithWhatItStreams$", flags: []string{"-timeout=30m"},
			env: with(needServers, "SEMLAYER_PROOF", "1"), shortEnv: anyMachine,
		},
		rows: `^TestAServerDoesNotGrowWithWhatItStreams/(DuckDB/.+|PostgreSQL)$`, head: "from",
		figures: []figure{
			{name: "grew by", key: "grown-MiB", unit: "MiB", aims: upTo(64)},
			{name: "rows", key: "rows"},
			{name: "rate", key: "Mrows/s", unit: "million rows a second"},
		},
	}
}

func soak() promise {
	return promise{
		name: "soak", says: "A server that is busy for half an hour stays as it was",
		how: `200 requests a second of every kind: compile, execute, select, attribute, Arrow, refusals of
every stage, executions that run out of time, clients that give up. Every answer is checked.
A hundred and twenty times the load pauses until nothing is under way, and heap after a collection, resident
memory of the whole process, goroutines and open files are looked at; after a quarter to warm
up, the median of the last third is set beside that of the first. Resident memory rises and falls
with what allocators keep for later.`,
		run: command{
			dir: "integration", pkg: "./soak", test: "^TestAServerStaysAsItWas$", flags: []string{"-timeout=120m"},
			env: map[string]string{"SEMLAYER_SOAK": "30m"}, shortEnv: map[string]string{"SEMLAYER_SOAK": "5s"},
		},
		rows: `^TestAServerStaysAsItWas$`,
		figures: []figure{
			{name: "wrong answers", key: "wrong", aims: equal(0)},
			{name: "requests", key: "requests", aims: orShort(from(180_000), 500)},
			{name: "heap grew by", key: "heap-MiB-grown", unit: "MiB", aims: upTo(1)},
			{name: "resident memory grew by", key: "resident-MiB-grown", unit: "MiB", aims: orShort(upTo(48), 256)},
			{name: "goroutines grew by", key: "goroutines-grown", aims: upTo(16)},
			{name: "open files grew by", key: "files-grown", aims: upTo(8)},
			{name: "heap", key: "heap-MiB", unit: "MiB"},
			{name: "resident memory", key: "resident-MiB", unit: "MiB"},
			{name: "length", key: "length", of: words},
		},
	}
}
