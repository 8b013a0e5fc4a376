"""A disk that forgets at a power cut what was not synced: a layer under SQLite, and a house's log on it.

SQLite writes real files as ever, and for each of them the layer keeps what is
surely on the disk and what was written since the last sync. At a cut nobody
knows what of the latter is there: nothing, the first so many writes with the
next one torn, or any of their 512-byte sectors, in any mixture of files. A file
is there for certain once it was synced; one that was deleted may come back
until the folder is synced, which SQLite does with a new journal's first sync.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
import msgspec

from chiamata.server.log import Log, Unwritten
from tests.server.simulated import MemoryLog, SimulatedLoop

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""
LAYER, REAL = "amnesia", "unix"
"""Names of the layer and of what is below it, among SQLite's virtual file systems."""


class _Write(msgspec.Struct, frozen=True):
    """Bytes at an offset; or, where ``data`` is None, a new length."""

    offset: int
    data: bytes | None

    def onto(self, file: bytearray) -> None:
        """Does it to these contents."""
        if self.data is None:
            del file[self.offset :]
        else:
            file.extend(bytes(max(0, self.offset - len(file))))
            file[self.offset : self.offset + len(self.data)] = self.data

    def sectors(self) -> list[_Write]:
        """The same as what each sector gets of it."""
        if self.data is None:
            return [self]
        cuts = range(self.offset - self.offset % SECTOR, self.offset + len(self.data), SECTOR)
        starts = [max(cut, self.offset) for cut in cuts]
        return [
            _Write(at, self.data[at - self.offset : cut + SECTOR - self.offset])
            for at, cut in zip(starts, cuts, strict=True)
        ]


class _Kept(msgspec.Struct):
    """One file.

    Args:
        synced: what a power cut leaves for certain; None if the file itself may be gone.
        since: what was done to it since, in order.
        former: of a file of this name that was deleted while the folder was not synced.
    """

    synced: bytes | None = None
    since: list[_Write] = []
    former: bytes | None = None

    def after_a_cut(self, dice: random.Random) -> bytes | None:
        """What lies on the disk then; None for no file."""
        way = dice.choice(("nothing", "first", "any"))
        kept: list[_Write] = []
        if way == "first" and self.since:
            whole = dice.randrange(len(self.since))
            torn = self.since[whole].sectors()
            kept = [*self.since[:whole], *torn[: dice.randrange(len(torn) + 1)]]
        elif way == "any":
            share = dice.random()
            kept = [sector for write in self.since for sector in write.sectors() if dice.random() < share]
        if self.synced is None and not kept:
            return dice.choice((None, self.former))
        file = bytearray(self.synced or b"")
        for write in kept:
            write.onto(file)
        return bytes(file)


class Disk:
    """All that SQLite does to the files of one folder, until the power is cut."""

    def __init__(self, folder: Path, before: Callable[[int], None] = lambda _: None) -> None:
        """``before``: hears the number of each deed (write, new length, sync, deletion) from 1, and may
        set ``is_off``: from then on nothing can be done."""
        self.folder = folder
        self.before = before
        self.deeds = 0
        self.is_off = False
        self.failing = ""
        """The file whose syncs fail from now on: what they should have brought to the disk stays away for good."""
        self.files: dict[str, _Kept] = {path.name: _Kept(path.read_bytes()) for path in folder.iterdir()}

    def after_a_cut(self, folder: Path, dice: random.Random) -> None:
        """Makes a new folder with the files as a cut at this moment may leave them."""
        folder.mkdir()
        for name, kept in self.files.items():
            left = kept.after_a_cut(dice)
            if left is not None:
                (folder / name).write_bytes(left)

    # --- what the layer tells --------------------------------------------------------------------

    def write(self, name: str, offset: int, data: bytes | None) -> None:
        """``data``: None for a new length."""
        self.files.setdefault(name, _Kept()).since.append(_Write(offset, data))
        self._step()

    def sync(self, name: str) -> None:
        self._step()
        kept = self.files.setdefault(name, _Kept())
        if name == self.failing:
            kept.since = []
            raise apsw.IOError("the sync failed")
        file = bytearray(kept.synced or b"")
        for write in kept.since:
            write.onto(file)
        if kept.synced is None and name.endswith(("-journal", "-wal")):
            for other in self.files.values():
                other.former = None
        kept.synced, kept.since = bytes(file), []

    def delete(self, name: str, for_good: bool) -> None:
        self._step()
        if name in self.files:
            self.files[name] = _Kept(former=None if for_good else self.files[name].synced)

    def _step(self) -> None:
        self.deeds += 1
        self.before(self.deeds)
        if self.is_off:
            raise apsw.IOError("the power is off")


class _Layer(apsw.VFS):
    """Hands everything on to the real file system and tells the disk of each folder."""

    def __init__(self) -> None:
        self.disks: dict[str, Disk] = {}
        super().__init__(LAYER, REAL, makedefault=True)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        path = Path(name.filename() if isinstance(name, apsw.URIFilename) else name or "")
        disk = self.disks.get(str(path.parent))
        if name is None or disk is None:
            return apsw.VFSFile(REAL, name, flags)
        return _File(disk, path.name, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        disk = self.disks.get(str(Path(filename).parent))
        if disk is not None:
            disk.delete(Path(filename).name, syncdir)
        super().xDelete(filename, syncdir)


class _File(apsw.VFSFile):
    """A real file of which the disk hears."""

    def __init__(self, disk: Disk, short: str, name: str | apsw.URIFilename, flags: list[int]) -> None:
        self.disk, self.short = disk, short
        super().__init__(REAL, name, flags)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self.disk.write(self.short, offset, bytes(data))
        super().xWrite(data, offset)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self.disk.write(self.short, newsize, None)
        super().xTruncate(newsize)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.disk.sync(self.short)  # the real one is not waited for: this machine stays on


@contextmanager
def forgetful_disks() -> Iterator[Callable[..., Disk]]:
    """Within the block SQLite's files in a folder that was given to the function lie on a ``Disk``."""
    layer = _Layer()

    def disk(folder: Path, before: Callable[[int], None] = lambda _: None) -> Disk:
        layer.disks[str(folder)] = made = Disk(folder, before)
        return made

    try:
        yield disk
    finally:
        layer.unregister()


class DiskLog(MemoryLog):
    """The real log on such a disk, for a house under simulated time; after a cut it lies in the next folder.

    ``books`` holds what was acknowledged; at each opening the disk is held against it.
    """

    def __init__(
        self, folder: Path, disk: Callable[..., Disk], dice: random.Random, settings: tuple[str, ...] = ()
    ) -> None:
        """``disk``: makes one of a folder.  ``settings``: pragmas that make of the log one that it should not be."""
        super().__init__()
        self.folder, self.settings = folder, settings
        self.often = 0.0
        """The chance of a cut at each deed."""
        self.cuts = 0
        self.lost = ""
        """What a cut took that had been acknowledged; nothing is read any more then."""
        self._make, self._cuts_dice = disk, dice
        folder.mkdir()
        self._disk = disk(folder, self._before)
        self._open()

    def _before(self, _: int) -> None:
        if not self._disk.is_off and self._cuts_dice.random() < self.often:
            self._disk.is_off = True

    def _open(self) -> None:
        """Opens what the last cut left, again and again until no cut comes meanwhile."""
        while True:
            try:
                self._log = Log(self._disk.folder / "log.db")
            except Unwritten as error:
                if not self._disk.is_off:
                    self.lost = f"what is left cannot be opened: {error}"
                    return
                self._lose_power()
            else:
                break
        for pragma in self.settings:
            self._log._db.execute(pragma).fetchall()

    def _lose_power(self) -> None:
        """The disk is what is left of it."""
        self.cuts += 1
        left = self.folder / str(self.cuts)
        self._disk.after_a_cut(left, self._cuts_dice)
        self._disk.is_off = False  # nobody will look at it, and what is open on it can be closed
        self._disk = self._make(left, self._before)

    async def _reopen(self) -> None:
        self._lose_power()
        self._log.close()
        self._open()
        for book, known in [] if self.lost else self.books.items():
            found = await self.read(book)
            if found[: len(known)] != known:
                self.lost = f"line {len(known)} of {book} was acknowledged and is not on the disk"
            self.books[book] = found

    async def append(self, book: str, prev: int, lines: list[bytes]) -> None:
        log, disk = self._log, self._disk
        try:
            with _waiting():
                await log.append(book, prev, lines)
        except Unwritten:
            if disk is self._disk:
                assert disk.is_off, "the disk refused while the power was on"
                await self._reopen()
                self.crashed.set()
            await asyncio.get_running_loop().create_future()
        self.books.setdefault(book, []).extend(lines)

    async def read(self, book: str) -> list[bytes]:
        with _waiting():
            return await self._log.read(book)

    async def last(self, book: str) -> int:
        assert not self.lost, self.lost
        with _waiting():
            return await self._log.last(book)

    def close(self) -> None:
        self._log.close()


@contextmanager
def _waiting() -> Iterator[None]:
    """Simulated time stands still: the log's thread works in real time."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)
    loop.threads += 1
    try:
        yield
    finally:
        loop.threads -= 1
