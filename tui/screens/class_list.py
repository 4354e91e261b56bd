"""The list of the class in its teacher's hands: who is put on it, renamed, signed out, taken off it, or erased."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, TypeVar

from textual.binding import BindingType

from oasis.classroom.people.roll import Roll, Ticket
from oasis.ground.plural import counted
from tui.commands import bindings
from tui.screens.form import Form
from tui.screens.room import Hall
from tui.widgets.office import Office

LIST: Final = ("add_students", "new_passphrase", "rename_student", "end_tabs", "dismiss_student", "erase_student")
"""The commands that change the list."""

_Answer = TypeVar("_Answer")


class ClassList(Hall):
    """A screen with the class on it, whose list can be changed; what is shown of the class is not its business."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(*LIST)

    @property
    def _office(self) -> Office:
        return self.query_one(Office)

    async def _change(self, change: Callable[[Roll], _Answer]) -> _Answer:
        """Change the list. Raises InputError and StoreError."""
        return await self.session.register.ask(lambda register: change(register.roll))

    def _change_student(self, form: Callable[[str], Form]) -> None:
        student = self._office.student
        if student is not None:
            self.app.push_screen(form(student.where.name))

    def action_add_students(self) -> None:
        """New students."""
        from tui.screens.roll_dialogs import AddStudents

        self.app.push_screen(AddStudents(self._change, self.session.save))

    def action_new_passphrase(self) -> None:
        """Another passphrase for who has forgotten it."""
        from tui.screens.roll_dialogs import Ticketing

        title, label, save = "Passphrase forgotten", "Make one up", self.session.save
        about = "{} gets a new passphrase, which you tell them. The one until now does not let them in any more."

        async def reset(name: str) -> list[Ticket]:
            return [await self._change(lambda roll: roll.reset(name))]

        self._change_student(lambda name: Ticketing(title, about.format(name), label, lambda: reset(name), save))

    def action_rename_student(self) -> None:
        """Another name."""
        from tui.screens.roll_dialogs import RenameStudent

        change = self._change
        self._change_student(lambda name: RenameStudent(name, lambda new: change(lambda roll: roll.rename(name, new))))

    def action_end_tabs(self) -> None:
        """Out of all tabs."""
        from tui.screens.roll_dialogs import Confirm

        about = "{0} is signed out of all tabs and terminals, and has to sign in anew. All work is kept."

        async def sign_out(name: str) -> None:
            _, tabs = await self._change(lambda roll: roll.sign_out(name))
            self.notify(f"{name} is signed out of {counted(tabs, 'tab')}.", markup=False)

        self._change_student(
            lambda name: Confirm("End all tabs", about.format(name), "Sign out", lambda: sign_out(name))
        )

    def action_dismiss_student(self) -> None:
        """Off the list."""
        from tui.screens.roll_dialogs import Confirm

        about = (
            "{0} is signed out of all tabs, and is not let in any more. "
            "All work is kept; oasis classroom students readmit, on the machine of the class, has {0} back."
        )

        async def dismiss(name: str) -> None:
            await self._change(lambda roll: roll.dismiss(name))
            self.notify(f"{name} is off the list. All work is kept.", markup=False)

        self._change_student(
            lambda name: Confirm("Off the list", about.format(name), "Take off the list", lambda: dismiss(name))
        )

    def action_erase_student(self) -> None:
        """Away for good."""
        from tui.screens.roll_dialogs import EraseStudent

        ask = self.session.register.ask

        def form(name: str) -> Form:
            return EraseStudent(
                name,
                copy=lambda: ask(lambda register: register.copy(name)),
                erase=lambda: ask(lambda register: register.roll.erase(name)),
                save=self.session.save,
            )

        self._change_student(form)
