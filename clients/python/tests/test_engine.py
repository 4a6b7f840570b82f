"""The service as a child: how it starts, what keeps it from starting, how it ends."""

from __future__ import annotations

import gc
import os
import sqlite3
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest
import warnings
from datetime import date
from pathlib import Path

from support import BINARY, HERE, MODEL, needs_program

from semlayer import Engine, ExecuteError, ModelError, ModelWarning, QueryError, SemlayerError

BROKEN = """
version: 0.2.0.dev0
name: m
datasets:
  - name: a
    source: SELECT 1 AS x
    fields: [{name: x, datatype: Integer, expression: {dialects: [{dialect: ANSI_SQL, expression: x}]}}]
metrics:
  - {name: good, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.x)}]}}
  - {name: bad, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.y)}]}}
"""


def gone(pid: int) -> bool:
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


class MissingProgram(unittest.TestCase):
    def test_says_what_to_install(self) -> None:
        with self.assertRaises(FileNotFoundError) as caught:
            Engine(str(MODEL), binary="/no/such/semlayer")
        self.assertIn("go install", str(caught.exception))

    def test_one_model_is_needed(self) -> None:
        for arguments in ({}, {"model_path": "a", "model_text": "b"}, {"model_path": "a", "model_text": "b", "data": "c"}):
            with self.assertRaises(ValueError):
                Engine(**arguments)


@needs_program
class Models(unittest.TestCase):
    def refusal(self, **arguments) -> ModelError:
        with self.assertRaises(ModelError) as caught:
            Engine(binary=BINARY, **arguments)
        self.assertIsInstance(caught.exception, SemlayerError)
        return caught.exception

    def test_that_cannot_be_read(self) -> None:
        self.assertEqual(self.refusal(model_path="/no/such/model.yaml").code, "io")

    def test_that_are_none(self) -> None:
        self.assertEqual(self.refusal(model_text="{{{").code, "parse")

    def test_that_are_an_ontology(self) -> None:
        self.assertEqual(self.refusal(model_text="ontology: {}\n").code, "ontology")

    def test_that_are_invalid(self) -> None:
        e = self.refusal(model_text="version: 0.2.0.dev0\nname: m\ndatasets: []\n")
        self.assertEqual(e.code, "invalid_model")
        self.assertEqual([i["code"] for i in e.issues], ["empty_datasets"])
        self.assertEqual(e.to_dict()["issues"], e.issues)

    def test_with_an_object_that_does_not_compile(self) -> None:
        e = self.refusal(model_text=BROKEN)
        self.assertEqual(e.code, "compile_error")
        self.assertEqual(e.compile_errors[0]["code"], "unknown_field")
        self.assertEqual(e.candidates, ["x"])

    def test_whose_broken_object_is_left_to_the_queries(self) -> None:
        with Engine(model_text=BROKEN, binary=BINARY, strict=False) as engine:
            self.assertEqual(engine.execute({"metrics": ["good"]}).rows, [{"good": 1}])
            with self.assertRaises(ModelError) as caught:
                engine.execute({"metrics": ["bad"]})
            self.assertEqual((caught.exception.code, caught.exception.compile_errors[0]["code"]), ("compile_error", "unknown_field"))

    def test_with_warnings_warn(self) -> None:
        text = BROKEN.replace("  - {name: bad, expression: {dialects: [{dialect: ANSI_SQL, expression: SUM(a.y)}]}}\n", "").replace("name: m\n", "name: m\nnmae: m\n")
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            Engine(model_text=text, binary=BINARY).close()
        about = [w for w in seen if w.category is ModelWarning]
        self.assertEqual(len(about), 1)
        self.assertIn("unknown_model_key", str(about[0].message))


@needs_program
class Children(unittest.TestCase):
    def test_end_with_close(self) -> None:
        engine = Engine(str(MODEL), binary=BINARY)
        pid = engine._process._child.pid
        engine.close()
        engine.close()
        self.assertTrue(gone(pid))

    def test_end_with_the_last_reference(self) -> None:
        engine = Engine(str(MODEL), binary=BINARY)
        pid = engine._process._child.pid
        del engine
        gc.collect()
        self.assertTrue(gone(pid))

    def test_end_with_the_interpreter(self) -> None:
        code = textwrap.dedent(
            f"""
            import sys
            sys.path.insert(0, {str(HERE.parent / "src")!r})
            from semlayer import Engine
            engine = Engine({str(MODEL)!r}, binary={BINARY!r})
            print(engine._process._child.pid)
            """
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertTrue(gone(int(done.stdout)))

    def test_want_a_token_that_nobody_else_has(self) -> None:
        from semlayer import Client

        with Engine(str(MODEL), binary=BINARY) as engine:
            base = f"http://127.0.0.1:{engine._transport._port}"
            with Client(base) as stranger, self.assertRaises(ExecuteError) as caught:
                stranger.model()
            self.assertEqual((caught.exception.code, caught.exception.status), ("unauthorized", 401))

    def test_that_do_not_start_say_why(self) -> None:
        with self.assertRaises(ExecuteError) as caught:
            Engine(str(MODEL), binary=BINARY, connections="/no/such/file.yaml")
        self.assertIn("file.yaml", str(caught.exception))

    def test_query_where_the_data_is(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "shop.sqlite")
            with sqlite3.connect(path) as db:
                db.execute("CREATE TABLE sales (amount INTEGER)")
                db.executemany("INSERT INTO sales VALUES (?)", [(3,), (4,)])
            db.close()
            profiles = Path(folder, "connections.yaml")
            profiles.write_text(f"datasources: {{shop: {{type: sqlite, path: {path}}}}}\n")
            model = BROKEN.replace("SELECT 1 AS x", "sales").replace("expression: x", "expression: amount").replace("SUM(a.y)", "COUNT(a.x)")
            with Engine(model_text=model, binary=BINARY, connections=str(profiles)) as engine:
                self.assertEqual(engine.connections(), [{"name": "shop", "dialect": "sqlite", "available": True}])
                got = engine.execute({"metrics": ["good", "bad"], "connection": "shop"})
                self.assertEqual((got.dialect, got.rows), ("sqlite", [{"good": 7, "bad": 2}]))


@needs_program
class Plans(unittest.TestCase):
    def test_are_told_without_running_anything(self) -> None:
        with Engine(str(MODEL), binary=BINARY) as engine:
            self.assertIn("Scan orders", engine.explain({"metrics": ["revenue"]}))
            self.assertIn("Scan orders", engine.select_explain({"from": "orders", "fields": ["order_id"]}))
            compiled = engine.select_compile({"from": "orders", "fields": ["order_id"], "dialect": "mysql"})
            self.assertEqual(compiled["dialect"], "mysql")
            self.assertIn("SELECT", compiled["sql"])


@needs_program
class Answers(unittest.TestCase):
    def test_have_dates_of_the_model(self) -> None:
        with Engine(str(MODEL), binary=BINARY) as engine:
            months = engine.execute(metrics=["revenue"], group_by=["metric_time:month"])
            self.assertTrue(all(isinstance(d, date) for d in months["metric_time__month"]) and len(months) > 0, months)
            orders = engine.select(from_="orders", fields=["order_id", "order_date"])
            self.assertIsInstance(orders[0]["order_date"], date)


@needs_program
class Files(unittest.TestCase):
    def test_have_a_model_that_is_made_of_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "firings.csv").write_text("firing_id,kiln,pieces\n1,ash,3\n2,oak,10\n3,ash,2\n", encoding="utf-8")
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                with Engine(data=folder, binary=BINARY) as engine:
                    result = engine.execute(metrics=["total_pieces"], group_by=["firings.kiln"], order_by=["-total_pieces"])
            self.assertEqual([(r["kiln"], r["total_pieces"]) for r in result], [("oak", 10), ("ash", 5)])


@needs_program
class Statements(unittest.TestCase):
    def test_have_rows_and_a_query(self) -> None:
        with Engine(str(MODEL), binary=BINARY) as engine:
            sql = "SELECT status, MEASURE(revenue) FROM orders WHERE status <> $1 GROUP BY 1 ORDER BY 2 DESC"
            compiled = engine.compile_sql(sql, ["nothing"])
            self.assertEqual([c["name"] for c in compiled["columns"]], ["status", "revenue"])
            rows = engine.execute_sql(sql, ["nothing"]).rows
            self.assertEqual(rows, engine.execute(compiled["query"]).rows)
            first = engine.execute_sql("SELECT order_id, order_date FROM orders ORDER BY 1 LIMIT 1")
            self.assertIsInstance(first[0]["order_date"], date)
            with engine.stream_sql(sql, ["nothing"]) as stream:
                self.assertTrue(stream.read())

    def test_that_are_refused_have_a_statement_that_works(self) -> None:
        with Engine(str(MODEL), binary=BINARY) as engine:
            with self.assertRaises(QueryError) as caught:
                engine.execute_sql("SELECT status, MEASURE(revenue) FROM orders")
            e = caught.exception
            self.assertEqual((e.code, e.sqlstate, e.position), ("sql_group_by_required", "42803", 8))
            self.assertIsNotNone(e.suggested_retry)
            self.assertTrue(engine.execute_sql(**(e.suggested_retry or {})).rows)
            with self.assertRaises(QueryError) as caught:  # models have this code as well
                engine.execute_sql("SELECT nothing FROM orders")
            self.assertEqual((caught.exception.code, caught.exception.sqlstate), ("unknown_column", "42703"))
            with self.assertRaises(QueryError) as caught:
                engine.execute_sql("SELECT AVG(revenue) FROM orders")
            self.assertEqual((caught.exception.code, caught.exception.ossie), ("sql_aggregate_mismatch", "E1206"))
            with self.assertRaises(TypeError):
                engine.execute_sql("SELECT 1", limit=1)


@needs_program
class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = Engine(str(MODEL), binary=BINARY)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.close()

    def test_of_the_planner_are_query_errors_with_a_hint(self) -> None:
        with self.assertRaises(QueryError) as caught:
            self.engine.execute({"metrics": ["revenue"], "group_by": [{"field": "orders.status", "grain": "month"}]})
        e = caught.exception
        self.assertEqual((e.code, e.status), ("grain_on_non_time_dimension", 400))
        self.assertEqual(e.suggested_retry, {"group_by": [{"field": "orders.status"}]})
        self.assertTrue(e.has_retry)
        self.assertEqual(e.to_dict()["hint"], e.hint)

    def test_of_the_warehouse_are_execute_errors(self) -> None:
        model = BROKEN.replace("SELECT 1 AS x", "no_such_table").replace("SUM(a.y)", "COUNT(a.x)")
        with Engine(model_text=model, binary=BINARY) as engine, self.assertRaises(ExecuteError) as caught:
            engine.execute({"metrics": ["good"]})
        self.assertEqual((caught.exception.code, caught.exception.status), ("sql_rejected", 502))

    def test_of_words_have_no_fragment(self) -> None:
        with self.assertRaises(QueryError) as caught:
            self.engine.execute({"metrics": ["revenue"], "where_sql": "SUM(orders.amount) > 1"})
        self.assertEqual(caught.exception.code, "aggregate_in_where")
        self.assertIsNone(caught.exception.suggested_retry)
        self.assertFalse(caught.exception.has_retry)
        self.assertFalse(ExecuteError("busy", "later").has_retry)
        with self.assertRaises(ValueError):
            caught.exception.apply({})

    def test_of_a_service_that_is_gone(self) -> None:
        engine = Engine(str(MODEL), binary=BINARY)
        engine.close()
        with self.assertRaises(ExecuteError) as caught:
            engine.model()
        self.assertEqual((caught.exception.code, caught.exception.status), ("connection", None))


if __name__ == "__main__":
    unittest.main()
