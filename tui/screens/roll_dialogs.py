"""What a teacher is asked when the list of the class is changed, and the passphrases that are to be told then.

How the list is changed is handed in; what that raises as InputError or StoreError is said in the form.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from rich.cells import cell_len, set_cell_size
from textual import on, work
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Button, Static

from oasis.classroom.people.names import LONGEST_NAME
from oasis.classroom.people.roll import Roll, Ticket, tickets_csv
from oasis.classroom.people.tables import read_table
from oasis.store import StoreError
from tactics.errors import InputError
from tui.phrases import file_of
from tui.screens.dialogs import Box, Dialog
from tui.screens.form import Form
from tui.widgets.line import Line, Pad

Save = Callable[[str, str], None]
"""Hands out a text as a file of a name."""
Change = Callable[[Callable[[Roll], Any]], Awaitable[Any]]
"""Changes the list, or asks it something."""


class Told(Dialog):
    """Passphrases to be told to students; they are not shown again, so that no click beside them closes it.

    Args:
        tickets: one for each student, at least one.
        save: hands them out as a spreadsheet.
    """

    CLOSES_BESIDE = False

    def __init__(self, tickets: Sequence[Ticket], save: Save) -> None:
        super().__init__()
        self._tickets, self._save = tickets, save

    def compose(self) -> ComposeResult:
        """Names and passphrases, and a button that saves them."""
        one = len(self._tickets) == 1
        with Box("A new passphrase" if one else "New passphrases", classes="form") as box:
            box.can_focus = True
            whom = self._tickets[0].name if one else "each student"
            about = f"Tell {whom} the passphrase now: it is kept nowhere, and cannot be shown again."
            yield Static(about, markup=False)
            width = max(cell_len(ticket.name) for ticket in self._tickets)
            lines = [
                Content.assemble(set_cell_size(name, width), "  ", (passphrase, "bold"))
                for name, passphrase in self._tickets
            ]
            yield Static(Content("\n").join([Content(""), *lines]), id="tickets")
            yield Button("Save as a spreadsheet")

    @on(Button.Pressed)
    def _keep(self) -> None:
        self._save(tickets_csv(self._tickets), "passphrases.csv")


class Ticketing(Form):
    """A form that leads to passphrases.

    Args:
        title: above it.
        about: what is asked for.
        label: of the button that does it.
        make: makes the passphrases up.
        save: hands them out as a spreadsheet.
    """

    def __init__(
        self, title: str, about: str, label: str, make: Callable[[], Awaitable[Sequence[Ticket]]], save: Save
    ) -> None:
        super().__init__(title, about, label)
        self._make, self._save = make, save
        self._tickets: Sequence[Ticket] = ()

    async def fill_in(self) -> None:
        """Make them up."""
        self._tickets = await self._make()

    def leave(self) -> None:
        """Show the passphrases instead."""
        app = self.app
        super().leave()
        if self._tickets:  # else a table has only told more of who was on the list
            app.push_screen(Told(self._tickets, self._save))


class AddStudents(Ticketing):
    """Names, one a line, or a table with heads, typed or pasted; how a table is read is said before it is used.

    Args:
        change: changes the list.
        save: hands their passphrases out as a spreadsheet.
    """

    def __init__(self, change: Change, save: Save) -> None:
        about = "Type or paste names, one a line; then Tab to the button and Enter. Each student gets a passphrase."
        super().__init__("New students", about, "Put them on the list", self._add, save)
        self._change, self._said = change, ""

    def compose_lines(self) -> ComposeResult:
        """Room for many names."""
        yield Pad("names")

    async def _add(self) -> Sequence[Ticket]:
        tickets: Sequence[Ticket]
        table = read_table(self.query_one(Pad).text.encode())
        if table.is_plain:
            tickets = await self._change(lambda roll: roll.add([entry.name for entry in table.entries]))
            return tickets
        plan = await self._change(lambda roll: roll.plan(table.entries))
        said = " ".join([table.sentence(), *plan.sentences(), "Press the button again if that is meant."])
        if said != self._said:
            self._said = said
            raise InputError(said)
        tickets = await self._change(lambda roll: roll.enter(plan))
        return tickets


class RenameStudent(Form):
    """The name of a student as it should be.

    Args:
        name: as it is.
        rename: changes it into another one.
    """

    def __init__(self, name: str, rename: Callable[[str], Awaitable[object]]) -> None:
        about = "All work stays the student's, who signs in with this name from then on. Type it as it should be."
        super().__init__("Another name", about, "Use it from now on")
        self._student, self._rename = name, rename

    def compose_lines(self) -> ComposeResult:
        """The name, to be corrected."""
        yield Line(self._student, placeholder="The name", id="new-name", max_length=LONGEST_NAME)

    async def fill_in(self) -> None:
        """Change it."""
        await self._rename(self.query_one(Line).value)


class EraseStudent(Form):
    """Whether a student is to be deleted with all of their work, after a copy of it.

    Args:
        name: of the student.
        copy: all of their work as a text.
        erase: deletes them.
        save: hands the copy out as a file.
    """

    def __init__(
        self, name: str, *, copy: Callable[[], Awaitable[str]], erase: Callable[[], Awaitable[object]], save: Save
    ) -> None:
        about = (
            f"This deletes {name} and all of their work for good; nobody can bring it back, but from a copy. Save one "
            "first if it may be needed. Then type the name once more."
        )
        super().__init__("Erase a student", about, "Delete for good")
        self._student, self._copy, self._erase, self._save = name, copy, erase, save

    def compose_lines(self) -> ComposeResult:
        """A button for the copy, and the name again."""
        yield Button("Save a copy of the work", id="copy")
        yield Line(placeholder=self._student, id="name-again", max_length=LONGEST_NAME)

    @on(Button.Pressed, "#copy")
    @work(exclusive=True)
    async def _keep(self, event: Button.Pressed) -> None:
        event.stop()
        event.prevent_default()
        said = self.query_one("#form-said", Static)
        try:
            self._save(await self._copy(), file_of(self._student))
        except (InputError, StoreError) as error:
            said.update(str(error))
        else:
            said.update(f"A copy goes to your downloads. Type {self._student} to delete the student for good.")
            self.query_one("#name-again").focus()

    async def fill_in(self) -> None:
        """Delete."""
        if self.query_one("#name-again", Line).value.strip() != self._student:
            raise InputError(f"Type {self._student}, just as it stands here, to delete the student for good.")
        await self._erase()


class Confirm(Form):
    """Something that is done only if it is really meant.

    Args:
        title: above it.
        sentence: what will be done.
        label: of the button that does it.
        do: does it.
    """

    def __init__(self, title: str, sentence: str, label: str, do: Callable[[], Awaitable[object]]) -> None:
        super().__init__(title, sentence, label)
        self._confirmed = do

    async def fill_in(self) -> None:
        """Do it."""
        await self._confirmed()
