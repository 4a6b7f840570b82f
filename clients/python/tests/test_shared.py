"""The calls that every client of the service has to answer alike."""

from __future__ import annotations

import unittest

from support import BINARY, MODEL, calls, difference, needs_program

from semlayer import Engine, SemlayerError


@needs_program
class SharedCalls(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.engine = Engine(str(MODEL), binary=BINARY)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.engine.close()

    def answer(self, call: dict):
        method = getattr(self.engine, call["call"])
        if call["call"] == "values":
            keys = dict(call["argument"])
            return method(keys.pop("field"), **keys)
        if call["call"].endswith("_sql"):
            got = method(**call["argument"])
        else:
            got = method(call["argument"]) if "argument" in call else method()
        return got.to_dict() if hasattr(got, "to_dict") else got

    def test_every_call_of_the_table(self) -> None:
        for call in calls():
            if "python" not in call.get("only", ["python"]):
                continue
            with self.subTest(call["name"]):
                if "error" in call:
                    self.refused(call)
                else:
                    self.assertEqual(difference(call["answer"], self.answer(call)), "")

    def refused(self, call: dict) -> None:
        want = dict(call["error"])
        with self.assertRaises(SemlayerError) as caught:
            self.answer(call)
        got = caught.exception
        first = want.pop("candidates_first", None)
        if first is not None:
            self.assertEqual(got.candidates[0], first)
        fragment = want.pop("fragment", None)
        if fragment is not None:
            self.assertEqual(got.suggested_retry, fragment)
            again = self.engine.execute_sql(**fragment) if "sql" in fragment else self.engine.execute(got.apply(call["argument"]))
            self.assertGreaterEqual(len(again), 1)
        for name, value in want.items():
            self.assertEqual(getattr(got, name), value, name)


if __name__ == "__main__":
    unittest.main()
