"""Who leaves the classroom leaves its file closed, with all of the log in it."""

from __future__ import annotations

from pathlib import Path
from time import sleep

from oasis.classroom.admission import Origin, open_classroom, set_teacher_passphrase
from tui.session import Session
from tui.setup import Setup


async def test_the_teacher_who_leaves_waits_for_who_still_reads(tmp_path: Path) -> None:
    path = tmp_path / "class.db"
    with open_classroom(path) as store:
        set_teacher_passphrase(store, "correct horse")
    session = Session(Setup(database=path, account="ada", origin=Origin.of_account("ada")), lambda *_: None)
    await session.open_class("correct horse")
    reading = session.register._thread.submit(lambda: sleep(0.3))
    assert [each.name for each in tmp_path.glob("class.db*-wal")] == ["class.db-wal"]
    session.close()
    assert reading.done()
    assert [each.name for each in tmp_path.glob("class.db*")] == ["class.db"]
