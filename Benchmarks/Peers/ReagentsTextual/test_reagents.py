import json

import pytest
from click.testing import CliRunner

import reagents
from reagents_app import ReagentsApp


@pytest.fixture(autouse=True)
def atoms(tmp_path, monkeypatch):
    """Folders of this test, and the atoms of water."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(reagents, "count_atoms", lambda name: {"H": 2, "O": 1} if name == "water" else {})


def run(*arguments):
    return CliRunner().invoke(reagents.cli, arguments)


def test_reagents_are_added_listed_and_shown_with_the_decimals_of_the_setting(tmp_path):
    assert run("add", "water", "36.03").stdout == "water: 36.03 g\n"
    (tmp_path / "reagents" / "config.toml").write_text("decimals = 0")
    assert run("add", "water", "36.03").stdout == "water: 36 g\n"
    assert json.loads(run("list", "--json").stdout) == [{"name": "water", "grams": 36.03}]
    assert json.loads(run("list", "--least", "40", "--json").stdout) == []


def test_a_file_of_reagents_is_added_and_one_without_any_is_an_error(tmp_path):
    path = tmp_path / "shelf.reagents"
    path.write_text("water 18\nno mass\n")
    assert run("read", str(path), "--csv").stdout.splitlines() == ["name,grams", "water,18.0"]
    path.write_text("no mass\n")
    assert run("read", str(path)).exit_code == 5


def test_amounts_are_computed_from_atoms():
    run("add", "water", "36.03")
    assert json.loads(run("moles", "--json").stdout)[0]["moles"] == pytest.approx(2)
    run("add", "unknownium", "1")
    assert run("moles").exit_code == 5


@pytest.mark.asyncio
async def test_the_screen_filters_adds_and_shows_the_amount_of_the_selected_reagent():
    run("add", "benzene", "1")
    app = ReagentsApp()
    async with app.run_test() as pilot:
        await pilot.press("a", *"water", "tab", *"36.03", "enter")
        await pilot.press("slash", *"wat", "enter")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert list(app.grams) == ["water"]
        assert str(app.query_one("#amount").content) == "2.0000 mol"
