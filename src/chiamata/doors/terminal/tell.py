"""A Scene in lines of text, for the drawn table and the plain one: the sheet, the last trick, the people, the end."""

from __future__ import annotations

from chiamata.doors.terminal.changes import suit_of
from chiamata.doors.terminal.speech import Speech, name_of, signed
from chiamata.server.wire import Row, Scene, TrickScene


def sheet(scene: Scene, speech: Speech) -> list[str]:
    """The score sheet: a line for each deal, then where everybody stands."""
    lines = [_row(row, scene, speech) for row in scene.sheet] or [speech.t("no_deals_yet")]
    lines += [speech.texts.say("fair.voided", n=number) for number in scene.table.voided]
    for chair in sorted(scene.chairs, key=lambda chair: -chair.score):
        if chair.kind != "empty":
            lines.append(f"{chair.name}: {signed(chair.score)}")
    return lines


def _row(row: Row, scene: Scene, speech: Speech) -> str:
    head = speech.t("deal_n", n=row.deal)
    if row.kind in ("all_pass", "claim"):
        return f"{head}: {speech.t(f'row_{row.kind}')}"
    sides = name_of(scene, row.caller)
    if row.partner is not None and row.partner != row.caller:
        sides += f" + {name_of(scene, row.partner)}"
    label = speech.t("row_label", card=speech.card_name(row.called), points=row.points, target=row.target)
    paid = ", ".join(f"{name_of(scene, chair)} {signed(paid)}" for chair, paid in enumerate(row.payoff) if paid)
    return f"{head}: {sides}, {label}. {paid}".rstrip(" .") + "."


def trick(shown: TrickScene | None, scene: Scene, speech: Speech) -> list[str]:
    """Who has played what, from the lead on, and who takes it."""
    if shown is None:
        return [speech.t("nothing")]
    lines = [f"{speech.who(scene, one.chair)}: {speech.card_name(one.card)}" for one in shown.cards]
    if shown.winner is not None:
        won = speech.t("say_taken", name=name_of(scene, shown.winner), points=speech.count("point", shown.points))
        lines.append(won)
    return lines


def last_trick(scene: Scene, speech: Speech) -> list[str]:
    """The last trick that is full: the one that still lies there, or the one before."""
    deal = scene.deal
    if deal is None:
        return trick(None, scene, speech)
    full = deal.trick if deal.trick is not None and deal.trick.winner is not None else deal.last
    return trick(full, scene, speech)


def chair(scene: Scene, index: int, speech: Speech) -> str:
    """One chair and what everybody sees of it, in a line."""
    one = scene.chairs[index]
    if one.kind == "empty":
        return speech.t("chair_free", n=index + 1)
    mine = f" {speech.t('you_mark')}" if index == scene.table.you else ""
    bot = f" ({speech.level(one.level)})" if one.kind == "bot" else ""
    parts = [f"{one.name}{mine}{bot}"]
    if scene.deal is not None and one.playing:
        parts += [speech.t("dealer")] if one.dealer else []
        parts += [speech.role(scene, index)] if one.role else []
        parts += [speech.bid_name(one.said, scene)] if one.said and scene.deal.caller is None else []
        parts += [speech.count("card", one.cards), speech.count("point", one.points), speech.count("trick", one.tricks)]
    parts += [speech.clock(one, 0)] if one.clock is not None else []
    parts += [speech.t("stand_in")] if one.stand_in else []
    if scene.sheet:
        parts.append(speech.t("total", n=signed(one.score)))
    return ", ".join(parts)


def people(scene: Scene, speech: Speech) -> list[str]:
    """Every chair."""
    return [chair(scene, index, speech) for index in range(len(scene.chairs))]


def held(scene: Scene, suit: str, speech: Speech) -> str:
    """What the viewer holds of a suit, strongest first: ``A R 6``; '' for nothing."""
    hand = scene.deal.hand if scene.deal else []
    return " ".join(speech.rank_letter(card[:-1]) for card in hand if suit_of(card) == suit)


def result(scene: Scene, speech: Speech) -> list[str]:
    """How the deal ended and what it paid."""
    deal = scene.deal
    if deal is None or deal.result is None:
        return []
    lines = [speech.result(scene)]
    if deal.result.kind == "scored":
        lines.append(speech.sum_of(deal.result))
        paid = [
            f"{speech.who(scene, index)} {signed(deal.result.payoff[index])}"
            for index, one in enumerate(scene.chairs)
            if one.playing
        ]
        lines.append(" · ".join(paid))
    if deal.result.shown:
        lines.append(", ".join(speech.card_name(card) for card in deal.result.shown))
    return lines


def ending(scene: Scene, speech: Speech) -> list[str]:
    """The end of the game: who won, and where everybody stands."""
    standing = sorted(
        ((one.score, index) for index, one in enumerate(scene.chairs) if one.kind != "empty"), key=lambda pair: -pair[0]
    )
    names = " · ".join(f"{speech.who(scene, index)} {signed(score)}" for score, index in standing)
    return [f"{speech.t('game_over')}. {speech.winners(scene)}", names]
