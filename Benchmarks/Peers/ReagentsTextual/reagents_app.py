"""The screen of the reagents."""
from textual import on, work
from textual.app import App
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.validation import Length, Number
from textual.widgets import DataTable, Footer, Header, Input, Static
from textual.worker import get_current_worker

import reagents


class AddScreen(ModalScreen):
    """The form for a new reagent; its result is the name and the mass."""
    BINDINGS = [("escape", "dismiss", "Close")]

    def compose(self):
        with Vertical():
            yield Input(placeholder="Name, as for 'molecules info'", id="name", validators=[Length(1)])
            yield Input(placeholder="Mass in grams", id="grams", validators=[Number(0, 1e9)])

    @on(Input.Submitted)
    def submit(self):
        fields = [self.query_one("#name", Input), self.query_one("#grams", Input)]
        for field in fields:
            if not field.validate(field.value).is_valid:
                field.focus()
                return
        self.dismiss((fields[0].value, float(fields[1].value)))


class ReagentsApp(App):
    """The reagents, and beside them the amount of the selected one."""
    TITLE = "Reagents"
    BINDINGS = [("a", "add", "Add"), ("slash", "filter", "Filter"), ("q", "quit", "Quit")]
    CSS = """
    DataTable { width: 40%; }
    #amount { width: 1fr; padding: 0 1; }
    AddScreen { align: center middle; }
    AddScreen Vertical { width: 60; height: auto; }
    """

    def compose(self):
        yield Header()
        yield Input(placeholder="Filter", id="filter")
        with Horizontal():
            yield DataTable(cursor_type="row")
            yield Static(id="amount")
        yield Footer()

    def on_mount(self):
        table = self.query_one(DataTable)
        table.add_columns("Reagent", "Mass")
        table.focus()
        self.reload()

    @on(Input.Changed, "#filter")
    def reload(self):
        table = self.query_one(DataTable)
        pattern = self.query_one("#filter", Input).value.casefold()
        self.grams = {name: grams for name, grams in reagents.reagents() if pattern in name.casefold()}
        table.clear()
        for name, grams in self.grams.items():
            table.add_row(name, f"{grams} g", key=name)
        if not self.grams:
            self.query_one("#amount").update("No reagents")

    @on(DataTable.RowHighlighted)
    def select(self, event):
        if event.row_key.value in self.grams:
            self.show_amount(event.row_key.value, self.grams[event.row_key.value])

    @work(exclusive=True, thread=True)
    def show_amount(self, name, grams):
        worker = get_current_worker()
        try:
            content = f"{reagents.amount(name, grams)[2]:.4f} mol"
        except reagents.ReagentError as error:
            content = error.message
        if not worker.is_cancelled:
            self.call_from_thread(self.query_one("#amount").update, content)

    @on(Input.Submitted, "#filter")
    def leave_filter(self):
        self.query_one(DataTable).focus()

    def action_filter(self):
        self.query_one("#filter").focus()

    @work
    async def action_add(self):
        reagent = await self.push_screen_wait(AddScreen())
        if reagent:
            reagents.add_reagent(*reagent)
            self.reload()
