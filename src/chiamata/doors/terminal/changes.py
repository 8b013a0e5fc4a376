"""What happened between two Scenes, in the order in which it happened: as ``web/src/changes.ts`` finds it."""

from __future__ import annotations

from typing import Literal

import msgspec

from chiamata.server.wire import Chair, DealScene, PlayedCard, Scene

_Played = Literal["dealt", "said", "won", "called", "trump", "played", "taken", "revealed", "ended", "turn"]
What = _Played | Literal["over", "away", "back", "spoke", "voided"]


class Change(msgspec.Struct, frozen=True):
    """One thing worth telling; the Scene after it holds the rest.

    Args:
        chair: of the one it is about, -1 for nobody.
        word: a word of the auction, a card, a suit or a phrase.
        n: the number of the deal, the target, or the points of a trick.
    """

    what: What
    chair: int = -1
    word: str = ""
    n: int = 0


def rank_of(card: str) -> str:
    """``3`` of ``3H``."""
    return card[:-1]


def suit_of(card: str) -> str:
    """``C H D S``, or ``?`` where only the rank may be seen."""
    return card[-1:]


def named(scene: Scene, names: list[str]) -> Scene:
    """The Scene with a name for every bot, which have none of their own: by chair, and none that a person has."""
    free = [name for name in names if name not in {chair.name for chair in scene.chairs}]
    chairs = list(scene.chairs)
    for index, chair in enumerate(chairs):
        if chair.kind == "bot" and not chair.name:
            chairs[index] = msgspec.structs.replace(chair, name=free[index % len(free)])
    return msgspec.structs.replace(scene, chairs=chairs)


def is_my_turn(scene: Scene) -> bool:
    """Whether the viewer has to decide."""
    table, deal = scene.table, scene.deal
    return table.you is not None and table.state == "playing" and deal is not None and deal.turn == table.you


def is_my_cut(scene: Scene) -> bool:
    """Whether the viewer has the pack before them, to be cut."""
    fair = scene.fair
    mine = fair is not None and fair.cutter is not None and fair.cutter == scene.table.you
    return mine and fair is not None and fair.step == "sealing" and fair.cut is None


def changes(before: Scene, after: Scene) -> list[Change]:
    """Everything worth telling."""
    found = _people(before, after)
    found += [Change("spoke", one.chair, one.phrase) for one in after.table.said if one.v > before.v]
    found += [Change("voided", n=number) for number in after.table.voided[len(before.table.voided) :]]
    new = after.deal
    if new is not None:
        same = before.deal is not None and before.deal.number == new.number and before.table.game == after.table.game
        found += _of_deal(before.deal if same else None, new)
    if after.table.state == "over" and before.table.state != "over":
        found.append(Change("over"))
    if is_my_turn(after) and (not is_my_turn(before) or _phase(before) != _phase(after)):
        found.append(Change("turn"))
    return found


def _phase(scene: Scene) -> str:
    return scene.deal.phase if scene.deal else ""


def _people(before: Scene, after: Scene) -> list[Change]:
    def changed(index: int, chair: Chair) -> bool:
        known = index < len(before.chairs) and index != after.table.you
        return known and before.chairs[index].stand_in != chair.stand_in

    return [
        Change("away" if chair.stand_in else "back", index)
        for index, chair in enumerate(after.chairs)
        if changed(index, chair)
    ]


def _of_deal(old: DealScene | None, new: DealScene) -> list[Change]:
    found = [] if old else [Change("dealt", n=new.number)]
    found += [Change("said", one.chair, one.say) for one in new.auction[len(old.auction) if old else 0 :]]
    found += _contract(old, new) + _played(old, new)
    if new.tricks_done > (old.tricks_done if old else 0):
        trick = new.trick if new.trick is not None and new.trick.winner is not None else new.last
        if trick is not None and trick.winner is not None:
            found.append(Change("taken", trick.winner, n=trick.points))
    if new.partner is not None and new.called and not (old and old.partner is not None):
        found.append(Change("revealed", new.partner, new.called, new.target))
    if new.phase == "done" and not (old and old.phase == "done"):
        found.append(Change("ended"))
    return found


def _contract(old: DealScene | None, new: DealScene) -> list[Change]:
    if new.caller is None:
        return []
    if new.called and new.called != (old.called if old else ""):
        return [Change("called", new.caller, new.called, new.target)]
    if not new.called and (old.caller if old else None) != new.caller:
        return [Change("won", new.caller, n=new.target)]
    renamed = old is not None and new.trump and old.trump and old.trump != new.trump
    return [Change("trump", word=new.trump)] if renamed else []


def _cards(deal: DealScene | None) -> list[PlayedCard]:
    tricks = [deal.last, deal.trick] if deal else []
    return [card for trick in tricks if trick for card in trick.cards]


def _played(old: DealScene | None, new: DealScene) -> list[Change]:
    seen = {(one.chair, one.card) for one in _cards(old)}
    return [
        Change("played", one.chair, one.card)
        for one in _cards(new)
        if (one.chair, one.card) not in seen and (one.chair, f"{rank_of(one.card)}?") not in seen
    ]
