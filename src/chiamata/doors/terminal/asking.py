"""Moves asked for in text: what is on offer in a few lines, and the move that a line of the player means."""

from __future__ import annotations

from chiamata.doors.terminal.changes import rank_of, suit_of
from chiamata.doors.terminal.choices import Armed, all_of, amounts, hint, told
from chiamata.doors.terminal.speech import Speech
from chiamata.server.wire import Options, Scene

FEW = 12
"""So many bids in points or cards to call are read out one by one; of more, the first and the last."""


def menu(scene: Scene, may: Options, speech: Speech) -> list[tuple[str, Armed]]:
    """Every move on offer behind what is written for it: P, M, a bid as it is said, else a number.

    A card of the hand keeps its place as its number while it is held, whatever may be played.
    """
    hand = scene.deal.hand if scene.deal else []
    found, number = [], 0
    for move in all_of(may):
        match move.kind:
            case "pass":
                label = "P"
            case "claim":
                label = "M"
            case "bid":
                label = speech.bid_short(move.what, scene)
            case "play":
                label = str(hand.index(move.what) + 1)
            case _:
                number += 1
                label = str(number)
        found.append((label, move))
    return found


def question(scene: Scene, may: Options, speech: Speech) -> list[str]:
    """What is to be decided, and how the answer is written; nothing where nothing is."""
    offers = menu(scene, may, speech)
    if not offers:
        return []
    lines = [f"{hint(scene, speech)}."]
    lines += cards(scene, may, speech) if may.plays else [] if may.bids else [hand(scene, speech)]
    points = [speech.bid_short(bid.say, scene) for bid in amounts(scene.table.rules, may)]
    calls = [label for label, move in offers if move.kind == "call"]
    for label, move in offers:
        listed = move.kind != "play" and (label not in points or len(points) <= FEW)
        if listed and (move.kind != "call" or len(calls) <= FEW):
            lines.append(f"{label}  {told(move, scene, speech)}")
    if len(points) > FEW:
        lines.append(speech.texts.say("play.ask_points", first=points[0], last=points[-1]))
    if len(calls) > FEW:
        lines.append(speech.texts.say("play.ask_card", example=speech.card_name(offers[0][1].what)))
    return lines


def cards(scene: Scene, may: Options, speech: Speech) -> list[str]:
    """The viewer's cards with their numbers; those that may not be played now say so."""
    held = scene.deal.hand if scene.deal else []
    not_now = f" ({speech.texts.say('play.not_now')})"
    return [
        f"{number}  {speech.spoken_card(card, scene)}{'' if card in may.plays else not_now}"
        for number, card in enumerate(held, 1)
    ]


def hand(scene: Scene, speech: Speech) -> str:
    """The viewer's cards in one line."""
    held = scene.deal.hand if scene.deal else []
    return f"{speech.t('your_hand')}: {', '.join(map(speech.card_name, held)) or speech.t('nothing')}."


def meant(line: str, scene: Scene, may: Options, speech: Speech) -> Armed | None:
    """The move on offer that this line (in lower case) names: as the menu writes it, else in words."""
    offers = menu(scene, may, speech)
    for label, move in offers:
        if line == label.lower():
            return move
    fitting = [move for _, move in offers if line in _names(move, scene, speech)]
    return fitting[0] if fitting else None


def _names(move: Armed, scene: Scene, speech: Speech) -> set[str]:
    """What a player may also write for a move: ``3h`` and ``tre di coppe`` and ``3 coppe``, ``2@65`` and ``65``."""
    names = {move.what.lower()} - {""}
    match move.kind:
        case "play" | "call":
            letter, suit = speech.rank_letter(rank_of(move.what)), speech.suit_name(suit_of(move.what))
            names |= {speech.card_name(move.what), f"{letter} {suit}", f"{speech.rank_name(rank_of(move.what))} {suit}"}
        case "bid":
            names |= {speech.bid_name(move.what, scene), move.what.partition("@")[2]} - {""}
        case "trump":
            names |= {speech.suit_name(move.what)}
        case _:
            names |= {told(move, scene, speech)}
    return {name.lower() for name in names}
