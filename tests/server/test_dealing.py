"""A deal on its way: who seals, who cuts, who is absent, and what anybody hears of it when."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from chiamata.rules import fair
from chiamata.rules.cards import ALL_CARDS
from chiamata.rules.errors import Bug
from chiamata.server import dealing, table, wire
from chiamata.server import lines as say
from chiamata.server.seating import Place
from tests.server.driver import Driver, rules_with


def taking_part(*people: str, rules: Any = "classic", seed: int = 1) -> Driver:
    """A table whose people's pages take part, before its first deal is sealed by them."""
    house = Driver(rules, seed)
    house.cuts = True
    house.sit_and_start(*people)
    return house


def share_of(who: str, deal: int = 1) -> bytes:
    return hashlib.sha256(f"{who} {deal}".encode()).digest()


def opening(house: Driver) -> dealing.Opening:
    assert house.state.opening is not None
    return house.state.opening


def now(house: Driver, who: str = "") -> wire.FairScene:
    seen = house.scene(who).fair
    assert seen is not None
    return seen


def promise_of(house: Driver, who: str) -> str:
    way = opening(house)
    return fair.commitment_of(way.terms, way.people.index(who), share_of(who, way.terms.deal)).hex()


def commit(house: Driver, who: str) -> None:
    house.must(who, "commit", hash=promise_of(house, who))


def cutter(house: Driver) -> str:
    return opening(house).people[opening(house).cutter]


def do_all(house: Driver, cut: int = 17) -> None:
    """Everybody who takes part does all of it."""
    people = [who for who in opening(house).people if who]
    for who in people:
        commit(house, who)
    house.must(cutter(house), "cut", cut=cut)
    for who in people:
        house.must(who, "share", share=share_of(who, opening(house).terms.deal).hex())


def told(house: Driver, number: int = 1) -> fair.Transcript:
    (found,) = [one for one in table.transcripts(house.state) if one.deal == number]
    return found


# --- the whole way --------------------------------------------------------------------------------


def test_everybody_seals_one_cuts_everybody_opens_then_come_the_cards() -> None:
    house = taking_part("anna", "bruno", "carla")
    assert house.stage == "between"
    assert house.scene().deal is None
    seen = now(house)
    assert (seen.deal, seen.step, seen.previous) == (1, "sealing", "")
    assert seen.seats[:3] == ["person:Anna", "person:Bruno", "person:Carla"]
    assert seen.seats[3:] == ["bot:random", "bot:random"]
    assert sorted(seen.waits_for) == [0, 1, 2]
    for who in ("anna", "bruno", "carla"):
        commit(house, who)
    assert [bool(promise) for promise in now(house).commitments] == [True, True, True, False, False]
    assert now(house).waits_for == [now(house).cutter]
    house.must(cutter(house), "cut", cut=17)
    assert (now(house).step, now(house).cut) == ("opening", 17)
    for who in ("anna", "bruno", "carla"):
        house.must(who, "share", share=share_of(who).hex())
    assert house.stage == "playing"
    seen = now(house)
    assert (seen.step, seen.cut, seen.secret) == ("dealt", 17, "")
    assert seen.shares == [share_of(who).hex() for who in ("anna", "bruno", "carla")] + ["", ""]
    house.play_deal()
    found = told(house)
    assert fair.check(found) == dict.fromkeys(fair.CHECKS, True)
    assert found.secret == now(house).secret
    assert found.commitment == seen.commitment
    assert now(house).step == "ended"


def test_nobody_hears_of_bytes_before_the_cards_or_of_the_secret_before_the_end() -> None:
    house = taking_part("anna", "bruno")
    secret = opening(house).secret.hex()
    commit(house, "anna")
    commit(house, "bruno")
    house.must(cutter(house), "cut", cut=1)
    house.must("anna", "share", share=share_of("anna").hex())
    for who in ("", "bruno", "anna"):
        assert share_of("anna").hex() not in str(house.scene(who))
        assert secret not in str(house.scene(who))
    house.must("bruno", "share", share=share_of("bruno").hex())
    while house.stage == "playing":
        for who in ("", "anna", "bruno"):
            assert secret not in str(house.scene(who))
        assert table.transcripts(house.state) == ()
        house.move()
    assert secret in str(house.scene())
    assert [one.secret for one in table.transcripts(house.state)] == [secret]


def test_the_bytes_are_told_until_the_first_card_is_down() -> None:
    house = taking_part("anna")
    do_all(house)
    assert now(house).shares
    house.play_to("call", "play", "done")
    assert house.deal().phase != "done"
    assert now(house).shares == []
    assert now(house).commitment


# --- who gives nothing ----------------------------------------------------------------------------


def test_where_no_page_takes_part_the_cards_come_at_once() -> None:
    house = Driver()
    house.sit_and_start("anna", "bruno")
    assert house.stage == "playing"
    house.play_deal()
    found = told(house)
    assert all(fair.check(found).values())
    assert (found.cutter, found.cut) == (fair.NOBODY, 0)
    assert found.commitments == found.shares == ("",) * 5


def test_who_seals_nothing_is_waited_for_three_seconds_and_not_longer() -> None:
    house = taking_part("anna", "bruno")
    commit(house, "anna")
    assert house.last.wake == dealing.SEALING
    house.wait(dealing.SEALING - 1)
    assert now(house).step == "sealing"
    house.wait(1)
    assert now(house).step == "opening"
    assert now(house).waits_for == [0]
    assert house.refusal("bruno", "commit", hash=promise_of(house, "bruno")) == "WRONG_PHASE"  # too late to seal
    house.must("anna", "share", share=share_of("anna").hex())
    assert house.stage == "playing"
    assert now(house).cutter is None  # nobody cut in time
    house.play_deal()
    assert told(house).shares[1] == told(house).commitments[1] == ""
    assert all(fair.check(told(house)).values())


def test_who_does_not_open_is_absent() -> None:
    house = taking_part("anna", "bruno")
    commit(house, "anna")
    commit(house, "bruno")
    house.must(cutter(house), "cut", cut=39)
    house.must("anna", "share", share=share_of("anna").hex())
    house.wait(dealing.OPENING)
    assert house.stage == "playing"
    house.play_deal()
    found = told(house)
    assert found.commitments[1]
    assert not found.shares[1]
    assert all(fair.check(found).values())


def test_nobody_stalls_the_table_for_more_than_two_steps() -> None:
    house = taking_part("anna", "bruno")
    house.wait(dealing.SEALING)
    assert house.stage == "playing"


def test_the_cut_alone_is_no_reason_to_open() -> None:
    house = taking_part("anna")
    house.must("anna", "cut", cut=9)
    house.wait(dealing.SEALING)
    assert house.stage == "playing"
    assert now(house).cut == 9


def test_who_leaves_on_the_way_holds_nobody_up() -> None:
    house = taking_part("anna", "bruno")
    house.must("bruno", "stand")
    commit(house, "anna")
    house.wait(dealing.SEALING)
    house.must("anna", "share", share=share_of("anna").hex())
    assert house.stage == "playing"


def test_who_comes_on_the_way_takes_part_in_the_next() -> None:
    house = taking_part("anna")
    house.must("bruno", "sit", chair=1)
    assert house.refusal("bruno", "commit", hash="0" * 64) == "NO_PART_IN_THIS_DEAL"
    do_all(house)
    house.play_deal()
    house.must("anna", "next")
    house.must("bruno", "next")
    assert opening(house).people[1] == "bruno"


def test_who_sits_out_takes_no_part() -> None:
    people = ["anna", "bruno", "carla", "dario", "elena", "franca"]
    house = taking_part(*people, rules=rules_with("classic", session={"sitters": 1}))
    idle = [who for who in people if who not in opening(house).people]
    assert len(idle) == 1
    assert house.refusal(idle[0], "commit", hash="0" * 64) == "NO_PART_IN_THIS_DEAL"
    do_all(house)
    assert house.stage == "playing"
    assert now(house).chairs == list(told_chairs(house))


def told_chairs(house: Driver) -> tuple[int, ...]:
    return house.state.records[-1].opening.chairs


def test_a_page_that_can_take_part_is_news() -> None:
    house = Driver()
    house.must("anna", "sit")
    house.do(say.Arrive("anna", "Anna", cuts=True))
    assert [place.cuts for place in house.state.places] == [True, False, False, False, False]
    v = house.state.v
    house.do(say.Arrive("anna", "Anna"))  # another page of hers, which cannot
    assert house.state.v == v


# --- the cut --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "dealer", "cutter"),
    [
        ("abcde", 2, 1),  # the left neighbour
        ("abcde", 0, 4),
        ("a.cde", 2, 0),  # a bot there: the next to the left
        ("..c..", 2, 2),  # the dealer, where there is nobody else
        ("..c.e", 2, 4),
        (".....", 2, -1),
    ],
)
def test_who_cuts(people: str, dealer: int, cutter: int) -> None:
    places = [
        (chair, Place() if who == "." else Place("person", who, here=True, cuts=True))
        for chair, who in enumerate(people)
    ]
    terms = fair.Terms("ABCDE", 1, bytes(32), ("",) * 5, dealer)
    assert dealing.begin(terms, say.Sealed(0, secret="00" * 32), 1, places).cutter == cutter


@pytest.mark.parametrize(
    "place", [Place("person", "a"), Place("person", "a", here=True), Place("bot"), Place("person", "a", cuts=True)]
)
def test_who_cannot_take_part(place: Place) -> None:
    assert not dealing.takes_part(place)


def test_one_cuts_once_and_before_anything_is_opened() -> None:
    house = taking_part("anna", "bruno")
    other = "bruno" if cutter(house) == "anna" else "anna"
    assert house.refusal(other, "cut", cut=3) == "NOT_YOUR_CUT"
    house.must(cutter(house), "cut", cut=3)
    assert house.refusal(cutter(house), "cut", cut=4) == "NOT_YOUR_CUT"
    late = taking_part("anna", "bruno")
    commit(late, "anna")
    late.wait(dealing.SEALING)
    assert late.refusal(cutter(late), "cut", cut=4) == "NOT_YOUR_CUT"


def test_the_time_for_the_cut_is_told() -> None:
    house = taking_part("anna")
    assert now(house).cut_in == dealing.CUT
    house.now += 500
    assert now(house).cut_in == dealing.CUT - 500
    assert dealing.on_its_way(opening(house), house.now, 0).cut_in == 0


def test_the_cut_changes_the_deal() -> None:
    one, other = taking_part("anna"), taking_part("anna")
    do_all(one, cut=0)
    do_all(other, cut=1)
    assert opening_of(one).seed == opening_of(other).seed
    assert one.state.records[-1].hands != other.state.records[-1].hands


def opening_of(house: Driver) -> dealing.Opening:
    return house.state.records[-1].opening


# --- refusals -------------------------------------------------------------------------------------


def test_nothing_is_on_its_way() -> None:
    house = Driver()
    house.must("anna", "sit")
    for verb, field in (("commit", {"hash": "0" * 64}), ("cut", {"cut": 0}), ("share", {"share": "0" * 64})):
        assert house.refusal("anna", verb, **field) == "WRONG_PHASE"


def test_what_is_sealed_stays_and_only_that_can_be_opened() -> None:
    house = taking_part("anna", "bruno")
    sealed = opening(house).v
    assert house.refusal("anna", "share", share=share_of("anna").hex()) == "WRONG_PHASE"
    assert house.refusal("walter", "commit", hash="0" * 64) == "NO_PART_IN_THIS_DEAL"
    assert house.refusal("", "commit", hash="0" * 64) == "NO_PART_IN_THIS_DEAL"
    assert house.refusal("anna", "commit", hash="0" * 64, v=sealed - 1) == "STALE"
    commit(house, "anna")
    assert house.refusal("anna", "commit", hash="0" * 64) == "WRONG_PHASE"
    commit(house, "bruno")
    house.must(cutter(house), "cut", cut=3)
    assert house.refusal("bruno", "commit", hash="0" * 64) == "WRONG_PHASE"
    assert house.refusal("bruno", "share", share="0" * 64) == "NOT_WHAT_WAS_SEALED"
    house.must("anna", "share", share=share_of("anna").hex())
    assert house.refusal("anna", "share", share=share_of("anna").hex()) == "WRONG_PHASE"


def test_a_line_or_command_that_is_no_part_of_a_deal() -> None:
    house = taking_part("anna")
    with pytest.raises(Bug):
        dealing.follow(opening(house), say.Gone(0))
    with pytest.raises(Bug):
        dealing.part(opening(house), say.Ask("anna", "Anna", wire.DoNext("x", house.state.v), ""), 0)
    with pytest.raises(Bug):
        table.follow(Driver().state, say.ShareNow(0))


def test_nothing_else_is_sealed_on_the_way() -> None:
    house = taking_part("anna")
    secret = opening(house).secret
    assert "next" not in house.scene("anna").table.may
    assert house.scene("anna").table.next_in is None
    house.do(say.DealNow(b"\1" * 32))
    house.must("anna", "next")
    assert opening(house).secret == secret


@pytest.mark.parametrize("size", [0, 16, 31, 33])
def test_too_little_chance_is_a_bug(size: int) -> None:
    house = Driver()
    house.dice.randbytes = lambda n: bytes(size)  # type: ignore[method-assign]
    house.must("anna", "sit")
    with pytest.raises(Bug):
        house.must("anna", "start")


# --- every promise is opened ----------------------------------------------------------------------


def test_every_deal_of_a_game_is_open_at_its_end_and_they_make_a_chain() -> None:
    house = Driver("quick")
    house.sit_and_start("anna", "bruno")
    house.play_game()
    house.must("anna", "next")
    house.must("bruno", "next")
    house.play_game()  # a rematch goes on with the numbers
    found = table.transcripts(house.state)
    assert len(found) == len(house.state.records)
    assert len(found) >= 4
    assert all(all(fair.check(one).values()) for one in found)
    assert fair.is_chain(found)
    assert len({one.secret for one in found}) == len(found)


def test_a_deal_that_nobody_bid_in_is_open_too() -> None:
    house = Driver()
    house.sit_and_start("anna")
    while house.stage == "playing":
        house.move(house.view(house.turn).legal()[0])  # all pass
    assert house.deal().phase == "done"
    assert all(fair.check(told(house)).values())


def test_a_game_that_ends_before_the_cards_opens_its_secret() -> None:
    house = taking_part("anna", "bruno", rules="open-classic")
    promise = now(house).commitment
    house.must("anna", "end")
    house.must("bruno", "end")
    assert house.stage == "over"
    found = told(house)
    assert found.commitment == promise
    assert found.hands == ()
    assert all(fair.check(found).values())
    assert house.scene().fair is None
    house.must("anna", "next")
    house.must("bruno", "next")
    do_all(house)
    house.play_deal()
    undealt, dealt = table.transcripts(house.state)
    assert (undealt.deal, dealt.deal) == (1, 1)
    assert fair.is_chain((undealt, dealt))


def test_a_sleeping_table_goes_on_with_the_same_secret() -> None:
    house = taking_part("anna")
    way = opening(house)
    house.do(say.Leave("anna"))
    assert house.last.wake is None
    house.wait(60_000)
    house.do(say.Open(1))
    assert opening(house).secret == way.secret
    house.do(say.Arrive("anna", "Anna", cuts=True))
    assert house.stage == "playing"  # the time to seal was over
    assert house.state.records[-1].opening.secret == way.secret


def test_hands_and_hash_follow_from_what_was_sealed() -> None:
    house = taking_part("anna", "bruno")
    do_all(house, cut=11)
    record = house.state.records[-1]
    assert sum(record.hands) == ALL_CARDS
    house.play_deal()
    assert [fair.hand_text(hand, house.rules.ranks) for hand in record.hands] == list(told(house).hands)
    assert told(house).hash == fair.hash_of(told(house))


def unsealed(house: Driver) -> list[str]:
    return [line.secret for line in map(say.decode, house.log) if isinstance(line, say.Unsealed)]


def sealed(house: Driver) -> list[str]:
    return [line.secret for line in map(say.decode, house.log) if isinstance(line, say.Sealed)]


def test_the_log_opens_a_secret_with_the_last_word_of_its_deal_and_no_line_before() -> None:
    house = taking_part("anna")
    for deal in range(2):
        do_all(house)
        while house.stage == "playing":
            assert unsealed(house) == sealed(house)[:deal]
            house.move()
        assert unsealed(house) == sealed(house)
        assert isinstance(say.decode(house.last.lines[-1]), say.Unsealed)
        assert isinstance(say.decode(house.last.lines[-2]), say.Spoken)
        house.must("anna", "next")
        assert len(sealed(house)) == deal + 2


def test_a_secret_is_opened_too_where_its_deal_will_not_come() -> None:
    house = taking_part("anna", rules=rules_with("classic", session={"kind": "open"}))
    house.must("anna", "end")
    assert len(sealed(house)) == 1
    if house.stage != "over":
        do_all(house)
        house.play_deal()
    assert house.stage == "over"
    assert unsealed(house) == sealed(house)
    written = len(house.log)
    house.wait(10_000)
    assert len(house.log) == written, "and once"


def test_logs_from_before_there_were_promises() -> None:
    house = Driver()
    house.sit_and_start("anna")
    lines = [say.decode(data) for data in house.log]
    old = [say.encode(line) for line in lines if not isinstance(line, say.Sealed)]  # nor were there sums
    state = table.fold(old)
    assert state.records == ()
    assert table.transcripts(state) == ()
    assert table.stage_of(state) == "playing"
