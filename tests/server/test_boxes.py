"""What is stored of a running deal can be read with the house's key alone; of one that is over, by everybody."""

from __future__ import annotations

import base64
import re

import msgspec
import pytest

from chiamata.rules import fair
from chiamata.rules.cards import cards_in
from chiamata.rules.errors import Malformed
from chiamata.server import boxes, table
from chiamata.server import lines as say
from chiamata.server.boxes import End, Keys
from tests.nemesis.opener import opened
from tests.server.driver import Driver
from tests.server.test_dealing import commit, cutter, do_all, share_of

KEY, OTHER = bytes(range(32)), bytes(range(32, 64))
KEYS = Keys([KEY])
CODE = "ABCDE"


def played(*, moves: int = 0, deals: int = 0) -> Driver:
    """A table of one person and four bots after so many deals and moves of the next."""
    house = Driver("quick" if not deals else "classic")
    house.sit_and_start("anna")
    for _ in range(deals):
        house.play_deal()
        house.must("anna", "next")
    for _ in range(moves):
        house.move()
    return house


def stored(log: list[bytes], keys: Keys = KEYS) -> list[bytes]:
    """As a house writes it, a line at a time."""
    end, written = End(), list[bytes]()
    for line in log:
        more, end = boxes.seal(CODE, end, [line], keys)
        written += more
    return written


def secrets_in(log: list[bytes]) -> list[bytes]:
    return [bytes.fromhex(line.secret) for line in map(say.decode, log) if isinstance(line, say.Sealed)]


def shows(data: bytes, secret: bytes) -> bool:
    """Whether a secret stands in these bytes in any of the ways in which bytes are written."""
    ways = [secret, secret.hex().encode(), secret.hex().upper().encode()]
    ways += [base64.b64encode(secret)[:40], base64.urlsafe_b64encode(secret)[:40]]
    return any(way in data for way in ways)


def test_a_book_reads_back_as_its_table_wrote_it_wherever_it_is_cut() -> None:
    house = played(deals=2, moves=9)
    written = stored(house.log)
    for v in range(len(house.log) + 1):
        found = boxes.read(CODE, written[:v], KEYS)
        assert found.lines == house.log[:v]
        assert found.end.v == v
        assert not found.closed
        more, _ = boxes.seal(CODE, found.end, house.log[v:], KEYS)
        assert boxes.read(CODE, written[:v] + more, KEYS).lines == house.log
    assert table.fold(boxes.read(CODE, written, KEYS).lines) == house.state
    assert boxes.seal(CODE, found.end, [], KEYS) == ([], found.end)


@pytest.mark.parametrize("moves", [0, 1, 6, 20])
def test_nothing_of_a_running_deal_can_be_read(moves: int) -> None:
    house = played(deals=1, moves=moves)
    written = stored(house.log)
    begun = max(v for v, line in enumerate(house.log) if isinstance(say.decode(line), say.Sealed))
    data = b"\n".join(written[begun:])
    *_, running = secrets_in(house.log)
    assert not shows(b"\n".join(written), running)
    assert not shows(b"\n".join(written), bytes.fromhex(house.state.secret))
    hands = [cards_in(house.view(chair).hand) for chair in range(5)]
    names = {house.rules.card_name(card) for hand in hands for card in hand}
    clear = re.sub(rb'"box":"[^"]*"|"sum":"\w*"', b"", data).decode()
    assert not names & set(re.findall(r"\w+", clear))
    assert {type(say.decode(line)) for line in written[begun:]} == {say.Boxed}
    assert sum(isinstance(say.decode(line), say.Boxed) for line in written) > moves


def test_a_deal_that_is_over_needs_no_key() -> None:
    house = played(deals=2)
    house.play_deal()
    found = boxes.read(CODE, stored(house.log), Keys())
    assert not found.closed
    assert found.lines[1:] == house.log[1:]
    assert table.transcripts(table.fold(found.lines)) == table.transcripts(house.state)
    made = say.decode(found.lines[0])
    assert isinstance(made, say.Made)
    assert made.secret == ""


@pytest.mark.parametrize("keys", [Keys(), Keys([OTHER])], ids=["none", "another"])
def test_without_its_key_a_book_ends_before_the_running_deal(keys: Keys) -> None:
    house = played(deals=1, moves=3)
    begun = max(v for v, line in enumerate(house.log) if isinstance(say.decode(line), say.Sealed))
    found = boxes.read(CODE, stored(house.log), keys)
    assert found.closed
    assert found.lines[1:] == house.log[1:begun]
    assert table.finished(table.fold(found.lines)) == 1


def test_a_table_whose_secret_is_lost_gets_another_and_keeps_it() -> None:
    house = Driver("quick")
    written, other = stored(house.log), Keys([OTHER])
    ((first,), (again,)) = [boxes.read(CODE, written, other).lines for _ in range(2)]
    made = say.decode(first)
    assert isinstance(made, say.Made)
    assert first == again
    assert re.fullmatch("[0-9a-f]{64}", made.secret)
    assert made.secret != house.state.secret
    assert other.instead("FGHJK") != made.secret


def test_a_new_key_seals_and_the_old_one_still_opens() -> None:
    old, new = played(moves=2), played(moves=4)
    assert old.log == new.log[: len(old.log)]
    both, written = Keys([OTHER, KEY]), stored(old.log)
    found = boxes.read(CODE, written, both)
    assert found.lines == old.log
    more, _ = boxes.seal(CODE, found.end, new.log[len(old.log) :], both)
    assert boxes.read(CODE, written + more, KEYS).lines == new.log, "words need the deal's own key alone"
    assert boxes.read(CODE, stored(old.log, both), KEYS).closed


def test_every_byte_that_is_turned_is_found_with_the_key_and_without() -> None:
    house = played(moves=2)
    written = stored(house.log)
    for keys in (KEYS, Keys()):
        for place, data in enumerate(written[1:], 1):
            for byte in range(len(data)):
                bad = data[:byte] + bytes([data[byte] ^ 1]) + data[byte + 1 :]
                with pytest.raises(Malformed):
                    boxes.read(CODE, [*written[:place], bad, *written[place + 1 :]], keys)


def test_a_box_opens_at_its_own_place_alone() -> None:
    """Even where the sums were made anew."""
    house = played(moves=6)
    written = [say.decode(line) for line in stored(house.log)]
    first = next(v for v, line in enumerate(written) if isinstance(line, say.Boxed))
    for v in (first, first + 2):
        swapped = [*written[:v], written[v + 1], written[v], *written[v + 2 :]]
        with pytest.raises(Malformed) as error:
            boxes.read(CODE, say.chain(swapped), KEYS)
        assert error.value.code == "WRONG_BOX"
    with pytest.raises(Malformed):
        boxes.read("FGHJK", say.chain(written), KEYS)
    for box in ("", ".", ".AAAA", ".#", f"{KEYS.names[0]}.", KEYS.seal(b'{"do":"tick","at":1}', f"{CODE}/{first + 1}")):
        forged = [*written[:first], say.Boxed(0, box=box)]
        if box:
            with pytest.raises(Malformed):
                boxes.read(CODE, say.chain(forged), KEYS)
        else:
            assert boxes.read(CODE, say.chain(forged), KEYS).closed
    made = KEYS.seal(house.log[0], f"{CODE}/{first + 1}")
    with pytest.raises(Malformed) as error:
        boxes.read(CODE, say.chain([*written[:first], say.Boxed(0, box=made)]), KEYS)
    assert error.value.code == "WRONG_BOX"


def test_a_secret_that_is_none_makes_a_log_that_cannot_be_read() -> None:
    house = played(moves=1)
    written = [say.decode(line) for line in stored(house.log)]
    first = next(v for v, line in enumerate(written) if isinstance(line, say.Boxed))
    for lines in (
        [*written[:first], say.Sealed(0, secret="?")],
        [*written, say.Unsealed(0, secret="é" * 64)],
        [*written, say.Unsealed(0, secret="0" * 62)],
        [*written, say.Unsealed(0, secret="0" * 64)],
    ):
        with pytest.raises(Malformed) as error:
            boxes.read(CODE, say.chain(lines), KEYS)
        assert error.value.code == "WRONG_BOX"


@pytest.mark.parametrize("sums", [True, False])
@pytest.mark.parametrize("moves", [0, 5])
def test_logs_with_their_secrets_in_clear_are_read_and_go_on(sums: bool, moves: int) -> None:
    """As they were written once; only what comes then is sealed."""
    house = played(moves=moves)
    old = say.chain(map(say.decode, house.log)) if sums else list(house.log)
    found = boxes.read(CODE, old, KEYS)
    assert found.lines == house.log
    before = len(house.log)
    house.play_deal()
    more, _ = boxes.seal(CODE, found.end, house.log[before:], KEYS)
    assert boxes.read(CODE, old + more, KEYS).lines == house.log
    assert boxes.read(CODE, old + more, Keys()).lines == house.log
    assert isinstance(say.decode(more[0]), say.Boxed)


def test_old_logs_of_ended_deals_are_read_as_they_are() -> None:
    house = played(deals=2)
    lines = [line for line in map(say.decode, house.log) if not isinstance(line, say.Unsealed)]
    state = table.fold([say.encode(line) for line in lines])
    assert table.transcripts(state) == table.transcripts(house.state)
    assert state.sealed
    assert boxes.read(CODE, say.chain(lines), Keys()).lines == [say.encode(line) for line in lines]


def test_the_same_line_is_never_the_same_box() -> None:
    house = played()
    once, again = stored(house.log), stored(house.log)
    assert boxes.read(CODE, once, KEYS).lines == boxes.read(CODE, again, KEYS).lines
    same = set(once) & set(again)
    assert not any(isinstance(say.decode(line), say.Boxed | say.Made) for line in same)


def test_the_length_of_a_box_does_not_tell_the_card() -> None:
    """Where the first cards lie face down."""
    played = [{"do": "play", "seat": 0, "card": card} for card in ("10H", "7H")]
    for who in ("", "a" * 32):
        for length in range(41) if who else (0,):
            words = [say.encode(say.Spoken(10**9, who, "c" * length, word=word)) for word in played]
            ((long,), _), ((short,), _) = [boxes.seal(CODE, End(4, "0" * 16, KEY), [word], KEYS) for word in words]
            assert len(long) == len(short)


def test_what_is_printed_of_keys_tells_nothing_of_them() -> None:
    told = repr(KEYS) + repr(End(3, "0" * 16, OTHER)) + str(msgspec.json.encode(KEYS.names))
    assert not shows(told.encode(), KEY)
    assert not shows(told.encode(), OTHER)
    assert repr(OTHER) not in told
    assert KEYS.names[0] in repr(KEYS)


# --- a deal whose key is lost ---------------------------------------------------------------------


def after_voiding(written: list[bytes], since: int) -> list[bytes]:
    """A stored book with one line more, which gives up what was sealed in line ``since``."""
    last = written[-1]
    return [*written, *say.chain([say.Voided(say.decode(last).at, since=since)], say.sum_in(last))]


def last_sealed(log: list[bytes]) -> int:
    return max(v for v, line in enumerate(map(say.decode, log), 1) if isinstance(line, say.Sealed))


def with_a_second_deal(moves: int) -> Driver:
    """Anna and Bruno put bytes into every deal; the second one is on its way, or has had so many moves."""
    house = Driver("classic")
    house.cuts = True
    house.sit_and_start("anna", "bruno")
    do_all(house)
    house.play_deal()
    for who in ("anna", "bruno"):
        house.must(who, "next")
    commit(house, "anna")
    if moves >= 0:
        commit(house, "bruno")
        house.must(cutter(house), "cut", cut=3)
        for who in ("anna", "bruno"):
            house.must(who, "share", share=share_of(who, 2).hex())
    for _ in range(moves):
        house.move()
    return house


@pytest.mark.parametrize("moves", [-1, 0, 9])
@pytest.mark.parametrize("keys", [Keys([OTHER]), Keys([OTHER, KEY]), Keys()], ids=["lost", "found again", "none"])
def test_a_deal_that_is_given_up_counts_no_more_and_its_table_deals_again(moves: int, keys: Keys) -> None:
    house = with_a_second_deal(moves)
    house.do(say.Leave("bruno"))
    before = table.transcripts(house.state)
    written = stored(house.log)
    assert boxes.read(CODE, written, Keys([OTHER])).closed
    kept = after_voiding(written, last_sealed(house.log))
    found = boxes.read(CODE, kept, keys)
    assert not found.closed
    assert len(found.lines) == len(kept)
    if keys.names:
        second = opened([*enumerate(kept, 1)], CODE, [OTHER, KEY])  # the table's own secret is in one of them
        assert [say.decode(line) for _, line in second][1:] == [say.decode(line) for line in found.lines][1:]
    house.log = found.lines
    house.state = house.folded = state = table.fold(found.lines)
    assert (state.v, state.voided, table.stage_of(state), table.finished(state)) == (len(kept), (2,), "between", 1)
    assert table.transcripts(state) == before
    assert not state.places[1].here, "what people did besides counts"
    assert not any(place.ready for place in state.places), "nobody is hurried into the next deal"
    for who in ("anna", "bruno", ""):
        assert house.scene(who).table.voided == [2]
    house.do(say.Arrive("bruno", "Bruno", cuts=True))
    for who in ("anna", "bruno"):
        house.must(who, "next")
    do_all(house)
    house.play_deal()
    told = table.transcripts(house.state)
    assert [one.deal for one in told] == [1, 2]
    assert fair.is_chain(told)
    assert all(all(fair.check(one).values()) for one in told)
    more, _ = boxes.seal(CODE, found.end, house.log[len(kept) :], Keys([OTHER]))
    assert boxes.read(CODE, kept + more, Keys()).lines[-9:] == house.log[-9:], "it is over, and needs no key"


def test_only_a_deal_that_is_still_sealed_can_be_given_up() -> None:
    running = with_a_second_deal(3)
    since = last_sealed(running.log)
    written = stored(running.log)
    once = after_voiding(written, since)
    over = with_a_second_deal(0)
    over.play_deal()
    for kept in (
        after_voiding(written, since - 1),
        after_voiding(written, since + 1),
        after_voiding(written, 0),
        after_voiding(once, since),
        after_voiding(stored(over.log), since),
        after_voiding(stored(played().log[:1]), 1),
    ):
        with pytest.raises(Malformed) as error:
            boxes.read(CODE, kept, KEYS)
        assert error.value.code == "WRONG_VOID"
    in_clear = [*running.log, say.encode(say.Voided(running.state.at, since=since))]
    with pytest.raises(Malformed) as error:
        table.fold(in_clear)
    assert error.value.code == "WRONG_VOID"
