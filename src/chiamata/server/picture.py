"""What people see of a table: the Scene of each, and the facts for those with the link.

Of the game it asks only views, scores and finished deals.
"""

from __future__ import annotations

import msgspec

from chiamata.server import dealing, paper, scene, seating, wire
from chiamata.server import lines as say
from chiamata.server.lines import TableState
from chiamata.server.table import State, is_awake, is_silent, is_watched, may_write, next_deal_at, stage_of, turn_of


class Gallery:
    """The Scenes of one moment: what everybody sees is built once, and what each sees beside it for each."""

    def __init__(self, state: State, now: int, pace: float = 1.0, watchers: int = 0) -> None:
        """``now``: in the table's time.  ``pace``: factor on the time for the cut.  ``watchers``: who look on."""
        self.state = state
        game, sight = state.game, None
        watched = None if game is None else game.view(WATCHER)
        if game is not None and watched is not None:
            number = len(game.rows) + (not game.needs_deal and not game.over)
            sight = scene.Sight(watched.public, game.seats, number, game.people)
        self._chairs = scene.chairs(_standings(state, now), sight)
        self._deal = None if sight is None else scene.deal_scene(sight)
        self._sheet = _sheet(state)
        self._table = _table_scene(state, now, watchers)
        self._fair = _fair(state, now, pace)

    def scene(self, who: str) -> wire.Scene:
        """The Scene of one guest as it is sent to their pages ('' and people without a chair: to a watcher's)."""
        chair = seating.chair_of(self.state.places, who)
        if chair < 0 and not is_watched(self.state):
            return self.outside()
        seen = self.of_chair(chair)
        written = [
            wire.WrittenScene(v, line.chair, line.text) for v, line in self.state.said if isinstance(line, say.Wrote)
        ]
        return msgspec.structs.replace(seen, table=msgspec.structs.replace(seen.table, written=written))

    def of_chair(self, chair: int) -> wire.Scene:
        """What the one in this chair sees of the table; -1: a watcher, where hands are closed and nothing else."""
        game, deal = self.state.game, self._deal
        view = None if game is None else game.view(chair)
        if deal is not None and view is not None and view.seat >= 0:
            deal = scene.with_own(deal, view)
        you, may = (chair if chair >= 0 else None), _may(self.state, chair)
        table = msgspec.structs.replace(self._table, you=you, may=may)
        return wire.Scene(self.state.v, table, self._chairs, deal, self._sheet, self._fair)

    def outside(self) -> wire.Scene:
        """Who sits here and what was scored, and nothing of the running deal: not even that somebody moved."""
        state = self.state
        table = msgspec.structs.replace(self._table, said=[], may=_may(state, WATCHER))
        v = state.told_v if stage_of(state) == "playing" else state.v
        chairs = [msgspec.structs.replace(one, clock=None) for one in _standings(state, state.at)]
        return wire.Scene(v, table, scene.chairs(chairs, None), None, self._sheet)


WATCHER = -1


def _table_scene(state: State, now: int, watchers: int) -> wire.TableScene:
    game = state.game
    waits = game is not None and game.needs_deal and state.opening is None and is_awake(state)
    return wire.TableScene(
        code=state.code,
        state=public_state(state),
        rules=scene.rules_tag(state.rules),
        clock=state.clock,
        game=max(1, state.games),
        next_in=max(0, next_deal_at(state) - now) if waits else None,
        said=[wire.PhraseScene(v, line.chair, line.phrase) for v, line in state.said if isinstance(line, say.Phrased)],
        manners=state.manners,
        watchers=watchers,
        voided=list(state.voided),
        winners=sorted(game.winners()) if game is not None and game.over else [],
    )


def public_state(state: State) -> TableState:
    """The stage, or ``asleep`` while a game waits for its people."""
    stage = stage_of(state)
    return "asleep" if stage in ("playing", "between") and not is_awake(state) else stage


def _may(state: State, chair: int) -> list[wire.May]:
    stage, places = stage_of(state), state.places
    if chair < 0:
        return ["sit"] if any(seating.may_take(place, stage) for place in places) else []
    may: list[wire.May] = ["stand"]
    if stage != "playing":
        may += ["bot"] if any(place.kind != "person" for place in places) else []
        waiting = state.opening is not None or places[chair].ready
        may += ["start"] if stage == "lobby" else [] if waiting else ["next"]
    ends = state.rules.session.kind in ("open", "time") and stage in ("playing", "between")
    may += ["end"] if ends and not places[chair].wants_end else []
    may += ["hint"] if stage == "playing" and seating.is_alone(places, chair) else []
    may += [] if is_silent(state) else ["say"]
    may += ["write"] if may_write(state) else []
    return [*may, "allow"] if places[chair].who == state.host else may


def _standings(state: State, now: int) -> list[scene.Standing]:
    game = state.game
    return [
        scene.Standing(
            place,
            host=bool(state.host) and place.who == state.host,
            score=game.scores[chair] if game is not None else 0,
            clock=_clock(state, chair, now),
        )
        for chair, place in enumerate(state.places)
    ]


def _clock(state: State, chair: int, now: int) -> int | None:
    """What is left in the bank, less what the running decision has used."""
    game, place = state.game, state.places[chair]
    if state.clock is None or game is None or place.kind != "person" or game.deal is None:
        return None
    running = stage_of(state) == "playing" and game.seat(chair) == turn_of(game) and is_awake(state)
    return max(0, place.bank - max(0, now - state.turn_at)) if running else place.bank


def _fair(state: State, now: int, pace: float) -> wire.FairScene | None:
    """How the deal on its way comes about, or else how the running or last one did."""
    if state.opening is not None:
        return dealing.on_its_way(state.opening, now, pace)
    if state.game is None or state.game.deal is None or not state.records:
        return None
    phase = state.game.deal.public.phase
    return dealing.of_a_deal(
        state.records[-1].opening, fresh=phase in ("claim", "auction"), ended=stage_of(state) != "playing"
    )


def _sheet(state: State) -> list[wire.Row]:
    if state.game is None:
        return []
    return [
        wire.Row(
            deal=number,
            number=state.earlier + number,
            kind=row.result.kind,
            caller=row.caller if row.caller >= 0 else None,
            partner=row.partner if row.partner >= 0 else None,
            called=state.rules.card_name(row.called) if row.called >= 0 else "",
            target=row.target,
            points=row.result.points,
            made=row.result.made,
            payoff=list(row.payoff),
        )
        for number, row in enumerate(state.game.rows, 1)
    ]


def facts(state: State) -> paper.TableFacts:
    """What somebody with the link may know before joining."""
    stage = stage_of(state)
    return paper.TableFacts(
        code=state.code,
        state=public_state(state),
        rules=scene.rules_tag(state.rules),
        names=[place.name for place in state.places if place.kind == "person"],
        manners=state.manners,
        free=sum(place.kind != "person" or seating.may_take(place, stage) for place in state.places),
    )
