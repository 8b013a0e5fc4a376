"""Seeded leaks: a house that tells more than it may, in one way each.  ``tests/test_secrecy.py`` must find all.

A leak of the scene is a function from the state, the scene and its deal to what changes in it: fields of the
DealScene, a whole Scene, or None.  The others patch the place where a programmer would have made the mistake.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import msgspec
import pytest

from chiamata.rules.cards import SUIT_CARDS, cards_in, suit_of
from chiamata.server import deciding, metrics, paper, picture, replay, scene, table, wire
from chiamata.server import lines as say
from chiamata.server.hub import Hub
from chiamata.server.page import Page
from chiamata.server.runner import Runner

T = TypeVar("T", bound=msgspec.Struct)
Leak = Callable[[pytest.MonkeyPatch], None]


class Seeded(NamedTuple):
    """A leak, and the rule set in which it would be made."""

    leak: Leak
    rules: str = "classic"


# --- what a leak would tell -----------------------------------------------------------------------


def dealt(state: table.State) -> tuple[int, ...]:
    """Everybody's eight cards; nobody's before they are dealt."""
    if state.game is None or state.game.deal is None:
        return (0, 0, 0, 0, 0)
    return state.game.deal.dealt


def holder(state: table.State) -> int:
    """The seat that was dealt the called card; -1 before the call."""
    if state.game is None or state.game.deal is None:
        return -1
    called = state.game.deal.public.called
    return -1 if called < 0 else next(seat for seat, hand in enumerate(dealt(state)) if hand >> called & 1)


def trumps(state: table.State, seat: int) -> int:
    """How many trumps a seat was dealt; 0 before there is a trump."""
    called = -1 if state.game is None or state.game.deal is None else state.game.deal.public.called
    return (dealt(state)[seat] & SUIT_CARDS[suit_of(called)]).bit_count() if called >= 0 else 0


def longest(state: table.State, seat: int) -> int:
    """The length of a seat's longest suit."""
    return max((dealt(state)[seat] & suit).bit_count() for suit in SUIT_CARDS)


def side_points(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> int:
    """The points of the caller and the true partner together."""
    allies = {deal.caller, holder(state)} - {None, -1}
    return sum(shown.chairs[seat].points for seat in allies if seat is not None)


def turn(state: table.State) -> int:
    """Whose turn it is, -1 for nobody's."""
    return -1 if state.game is None or state.game.deal is None else state.game.deal.public.turn


# --- leaks of the scene ---------------------------------------------------------------------------

Change = Callable[[table.State, wire.Scene, wire.DealScene], Any]


def in_scenes(change: Change) -> Leak:
    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        whole = picture.Gallery.of_chair

        def leaking(gallery: picture.Gallery, chair: int) -> wire.Scene:
            shown = whole(gallery, chair)
            if shown.deal is None:
                return shown
            found = change(gallery.state, shown, shown.deal)
            if isinstance(found, wire.Scene):
                return found
            return shown if found is None else msgspec.structs.replace(shown, deal=with_(shown.deal, found))

        monkeypatch.setattr(picture.Gallery, "of_chair", leaking)

    return patch


def with_(value: T, fields: dict[str, Any]) -> T:
    return msgspec.structs.replace(value, **fields)


def with_chair(shown: wire.Scene, chair: int, **fields: Any) -> wire.Scene:
    chairs = list(shown.chairs)
    chairs[chair] = msgspec.structs.replace(chairs[chair], **fields)
    return msgspec.structs.replace(shown, chairs=chairs)


def partner(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    return {"partner": holder(state)} if deal.called else None


def role(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """The badge comes with the call instead of with the card."""
    return with_chair(shown, holder(state), role="partner") if deal.called else None


def solo(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    return {"mine": True} if deal.called and holder(state) == deal.caller else None


def hands_to_watchers(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    if shown.table.you is not None:
        return None
    return {"hand": [state.rules.card_name(card) for card in cards_in(dealt(state)[1])]}


def next_hand(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """An index that is off by one: everybody gets the neighbour's hand."""
    if shown.table.you is None:
        return None
    return {"hand": [state.rules.card_name(card) for card in cards_in(dealt(state)[(shown.table.you + 1) % 5])]}


def private_event(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """The partner heard of it in an event of his own, which the others see as a gap between versions."""
    return with_(shown, {"v": shown.v + int(bool(deal.called) and holder(state) != deal.caller)})


def thinking_dots(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """A bot that has something to think about looks busy."""
    return with_chair(shown, deal.turn, ready=True) if deal.turn is not None and trumps(state, deal.turn) else None


def points_by_side(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    if not deal.called or deal.caller is None:
        return None
    return with_chair(shown, deal.caller, points=side_points(state, shown, deal))


def points_at_stake(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """What somebody holds is counted with what they took."""
    assert state.game is not None
    value = sum(state.rules.points[card] for card in cards_in(dealt(state)[2]))
    return with_chair(shown, 2, points=value)


def order_by_team(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    allies = {deal.caller, holder(state)}
    return {"auction": sorted(deal.auction, key=lambda word: word.chair not in allies)} if deal.called else None


def voids(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    return with_chair(shown, 2, tricks=trumps(state, 2)) if deal.trump else None


def early_end(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """The deal is called decided when the caller's side has what it promised (here: half of it)."""
    return {"phase": "done"} if deal.called and side_points(state, shown, deal) * 2 >= deal.target else None


def unsorted(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """A list in the order of a set in which other hands' cards stand too."""
    return {"hand": sorted(deal.hand, key=lambda name: hash((dealt(state), name)))} if deal.hand else None


def trump_before_call(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """Who leads the auction is assumed to mean the longest suit."""
    if deal.standing is None or deal.called:
        return None
    hand = dealt(state)[deal.standing.chair]
    return {"trump": "CHDS"[max(range(4), key=lambda suit: (hand & SUIT_CARDS[suit]).bit_count())]}


def options_to_all(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """The buttons of whoever is to move are drawn on every page."""
    return {"options": options_of(state)}


def options_of(state: table.State) -> wire.Options:
    assert state.game is not None
    view = state.game.view(turn(state))
    assert view is not None
    return scene.with_own(wire.DealScene(1, "play", 0), view).options


def number_of_options(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """How many cards may be played is public, one thought: it is not where suit must be followed."""
    return {"unit": len(options_of(state).plays)} if deal.phase == "play" else None


def covered_card(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """What lies face down is shown to everybody, not to its owner alone."""
    assert state.game is not None
    assert state.game.deal is not None
    return {"covered": "".join(state.rules.card_name(card) for _, card in state.game.deal.covered)}


def running_row(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """The sheet already has the row of the deal that runs."""
    row = wire.Row(deal.number, 1, "scored", deal.caller, holder(state), deal.called, deal.target, 0, False, [])
    return with_(shown, {"sheet": [*shown.sheet, row]}) if deal.called else None


def hands_in_promise(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """The commitment covers the hands without a secret: 40 cards can be tried out."""
    assert shown.fair is not None
    promise = hashlib.sha256(repr(dealt(state)).encode()).hexdigest()
    return with_(shown, {"fair": with_(shown.fair, {"commitment": promise})})


def state_hash(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """A version made from the whole state."""
    return with_(shown, {"v": hash(dealt(state)) & 0xFFFF})


def winners_early(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    return with_(shown, {"table": with_(shown.table, {"winners": [holder(state)]})}) if deal.called else None


def next_in_partner(state: table.State, shown: wire.Scene, deal: wire.DealScene) -> Any:
    """A countdown that is longer where the partner has yet to show the card."""
    return with_(shown, {"table": with_(shown.table, {"next_in": longest(state, 3)})})


# --- leaks of frames and times --------------------------------------------------------------------


def in_showing(monkeypatch: pytest.MonkeyPatch, show: Callable[[Runner, Callable[[], None]], None]) -> None:
    whole = Runner._show

    def leaking(runner: Runner, pages: list[Page]) -> None:
        show(runner, lambda: whole(runner, pages))

    monkeypatch.setattr(Runner, "_show", leaking)


def extra_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody's page is drawn again when the partner is to move."""

    def show(runner: Runner, tell: Callable[[], None]) -> None:
        def tell_again() -> None:
            for page in runner.pages:
                page._shown = b""  # a page is not sent what it has already
            tell()

        tell()
        if holder(runner.state) == turn(runner.state) >= 0:
            asyncio.get_running_loop().call_later(0.001, tell_again)

    in_showing(monkeypatch, show)


def late_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that only a long suit makes: its frame comes three milliseconds later."""

    def show(runner: Runner, tell: Callable[[], None]) -> None:
        if turn(runner.state) >= 0 and longest(runner.state, turn(runner.state)) > 3:
            asyncio.get_running_loop().call_later(0.003, tell)
        else:
            tell()

    in_showing(monkeypatch, show)


def longer_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words, with a space for every trump of the third seat."""
    whole = Page.show

    def in_show(runner: Runner, tell: Callable[[], None]) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Page, "show", lambda page, text: whole(page, text + b" " * trumps(runner.state, 3)))
            tell()

    in_showing(monkeypatch, in_show)


def in_pauses(change: Callable[[say.AskBot], int]) -> Leak:
    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        whole = deciding._bot_to_ask

        def ask_bot(state: table.State) -> say.AskBot | None:
            ask = whole(state)
            return ask and msgspec.structs.replace(ask, pause=change(ask))

        monkeypatch.setattr(deciding, "_bot_to_ask", ask_bot)

    return patch


def slow_bot(ask: say.AskBot) -> int:
    """A bot takes a quarter of a second longer with the called card in its hand."""
    called = ask.view.public.called
    return ask.pause + 250 * (called >= 0 and ask.view.dealt >> called & 1)


def hurried_pass(ask: say.AskBot) -> int:
    """A bot without an ace passes at once."""
    aces = sum(ask.view.public.rules.points[card] == 11 for card in cards_in(ask.view.dealt))
    return ask.pause if aces or ask.view.public.phase != "auction" else 650


def choosy_bot(ask: say.AskBot) -> int:
    """A bot with a choice of cards takes longer than one without; where suit is followed that tells its hand."""
    return ask.pause + 100 * (len(ask.view.legal()) > 1)


def moves_when_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot's move is made when it has been found."""
    whole = Runner._ask_bot

    def ask_bot(runner: Runner, ask: say.AskBot) -> None:
        whole(runner, msgspec.structs.replace(ask, pause=0))
        thought = runner._thought
        assert thought is not None
        for timer in runner._timers:
            timer.cancel()
        thought.add_done_callback(lambda _: runner._after(0.2, _release(ask.turn)))

    def _release(number: int) -> Any:
        from chiamata.server.runner import Release  # noqa: PLC0415 -- beside its only use

        return Release(number)

    monkeypatch.setattr(Runner, "_ask_bot", ask_bot)


# --- leaks of answers -----------------------------------------------------------------------------


def in_answers(change: Callable[[table.State, say.Ask, wire.No], wire.No]) -> Leak:
    def patch(monkeypatch: pytest.MonkeyPatch) -> None:
        whole = deciding.handle

        def handle(state: table.State, command: say.Command, now: int) -> deciding.Outcome:
            outcome = whole(state, command, now)
            if isinstance(command, say.Ask) and isinstance(outcome.answer, wire.No):
                return msgspec.structs.replace(outcome, answer=change(state, command, outcome.answer))
            return outcome

        monkeypatch.setattr(deciding, "handle", handle)

    return patch


def held_by_another(state: table.State, ask: say.Ask, answer: wire.No) -> wire.No:
    """Who asks for a card that the fourth seat holds is told another reason."""
    held = [state.rules.card_name(card) for card in cards_in(dealt(state)[3])]
    return wire.No(answer.id, "HELD_BY_ANOTHER") if isinstance(ask.do, wire.DoPlay) and ask.do.card in held else answer


def field_of_refusal(state: table.State, ask: say.Ask, answer: wire.No) -> wire.No:
    """The field that was wrong, as the debugger had it."""
    return wire.No(answer.id, answer.code, f"hands.{holder(state)}")


def slow_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal that looks through the hands first: a millisecond for each card until it is found."""
    whole = Runner._answer

    def answer(runner: Runner, page: Page, command: say.Command, said: wire.Ack | wire.No) -> None:
        steps = trumps(runner.state, 4) if isinstance(said, wire.No) else 0
        asyncio.get_running_loop().call_later(0.001 * steps, whole, runner, page, command, said)

    monkeypatch.setattr(Runner, "_answer", answer)


# --- leaks of addresses, figures and the log ------------------------------------------------------


def facts_with_partner(monkeypatch: pytest.MonkeyPatch) -> None:
    """The link's preview says more than who sits there."""
    whole = picture.facts
    monkeypatch.setattr(picture, "facts", lambda state: with_(whole(state), {"free": holder(state) + 1}))


def sheet_of_the_running_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sheet's address counts the points that each side has."""
    whole = replay.games

    def games(log: list[bytes]) -> paper.Games:
        state = table.fold(log)
        return with_(whole(log), {"code": f"{state.code}{holder(state)}"})

    monkeypatch.setattr(replay, "games", games)


def running_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay of the deal that is still being played."""
    whole = Hub.past

    async def past(hub: Hub, code: str, number: int, who: str = "") -> replay.Past | None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(table, "finished", lambda _: number)
            patch.setattr(table, "may_look", lambda *_: True)
            return await whole(hub, code, number, who)

    monkeypatch.setattr(Hub, "past", past)


def running_transcript(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a deal came about, with its hands, before it has ended."""
    monkeypatch.setattr(
        table, "transcripts", lambda state: tuple([record.transcript(state.rules) for record in state.records])
    )


def figures_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """A figure for those who run the house, counted by what is held."""
    whole = metrics.Metrics.text

    def text(figures: metrics.Metrics, hub: Hub) -> str:
        states = [runner.state for runner in hub._runners.values()]
        return whole(figures, hub) + "".join(f"chiamata_longest {longest(state, 0)}\n" for state in states)

    monkeypatch.setattr(metrics.Metrics, "text", text)


def logged_view(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line for debugging with the view of the bot that is asked."""
    whole = Runner._ask_bot

    def ask_bot(runner: Runner, ask: say.AskBot) -> None:
        logging.getLogger("chiamata").debug("asking a bot: %s", ask.view.hand)
        whole(runner, ask)

    monkeypatch.setattr(Runner, "_ask_bot", ask_bot)


def logged_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    """A warning about a long suit, which may be a mistake of the shuffle."""
    whole = deciding.handle

    def handle(state: table.State, command: say.Command, now: int) -> deciding.Outcome:
        outcome = whole(state, command, now)
        if any(longest(outcome.state, seat) > 4 for seat in range(5)):
            logging.getLogger("chiamata").warning("a suit of five or more")
        return outcome

    monkeypatch.setattr(deciding, "handle", handle)


SCENES: tuple[Change, ...] = (
    partner,
    role,
    solo,
    hands_to_watchers,
    next_hand,
    private_event,
    thinking_dots,
    points_by_side,
    points_at_stake,
    order_by_team,
    voids,
    early_end,
    unsorted,
    trump_before_call,
    options_to_all,
    running_row,
    hands_in_promise,
    state_hash,
    winners_early,
    next_in_partner,
)
OTHERS: tuple[Leak, ...] = (
    extra_frame,
    late_frame,
    longer_frame,
    moves_when_ready,
    slow_refusal,
    facts_with_partner,
    sheet_of_the_running_deal,
    running_replay,
    running_transcript,
    figures_by_hand,
    logged_view,
    logged_warning,
)
LEAKS: dict[str, Seeded] = {
    **{change.__name__: Seeded(in_scenes(change)) for change in SCENES},
    **{change.__name__: Seeded(in_pauses(change)) for change in (slow_bot, hurried_pass)},
    **{change.__name__: Seeded(in_answers(change)) for change in (held_by_another, field_of_refusal)},
    **{leak.__name__: Seeded(leak) for leak in OTHERS},
    number_of_options.__name__: Seeded(in_scenes(number_of_options), "trattoria-follow"),
    choosy_bot.__name__: Seeded(in_pauses(choosy_bot), "trattoria-follow"),
    covered_card.__name__: Seeded(in_scenes(covered_card), "buio"),
}
