#!/usr/bin/env bash
# image-test.sh TAG: starts the image as the chart does, without rights and without a
# file system to write to, and asks it. A statement that is running when the signal to
# stop comes has to be answered.
set -euo pipefail
cd "$(dirname "$0")/../.."
tag=${1:?usage: image-test.sh TAG}
work=$(mktemp -d)
name=semlayer-image-test-$$
cleanup() {
	docker rm -f "$name" >/dev/null 2>&1 || true
	rm -rf "$work"
}
trap cleanup EXIT

fail() {
	echo "image-test: $1" >&2
	docker logs "$name" 2>&1 | tail -20 >&2 || true
	exit 1
}
ok() { echo "ok: $1"; }

# The second metric keeps one core busy for seconds.
cat >"$work/model.yaml" <<'EOM'
version: 0.2.0.dev0
name: numbers
datasets:
  - name: few
    source: SELECT * FROM range(10) AS t(n)
    fields:
      - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
  - name: many
    source: SELECT * FROM range(2000000000) AS t(n)
    fields:
      - {name: n, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: n}]}}
metrics:
  - {name: sum_of_few, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(few.n)}]}}
  - {name: most, expression: {dialects: [{dialect: ANSI_SQL, expression: MAX(many.n)}]}}
EOM
printf 'a-token-of-this-test\n' >"$work/tokens"
chmod 755 "$work"
chmod 644 "$work/model.yaml" "$work/tokens"

docker run -d --name "$name" --label semlayer.test=image \
	--read-only --user 65532:65532 --cap-drop ALL --security-opt no-new-privileges --tmpfs /tmp --cpus 1 --memory 1g \
	-v "$work:/etc/semlayer:ro" -p 127.0.0.1::8081 -e SVC_SERVER_TOKEN_FILE=/etc/semlayer/tokens \
	"$tag" serve --model /etc/semlayer/model.yaml >/dev/null
base=http://$(docker port "$name" 8081/tcp | head -1)

for _ in $(seq 150); do
	[ "$(curl -s "$base/ready" || true)" != '{"status":"ready"}' ] || break
	[ "$(docker inspect --format '{{.State.Running}}' "$name")" = true ] || fail "it has ended"
	sleep 0.2
done
[ "$(curl -s "$base/ready")" = '{"status":"ready"}' ] || fail "/ready does not answer"
ok "/ready"

ask() { curl -sS -H 'Authorization: Bearer a-token-of-this-test' "$@"; }
[ "$(curl -s -o /dev/null -w '%{http_code}' "$base/v1/model")" = 401 ] || fail "no token is asked for"
answer=$(ask "$base/v1/query/execute" -d '{"metrics": ["sum_of_few"]}')
case $answer in *'"rows":[{"sum_of_few":45}]'*) ok "a query: $answer" ;; *) fail "a query: $answer" ;; esac
curl -s "$base/docs" | grep -qi swagger || fail "/docs is no page"
ok "pages are in the binary"

docker exec "$name" /usr/bin/semlayer check || fail "semlayer check"
! docker exec "$name" /bin/sh -c true >/dev/null 2>&1 || fail "there is a shell"
ok "no shell"
! docker run --rm --read-only "$tag" serve --model /missing.yaml >"$work/refused" 2>&1 || fail "a model that is missing is served"
ok "a model that is missing: $(tail -1 "$work/refused")"

ask -o "$work/late" -w '%{http_code}' "$base/v1/query/execute" -d '{"metrics": ["most"]}' >"$work/status" &
late=$!
for _ in $(seq 50); do
	curl -s "$base/metrics" | grep -q '^semlayer_executions_in_flight 1' && break
	sleep 0.1
done
curl -s "$base/metrics" | grep -q '^semlayer_executions_in_flight 1' || fail "the long statement is not running"
docker kill --signal TERM "$name" >/dev/null
wait "$late" || fail "the running statement was cut off"
[ "$(cat "$work/status")" = 200 ] && grep -q '"rows":\[{"most":1999999999}\]' "$work/late" || fail "the running statement: $(cat "$work/status" "$work/late")"
[ "$(timeout 30 docker wait "$name")" = 0 ] || fail "the exit code is not 0"
ok "SIGTERM: the running statement was answered, exit code 0"
