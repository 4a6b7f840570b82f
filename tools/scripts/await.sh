# Sourced: await PORT PID waits until a server answers at 127.0.0.1:PORT, and fails when the process
# ends before or two minutes are over.
await() {
	local port=$1 pid=$2
	for _ in $(seq 240); do
		if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return 0; fi
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.5
	done
	echo "no server answers at port $port" >&2
	return 1
}
