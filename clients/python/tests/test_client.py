"""The client against a fake server, which sends the responses that a test gives it."""

from __future__ import annotations

import inspect
import json
import sys
import threading
import types
import unittest
from datetime import date, datetime, timezone
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import List, Tuple
from unittest import mock

from support import BINARY, MODEL, needs_program

from semlayer import Client, Engine, ExecuteError, QueryError, Result, SemlayerError
from semlayer.dates import readers
from semlayer.errors import from_wire

try:
    import pyarrow
except ImportError:
    pyarrow = None

RESULT = '{"dialect":"duckdb","sql":"S","columns":["a","b"],"rows":[{"a":12345678901234567890,"b":0.10},{"a":null,"b":"]} <x>"}],"row_count":2}'
END = b"\xff\xff\xff\xff\x00\x00\x00\x00"


class Told:
    """A server with a list of responses; it records the requests in another list."""

    def __init__(self, *answers: Tuple[int, dict, bytes]) -> None:
        told = self
        self.asked: List[Tuple[str, str, dict, bytes]] = []
        self.answers = list(answers)

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                told.asked.append((self.command, self.path, dict(self.headers), body))
                status, headers, content = told.answers.pop(0)
                self.send_response(status)
                cut = headers.pop("cut", 0)
                self.send_header("Content-Length", str(len(content) + cut))
                for k, v in headers.items():
                    self.send_header(k, v)
                self.end_headers()
                self.wfile.write(content)
                if cut:
                    self.close_connection = True

            do_GET = do_POST = answer

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> "Told":
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


def ok(text: str) -> Tuple[int, dict, bytes]:
    return 200, {}, text.encode()


class Results(unittest.TestCase):
    def test_rows_are_read_when_they_are_asked_for(self) -> None:
        r = Result(RESULT)
        self.assertEqual((r.columns, r.row_count, len(r)), (["a", "b"], 2, 2))
        rows = iter(r)
        self.assertEqual(next(rows), {"a": 12345678901234567890, "b": 0.1})
        self.assertEqual(r.column("b"), [0.1, "]} <x>"])
        self.assertEqual(r.rows, list(r))

    def test_decimals_keep_their_digits(self) -> None:
        self.assertEqual(str(Result(RESULT, decimals=True).rows[0]["b"]), "0.10")
        self.assertIsInstance(Result(RESULT, decimals=True).rows[0]["b"], Decimal)

    def test_any_order_of_members_and_any_space_is_read(self) -> None:
        text = json.dumps(dict(reversed(list(json.loads(RESULT).items()))), indent=2)
        self.assertEqual(Result(text).rows, Result(RESULT).rows)
        self.assertEqual(Result('{"dialect":"d","sql":"s","columns":[],"rows":[],"row_count":0}').rows, [])

    def test_a_result_has_the_bounds_of_a_relative_range(self) -> None:
        self.assertIsNone(Result(RESULT).resolved_time_range)
        bounds = {"start": "2024-03-01", "end": "2024-05-01", "as_of": "2024-05-15", "time_zone": "UTC"}
        wire = {**json.loads(RESULT), "resolved_time_range": bounds, "warnings": [{"code": "c", "message": "m"}]}
        r = Result(json.dumps(wire))
        self.assertEqual(r.resolved_time_range, bounds)
        self.assertEqual(json.dumps(r.to_dict()), json.dumps(wire))

    def test_a_column_of_merged_values_shifts_no_date(self) -> None:
        query = {
            "metrics": ["n"],
            "group_by": [{"field": "status"}, {"field": "metric_time", "grain": "month"}],
            "top": {"dimension": "status", "n": 1},
        }
        columns = ["status", "status__other", "metric_time__month", "n"]
        self.assertEqual(list(readers(query, columns, list, list)), ["metric_time__month"])
        query["top"]["other"] = False
        self.assertEqual(list(readers(query, ["status", "metric_time__month", "n"], list, list)), ["metric_time__month"])

    def test_a_part_of_a_time_is_a_number(self) -> None:
        known = [{"name": "o.day", "datatype": "Date"}]
        query = {"metrics": ["n"], "group_by": [{"field": "o.day", "part": "month_of_year"}, {"field": "o.day"}]}
        self.assertEqual(list(readers(query, ["day__month_of_year", "day", "n"], lambda: known, list)), ["day"])
        self.assertEqual(list(readers({"fields": ["o.day:day_of_week"]}, ["day__day_of_week"], lambda: known, list)), [])
        self.assertEqual(list(readers({"saved": "s"}, ["day__day_of_week", "day"], lambda: known, list)), ["day"])

    def test_a_result_says_which_limit_applied(self) -> None:
        plain = Result(RESULT)
        self.assertEqual((plain.limit, plain.limited, plain.warnings), (None, False, []))
        warning = {"code": "limit_clamped", "message": 'a "row_count": 3', "columns": ["row_count", "x],"]}
        wire = {**json.loads(RESULT), "limit": 2, "limited": True, "warnings": [warning]}
        for indent in (None, 2):
            r = Result(json.dumps(wire, indent=indent))
            self.assertEqual((r.row_count, r.limit, r.limited, r.warnings), (2, 2, True, [warning]))
            self.assertEqual(r.to_dict(), wire)
            self.assertEqual(r.rows, plain.rows)
        nested = {"dialect": "d", "sql": "s", "columns": ["a", "row_count"], "rows": [{"a": [1], "row_count": 9}], "row_count": 1, "limit": 0}
        r = Result(json.dumps(nested))
        self.assertEqual((r.row_count, r.limit, r.limited, r.rows), (1, 0, False, nested["rows"]))

    def test_a_result_that_lacks_rows_is_an_error(self) -> None:
        with self.assertRaises(ValueError):
            Result(RESULT.replace('"row_count":2', '"row_count":3')).rows
        for text in ('{"dialect":"d","sql":"s","columns":[],"row_count":0}', "[]", "{}", RESULT[:60]):
            with self.assertRaises(ValueError):
                Result(text)

    def test_a_notebook_shows_text_as_text(self) -> None:
        shown = Result(RESULT)._repr_html_()
        self.assertIn("]} &lt;x&gt;", shown)
        self.assertIn("<em>null</em>", shown)
        many = {"dialect": "d", "sql": "s", "columns": ["a"], "rows": [{"a": i} for i in range(53)], "row_count": 53}
        self.assertIn("3 more rows", Result(json.dumps(many))._repr_html_())


class Rows(unittest.TestCase):
    """Rows, columns and the forms that a result takes."""

    def test_are_indexed_like_a_list_and_columns_by_name(self) -> None:
        r = Result(RESULT)
        self.assertEqual(r[0]["a"], 12345678901234567890)
        self.assertEqual(r[-1], {"a": None, "b": "]} <x>"})
        self.assertEqual(r[0:1], [r[0]])
        self.assertEqual(r["b"], [0.1, "]} <x>"])
        with self.assertRaises(KeyError):
            r["c"]
        with self.assertRaises(IndexError):
            r[2]

    def test_are_printed(self) -> None:
        wire = {"dialect": "d", "sql": "s", "columns": ["region", "n"], "row_count": 23}
        rows = [{"region": None, "n": 0}, {"region": "x" * 50, "n": 1}] + [{"region": "e", "n": i} for i in range(21)]
        lines = str(Result(json.dumps({**wire, "rows": rows}))).split("\n")
        self.assertEqual(lines[0], "region" + " " * 36 + "n")
        self.assertEqual(lines[2], "NULL" + " " * 38 + "0")
        self.assertEqual(lines[3], "x" * 39 + "…  1")
        self.assertEqual((len(lines), lines[-1]), (23, "… and 3 more rows"))
        self.assertTrue(repr(Result(RESULT)).startswith("<Result 2 rows: a, b>\na"))

    def test_become_frames_of_other_libraries(self) -> None:
        r = Result(RESULT)
        for module, call, expected in (
            ("pandas", r.to_pandas, (r.rows, {"columns": ["a", "b"]})),
            ("polars", r.to_polars, ({"a": r["a"], "b": r["b"]}, {"strict": False})),
        ):
            fake = types.ModuleType(module)
            setattr(fake, "DataFrame", lambda data, **options: (data, options))
            with mock.patch.dict(sys.modules, {module: fake}):
                self.assertEqual(call(), expected)
            with mock.patch.dict(sys.modules, {module: None}), self.assertRaises(ImportError) as caught:
                call()
            self.assertEqual(str(caught.exception), f"to_{module} needs {module}: pip install 'semlayer[{module}]'")

    def test_become_an_arrow_table(self) -> None:
        r = Result(RESULT)
        fake = types.ModuleType("pyarrow")
        setattr(fake, "table", lambda columns: columns)
        with mock.patch.dict(sys.modules, {"pyarrow": fake}):
            self.assertEqual(r.to_arrow(), {"a": r["a"], "b": r["b"]})
        with mock.patch.dict(sys.modules, {"pyarrow": None}), self.assertRaises(ImportError) as caught:
            r.to_arrow()
        self.assertIn("semlayer[arrow]", str(caught.exception))


class Dates(unittest.TestCase):
    def result(self, columns: List[str], *rows: list) -> str:
        body = {"dialect": "d", "sql": "s", "columns": columns, "rows": [dict(zip(columns, r)) for r in rows], "row_count": len(rows)}
        return json.dumps(body)

    def test_follow_from_the_query_and_the_model_not_from_the_text(self) -> None:
        text = self.result(
            ["day__month", "at", "seen", "code", "last"],
            ["2024-02-01", "2024-01-31T10:00:00.5", "2024-01-31T08:00:00Z", "2024-01-05", "2024-03-01"],
            [None, None, None, None, None],
            ["+10000-01-01", "x", "2024-01-31T08:00:00Z", "y", "0000-00-00"],
        )
        dimensions = [
            {"name": "s.day", "datatype": "Date"},
            {"name": "s.at", "datatype": "DateTime"},
            {"name": "s.seen", "datatype": "DateTimeTz"},
            {"name": "s.code", "datatype": "String"},
        ]
        metrics = [{"name": "last", "datatype": "Date"}]
        model = [ok(json.dumps(dimensions)), ok(json.dumps(metrics))]
        with Told(ok(text), *model, ok(text)) as server, Client(server.base) as client:
            query = {"metrics": ["last"], "group_by": [{"field": "s.day", "grain": "month"}, {"field": "at"}, {"field": "rel.seen"}, {"field": "s.code"}]}
            first, none, odd = client.execute(query)
            self.assertEqual(
                first,
                {
                    "day__month": date(2024, 2, 1),
                    "at": datetime(2024, 1, 31, 10, 0, 0, 500000),
                    "seen": datetime(2024, 1, 31, 8, tzinfo=timezone.utc),
                    "code": "2024-01-05",
                    "last": date(2024, 3, 1),
                },
            )
            self.assertEqual(set(none.values()), {None})
            self.assertEqual((odd["day__month"], odd["at"], odd["last"]), ("+10000-01-01", "x", "0000-00-00"))
            again = client.execute(query)
            self.assertEqual(again[0], first)
            self.assertEqual(again.to_dict()["rows"][0]["day__month"], "2024-02-01")
            self.assertEqual([path for _, path, _, _ in server.asked], ["/v1/query/execute", "/v1/dimensions", "/v1/metrics", "/v1/query/execute"])

    def test_stay_texts_where_that_is_asked(self) -> None:
        text = self.result(["day__month"], ["2024-02-01"])
        with Told(ok(text)) as server, Client(server.base, dates=False) as client:
            self.assertEqual(client.select({"from": "s", "fields": ["day:month"]}).rows, [{"day__month": "2024-02-01"}])


class Keywords(unittest.TestCase):
    def sent(self, call) -> dict:
        with Told(ok(RESULT)) as server, Client(server.base) as client:
            self.assertEqual(len(call(client)), 2)
        return json.loads(server.asked[0][3])

    def test_make_a_metric_query(self) -> None:
        got = self.sent(
            lambda c: c.execute(
                metrics=["revenue"],
                group_by=["metric_time:month", "metric_time:day_of_week", "customers.region", {"field": "status"}],
                where_sql="amount > 1",
                order_by=["-revenue", "region", {"key": "status", "desc": True}],
                limit=0,
            )
        )
        want = {
            "metrics": ["revenue"],
            "group_by": [
                {"field": "metric_time", "grain": "month"},
                {"field": "metric_time", "part": "day_of_week"},
                {"field": "customers.region"},
                {"field": "status"},
            ],
            "where_sql": "amount > 1",
            "order_by": [{"key": "revenue", "desc": True}, {"key": "region"}, {"key": "status", "desc": True}],
            "limit": 0,
        }
        self.assertEqual(got, want)
        self.assertEqual(self.sent(lambda c: c.execute(metrics="revenue")), {"metrics": ["revenue"]})

    def test_make_a_detail_query(self) -> None:
        got = self.sent(lambda c: c.select(from_="orders", fields=["order_id", "order_date:month"], limit=3))
        self.assertEqual(got, {"from": "orders", "fields": ["order_id", "order_date:month"], "limit": 3})

    def test_pass_constructs_through(self) -> None:
        field = {"dataset": "orders", "name": "large", "expression": "amount > 100"}
        got = self.sent(
            lambda c: c.execute(
                metrics=["revenue", {"name": "large_revenue", "expression": "SUM(orders.amount) FILTER (WHERE large)"}],
                group_by=[{"name": "size", "expression": "large"}],
                time_range={"last": {"n": 3, "unit": "month"}},
                with_=[field],
                totals=[["size"], []],
                shares=[{"metric": "revenue"}],
                top={"dimension": "size", "n": 5, "other": False},
                fill={},
                fan_out="once_per_group",
                as_of="2024-05-15",
                week_start="sunday",
            )
        )
        want = {
            "metrics": ["revenue", {"name": "large_revenue", "expression": "SUM(orders.amount) FILTER (WHERE large)"}],
            "group_by": [{"name": "size", "expression": "large"}],
            "time_range": {"last": {"n": 3, "unit": "month"}},
            "with": [field],
            "totals": [["size"], []],
            "shares": [{"metric": "revenue"}],
            "top": {"dimension": "size", "n": 5, "other": False},
            "fill": {},
            "fan_out": "once_per_group",
            "as_of": "2024-05-15",
            "week_start": "sunday",
        }
        self.assertEqual(got, want)
        listed = self.sent(lambda c: c.execute(group_by=["status"], distinct=True, from_="orders"))
        self.assertEqual(listed, {"group_by": [{"field": "status"}], "distinct": True, "from": "orders"})
        records = self.sent(lambda c: c.select(from_="orders", fields=["large"], with_=[field], time_zone="UTC"))
        self.assertEqual(records, {"from": "orders", "fields": ["large"], "with": [field], "time_zone": "UTC"})

    def test_are_listed_by_the_signature(self) -> None:
        self.assertEqual(list(inspect.signature(Client.select).parameters)[:5], ["self", "query", "arrow", "from_", "fields"])
        self.assertIn("time_ranges", inspect.signature(Client.execute).parameters)

    def test_are_not_mixed_with_a_dictionary(self) -> None:
        with Client("http://127.0.0.1:1") as client:
            for call in (
                lambda: client.execute({"metrics": ["a"]}, limit=3),
                lambda: client.execute(metrics=["a"], group_by="region"),
                lambda: client.execute(metric=["a"]),
            ):
                with self.assertRaises(TypeError):
                    call()


class Quotas(unittest.TestCase):
    def test_each_code_has_its_class(self) -> None:
        for body, status, kind, hint in (
            ({"code": "result_too_large", "message": "m", "suggested_retry": '{"limit":10}'}, 400, QueryError, '{"limit":10}'),
            ({"code": "cost_limit_exceeded", "message": "m", "hint": "a shorter time range"}, 400, ExecuteError, "a shorter time range"),
            ({"code": "rate_limited", "message": "m", "hint": "wait"}, 429, SemlayerError, "wait"),
            ({"code": "busy", "message": "m"}, 429, ExecuteError, None),
            ({"code": "forbidden", "message": "m", "hint": "h"}, 403, ExecuteError, "h"),
        ):
            with self.subTest(body["code"]):
                e = from_wire(body, status)
                self.assertIs(type(e), kind)
                self.assertEqual((e.code, e.hint, e.status), (body["code"], hint, status))


class Requests(unittest.TestCase):
    def test_carry_the_token_and_the_query(self) -> None:
        with Told(ok(RESULT), ok('{"name":"m"}')) as server, Client(server.base + "/behind/", "secret") as client:
            client.execute({"metrics": ["é"]})
            client.model()
        (method, path, headers, body), (_, second, _, _) = server.asked
        self.assertEqual((method, path, second), ("POST", "/behind/v1/query/execute", "/behind/v1/model"))
        self.assertEqual(headers["Authorization"], "Bearer secret")
        self.assertEqual(json.loads(body), {"metrics": ["é"]})

    def test_a_metric_in_an_address_is_escaped(self) -> None:
        with Told(ok("[]")) as server, Client(server.base) as client:
            client.dimensions("a&b/ü")
        self.assertEqual(server.asked[0][1], "/v1/dimensions?metric=a%26b%2F%C3%BC")

    def test_a_busy_service_is_asked_again_when_it_says(self) -> None:
        busy = (429, {"Retry-After": "0"}, b'{"error":{"code":"busy","message":"later"}}')
        with Told(busy, (429, {"Retry-After": "0"}, busy[2]), ok(RESULT)) as server, Client(server.base) as client:
            self.assertEqual(len(client.execute({"metrics": ["m"]})), 2)
            self.assertEqual(len(server.asked), 3)

    def test_and_not_for_ever(self) -> None:
        def busy(after: str) -> Tuple[int, dict, bytes]:
            return 429, {"Retry-After": after}, b'{"error":{"code":"busy","message":"later"}}'

        with Told(busy("0"), busy("0"), busy("3600")) as server, Client(server.base, max_retries=1) as client:
            for _ in range(2):
                with self.assertRaises(ExecuteError) as caught:
                    client.execute({"metrics": ["m"]})
                self.assertEqual((caught.exception.code, caught.exception.status), ("busy", 429))
            self.assertEqual(len(server.asked), 3)

    def test_an_answer_of_something_else_is_no_result(self) -> None:
        with Told((503, {}, b"<html>proxy</html>"), (200, {"cut": 10}, b'{"name":')) as server, Client(server.base) as client:
            with self.assertRaises(SemlayerError) as caught:
                client.model()
            self.assertEqual((caught.exception.code, caught.exception.status), ("internal", 503))
            with self.assertRaises(ExecuteError) as caught:
                client.model()
            self.assertEqual(caught.exception.code, "connection")

    def test_addresses_and_tokens_that_cannot_be_meant_are_refused(self) -> None:
        for make in (lambda: Client("ftp://h"), lambda: Client("localhost:1"), lambda: Client("http://u:p@h"), lambda: Client(token=""), lambda: Client(token="a\nb")):
            with self.assertRaises(ValueError):
                make()


class Streams(unittest.TestCase):
    def read(self, content: bytes, headers: dict) -> bytes:
        with Told((200, headers, content)) as server, Client(server.base) as client, client.execute_stream({"metrics": ["m"]}) as stream:
            return stream.read()

    def test_without_their_end_are_an_error(self) -> None:
        self.assertEqual(self.read(END, {}), END)
        # A message without metadata of a body, then nothing: each reader of Arrow calls that a clean end.
        message = b"\xff\xff\xff\xff" + (16).to_bytes(4, "little") + bytes([8, 0, 0, 0, 4, 0, 4, 0, 4, 0, 0, 0, 0, 0, 0, 0])
        self.assertEqual(self.read(message + END, {}), message + END)
        for content, headers in ((b"", {}), (message, {}), (message[:12], {}), (message, {"cut": 8}), (b"<html></html>", {})):
            with self.subTest(content), self.assertRaises(ExecuteError):
                self.read(content, dict(headers))

    @needs_program
    def test_of_the_service_are_whole(self) -> None:
        with Engine(str(MODEL), binary=BINARY) as engine:
            for stream in (engine.execute_stream({"metrics": ["revenue"]}), engine.select_stream({"from": "orders", "fields": ["order_id"]})):
                with stream:
                    data = stream.read()
                    self.assertTrue(stream.complete)
                    self.assertEqual(data[-8:], END)
            self.assertEqual(engine.model()["name"], "orders")

    @unittest.skipIf(pyarrow is not None, "pyarrow is installed")
    def test_without_pyarrow_say_what_to_install(self) -> None:
        with Client() as client, self.assertRaises(ImportError) as caught:
            client.execute({"metrics": ["m"]}, arrow=True)
        self.assertIn("pyarrow", str(caught.exception))

    @unittest.skipIf(pyarrow is None, "pyarrow is not installed")
    @needs_program
    def test_become_tables(self) -> None:
        with Engine(str(MODEL), binary=BINARY) as engine:
            table = engine.execute({"metrics": ["revenue"], "group_by": [{"field": "orders.status"}]}, arrow=True)
            self.assertEqual(table.column("status").to_pylist(), ["cancelled", "completed"])
            self.assertEqual([int(v) for v in table.column("revenue").to_pylist()], [100, 350])


if __name__ == "__main__":
    unittest.main()
