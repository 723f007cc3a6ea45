"""The Python client with the program itself, whose path is in WORKBENCH_PROGRAM."""
import asyncio
import contextlib
import inspect
import os
import pathlib
import signal
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Sources/Client/Python"))

from workbench_client import (  # noqa: E402
    AsyncWorkbench, Canceled, Picture, Record, Records, ServerEnded, Table, Workbench, WorkbenchError)

PROGRAM = os.environ.get("WORKBENCH_PROGRAM")
MODEL = """<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1"
 xmlns:fbc="http://www.sbml.org/sbml/level3/version1/fbc/version2" fbc:required="false">
<model id="tiny" fbc:strict="true">
<listOfCompartments><compartment id="c" constant="true"/></listOfCompartments>
<listOfSpecies>
<species id="A" compartment="c" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>
</listOfSpecies>
<listOfParameters><parameter id="zero" value="0" constant="true"/><parameter id="ten" value="10" constant="true"/>
</listOfParameters>
<listOfReactions>
<reaction id="R_in" reversible="false" fast="false" fbc:lowerFluxBound="zero" fbc:upperFluxBound="ten">
<listOfProducts><speciesReference species="A" stoichiometry="1" constant="true"/></listOfProducts></reaction>
<reaction id="R_out" reversible="false" fast="false" fbc:lowerFluxBound="zero" fbc:upperFluxBound="ten">
<listOfReactants><speciesReference species="A" stoichiometry="2" constant="true"/></listOfReactants></reaction>
</listOfReactions>
<fbc:listOfObjectives fbc:activeObjective="o"><fbc:objective fbc:id="o" fbc:type="maximize">
<fbc:listOfFluxObjectives><fbc:fluxObjective fbc:reaction="R_out" fbc:coefficient="1"/></fbc:listOfFluxObjectives>
</fbc:objective></fbc:listOfObjectives>
</model></sbml>
"""


@unittest.skipUnless(PROGRAM, "WORKBENCH_PROGRAM does not name the program")
class ProgramTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.model = pathlib.Path(cls.folder.name, "tiny.xml")
        cls.model.write_text(MODEL)
        cls.workbench = cls.make()
        cls.addClassCleanup(cls.workbench.close)

    @classmethod
    def make(cls, **options):
        return Workbench(PROGRAM, home=pathlib.Path(cls.folder.name, "home"), offline=True, **options)

    def test_all_commands_have_functions_with_signatures_and_help(self):
        methods = self.workbench.commands()
        self.assertGreater(len(methods), 100)
        for method in methods:
            function = self.workbench._function(self.workbench.command_table[method])
            self.assertIn("on_progress", inspect.signature(function).parameters)
            self.assertTrue(function.__doc__)
            self.assertIn("result", self.workbench.schema(method))

    def test_records_tables_and_errors(self):
        molecules = self.workbench.molecules
        rows = molecules.list()
        self.assertIsInstance(rows, (Table, Records))
        first = next(iter(rows))
        info = molecules.info(first["id"])
        self.assertIsInstance(info, Record)
        self.assertEqual((info.atoms, info.title), (first["atoms"], first["title"]))
        self.assertIn("<table>", rows._repr_html_())
        with self.assertRaises(WorkbenchError) as caught:
            molecules.info("nope")
        self.assertEqual((caught.exception.code, caught.exception.status), ("molecules.unknown-molecule", 3))
        with self.assertRaises(WorkbenchError) as caught:
            molecules.info("1", nope=2)
        self.assertEqual(caught.exception.status, 2)

    def test_a_picture_has_the_wanted_size(self):
        picture = self.workbench.molecules.render(1, size=(80, 60))
        self.assertIsInstance(picture, Picture)
        self.assertEqual((picture.width, picture.height), (80, 60))
        self.assertTrue(picture._repr_png_().startswith(b"\x89PNG"))

    def test_fluxes_of_a_model(self):
        result = self.workbench.pathcase.fba(self.model)
        self.assertEqual((result.status, result.objective), ("optimal", 5))
        self.assertEqual(self.workbench.pathcase.fba(self.model, maximize="R_in").objective, 10)
        try:
            import pandas  # noqa: F401
        except ImportError:
            return
        series = result.to_pandas()
        self.assertEqual((series["R_out"], series.attrs["status"]), (5, "optimal"))

    def test_a_stream_gives_the_first_line_of_a_simulator_while_it_runs(self):
        with self.workbench.pathcase.simulate.stream(port=0) as lines:
            self.assertRegex(next(lines), r"http://")

    def test_a_thousand_canceled_calls_leave_no_file_and_no_process(self):
        workbench = self.make()
        self.addCleanup(workbench.close)
        process = pathlib.Path(f"/proc/{workbench._connection.process_id}")

        def files():
            return sum(1 for _ in (process / "fd").iterdir())

        def cancel(count):
            calls = [workbench.pathcase.simulate.start(port=0) for _ in range(count)]
            for call in calls:
                call.cancel()
            for call in calls:
                with contextlib.suppress(Canceled):  # a simulator may also end with its result
                    call.result()

        cancel(8)
        before = files()
        for _ in range(124):
            cancel(8)
        self.assertLessEqual(files(), before + 4)
        children = "".join(file.read_text() for file in process.glob("task/*/children"))
        self.assertEqual(children.split(), [])
        self.assertTrue(workbench.version().version)

    def test_a_subscriber_hears_of_an_import(self):
        source = pathlib.Path(self.folder.name, "water.xyz")
        source.write_text("3\nwater\nO 0 0 0\nH 0.96 0 0\nH -0.24 0.93 0\n")
        with self.workbench.subscribe("molecules.library-changed") as changes:
            self.workbench.molecules.import_(source)
            self.assertEqual(next(changes).topic, "molecules.library-changed")

    def test_read_only_refuses_changes(self):
        with self.make(read_only=True) as workbench:
            self.assertTrue(workbench.server.get("readOnly"))
            with self.assertRaisesRegex(AttributeError, "this client only reads"):
                workbench.molecules.delete(1)
            with self.assertRaisesRegex(WorkbenchError, "this client only reads"):
                workbench.call("molecules.delete", 1)

    def test_a_killed_server_is_an_error(self):
        workbench = self.make()
        self.addCleanup(workbench.close)
        call = workbench.pathcase.simulate.start(port=0)
        os.kill(workbench._connection.process_id, signal.SIGKILL)
        with self.assertRaises(ServerEnded):
            call.result()

    def test_asyncio(self):
        async def body():
            async with AsyncWorkbench(PROGRAM, home=pathlib.Path(self.folder.name, "home"), offline=True) as workbench:
                infos = await asyncio.gather(*(workbench.molecules.info(id) for id in (1, 2, 3)))
                async with workbench.pathcase.simulate.stream(port=0) as lines:
                    async for line in lines:
                        self.assertIn("http://", line)
                        break
                return [info.id for info in infos]
        self.assertEqual(asyncio.run(body()), [1, 2, 3])


if __name__ == "__main__":
    unittest.main()
