"""Draws a Scene in rows of text for a terminal of any width: a function of the Scene and of what is chosen."""

from __future__ import annotations

import msgspec
from rich.text import Text

from chiamata.doors.terminal import tell
from chiamata.doors.terminal.changes import is_my_cut, rank_of, suit_of
from chiamata.doors.terminal.choices import SUITS, Armed, amounts, hint, options, told
from chiamata.doors.terminal.signs import to_ascii
from chiamata.doors.terminal.speech import Speech, name_of, side_points, signed
from chiamata.server.wire import Chair, DealScene, Scene

SIGNS = {"D": "♦", "H": "♥", "S": "♠", "C": "♣", "?": "?"}
COLOURS = {"D": "yellow", "H": "red", "S": "cyan", "C": "green", "?": "default"}
"""Of the terminal's own sixteen, so that they suit its ground.  Letters and signs say the same."""
BOXED = 60
"""Columns that eight boxed cards and their margin want."""
ROOMY = 70
"""Columns from which a seat's row has its last word, tricks and score."""


class Look(msgspec.Struct, frozen=True):
    """How to draw.

    Args:
        width: columns of the terminal.
        elapsed: milliseconds since the Scene, for clocks that run.
    """

    speech: Speech
    width: int = 80
    elapsed: int = 0


def card(name: str, look: Look) -> Text:
    """``3♥cop``; in ASCII ``3cop``.  A covered one ``3?``."""
    suit = suit_of(name)
    short = "" if suit == "?" else look.speech.suit_name(suit)[:3]
    return Text(f"{look.speech.rank_letter(rank_of(name))}{SIGNS[suit]}{short}", style=COLOURS[suit])


def header(scene: Scene, look: Look) -> Text:
    """The rule set, the number of the deal, the table."""
    speech = look.speech
    parts = [speech.t("brand_long"), speech.rules_name(scene.table.rules), speech.deal_number(scene)]
    parts.append(speech.t("table_code", code=scene.table.code))
    return Text(" · ".join(part for part in parts if part), style="bold", no_wrap=True)


def contract(scene: Scene, look: Look) -> Text:
    """What is being played for, and the called card as a card."""
    deal = scene.deal
    if deal is None:
        return Text(look.speech.t("table_waits"))
    line = Text(look.speech.contract(scene, deal))
    if deal.called:
        line = Text.assemble("[", card(deal.called, look), "] ", line)
    return line


# --- seats ----------------------------------------------------------------------------------------


def seats(scene: Scene, look: Look) -> Text:
    """A row for each chair: who, how many cards and points, the last word, and the card on the table."""
    shown = {one.chair: one.card for one in scene.deal.trick.cards} if scene.deal and scene.deal.trick else {}
    rows = [_seat(scene, index, shown.get(index, ""), look) for index in range(len(scene.chairs))]
    return Text("\n").join(rows)


def _seat(scene: Scene, index: int, shown: str, look: Look) -> Text:
    speech, chair = look.speech, scene.chairs[index]
    roomy = look.width >= ROOMY
    mark = "▶" if chair.turn else " "
    dealer = speech.t("dealer_letter") if chair.dealer else " "
    if chair.kind == "empty":
        return Text(f"  {index + 1} {speech.t('chair_free', n=index + 1)}", style="dim")
    name = speech.t("you") if index == scene.table.you else chair.name
    row = Text(f"{mark}{dealer} {_fit(name, 14 if roomy else 9)} ", style="bold" if chair.turn else "")
    row.append(f"{_fit(_standing(scene, index, chair, look), 11 if roomy else 5)} ")
    if scene.deal is None or not chair.playing:
        return row
    row.append(f"{'▮' * chair.cards:8} " if roomy else f"{chair.cards} ")
    row.append(f"{chair.points:3} " if not roomy else f"{_fit(speech.count('point', chair.points), 10)} ")
    if roomy:
        row.append(f"{_fit(speech.count('trick', chair.tricks), 8)} ")
        row.append(f"{signed(chair.score):>4} ")
    if chair.clock is not None:
        row.append(f"{speech.clock(chair, look.elapsed):>5} ")
    if scene.deal.caller is None and chair.said:
        row.append(speech.bid_short(chair.said, scene), style="dim" if chair.passed else "bold")
    if shown:
        row.append_text(card(shown, look))
        trick = scene.deal.trick
        if trick and trick.winner == index:
            row.append(" ◀" if chair.clock is not None else f" ◀ {speech.t('takes_it')}")
    return row


def _standing(scene: Scene, index: int, chair: Chair, look: Look) -> str:
    """The role; else who plays there."""
    if chair.role:
        return look.speech.role(scene, index)
    if chair.stand_in:
        return look.speech.t("bot")
    return look.speech.t("bot") if chair.kind == "bot" else ""


def _fit(text: str, width: int) -> str:
    """Exactly so wide."""
    return f"{text[:width]:{width}}"


# --- the middle -----------------------------------------------------------------------------------


def panel(scene: Scene, armed: Armed | None, lifted: int, look: Look) -> Text:
    """What there is to choose from, or how things ended.

    Args:
        lifted: how many cards the viewer would lift off the pack.
    """
    deal, speech = scene.deal, look.speech
    if scene.fair is not None and scene.fair.step in ("sealing", "opening"):
        return _pack(scene, lifted, look)
    if scene.table.state == "over":
        return Text("\n".join([*tell.result(scene, speech), *tell.ending(scene, speech)]))
    if deal is None:
        return Text("")
    if deal.phase == "done":
        return Text("\n".join(tell.result(scene, speech)))
    if deal.phase in ("auction", "claim"):
        return _auction(scene, deal, armed, look)
    if options(scene).calls:
        return _calls(scene, armed, look)
    if options(scene).trumps:
        return _trumps(scene, armed, look)
    return _trick(scene, deal, look)


def _trick(scene: Scene, deal: DealScene, look: Look) -> Text:
    """Which trick it is, and once the sides are known what they have."""
    speech = look.speech
    full = deal.trick is None or deal.trick.winner is not None
    parts = [speech.t("trick_of", n=min(8, deal.tricks_done + (0 if full and deal.tricks_done else 1)))]
    if deal.partner is not None:
        ours, theirs = side_points(scene)
        caller = " + ".join(dict.fromkeys([name_of(scene, deal.caller), name_of(scene, deal.partner)]))
        parts.append(f"{caller}: {speech.t('points_of_needed', points=ours, need=deal.target)}")
        parts.append(f"{speech.t('the_others')}: {speech.count('point', theirs)}")
    return Text(" · ".join(parts), style="bold")


def _pack(scene: Scene, lifted: int, look: Look) -> Text:
    fair, texts = scene.fair, look.speech.texts
    assert fair is not None
    mine = is_my_cut(scene)
    count = lifted if mine else fair.cut or 0
    back = "▮"
    title = texts.say("fair.cut_title" if mine else "fair.on_its_way")
    line = Text(f"{title}\n{back * count}{'  ' if count else ''}{back * (40 - count)}")
    if fair.cutter is not None and not mine:
        name = name_of(scene, fair.cutter)
        key = "fair.cuts" if fair.cut is None else "fair.cut_done"
        line.append("\n" + texts.say(key, name=name, n=fair.cut))
    return line


def _chosen(label: Text, armed: bool) -> Text:
    """``[K]``, and what is chosen ``▸K◂``, reversed."""
    left, right = ("▸", "◂") if armed else ("[", "]")
    text = Text.assemble(left, label, right)
    if armed:
        text.stylize("reverse bold")
    return text


def _auction(scene: Scene, deal: DealScene, armed: Armed | None, look: Look) -> Text:
    speech, rules, may = look.speech, scene.table.rules, options(scene)
    what = armed.what if armed and armed.kind == "bid" else ""
    lines = []
    if rules.auction_kind == "rank":
        standing = rules.auction_order.index(deal.standing.say.partition("@")[0]) if deal.standing else -1
        says = {bid.say for bid in may.bids}
        chips = []
        for index, rank in enumerate(rules.auction_order):
            letter = speech.rank_letter(rank)
            gone = "·"
            free = Text(f" {gone if index <= standing else letter} ", style="dim")
            chips.append(_chosen(Text(letter), what == rank) if rank in says else free)
        lines.append(Text(" ").join(chips))
    if offers := amounts(rules, may):
        now = next((bid for bid in offers if bid.say == what), None)
        ends = Text(f"{speech.t('or_more')}: {offers[0].target}–{offers[-1].target}  ")
        if now:
            ends.append_text(_chosen(Text(f"{now.target}"), True))
            ends.append(f" {speech.t('stake', n=now.unit)}")
        lines.append(ends.append("  ↑ ↓"))
    said = [f"{speech.who(scene, one.chair)} {speech.bid_short(one.say, scene)}" for one in deal.auction]
    lines.append(Text(" · ".join(said[-12:]), style="dim"))
    return Text("\n").join(lines)


def _calls(scene: Scene, armed: Armed | None, look: Look) -> Text:
    calls, speech = options(scene).calls, look.speech
    what = armed.what if armed and armed.kind == "call" else ""
    lines = []
    for number, suit in enumerate(SUITS, 1):
        cards = [call for call in calls if suit_of(call.card) == suit]
        line = Text.assemble(f"{number} ", _suit(suit, look), _holding(scene, suit, look))
        for call in cards:
            letter = Text(speech.rank_letter(rank_of(call.card)))
            line.append_text(_chosen(letter, call.card == what))
            line.append(f" {speech.t('in_hand')} " if call.own else " ")
        lines.append(line)
    if armed and armed.again:
        lines.append(Text(speech.t("own_warning", card=_capital_card(what, speech)), style="bold"))
    return Text("\n").join(lines)


def _capital_card(name: str, speech: Speech) -> str:
    """``Tre di spade``."""
    word = speech.card_name(name)
    return word[:1].upper() + word[1:]


def _suit(suit: str, look: Look) -> Text:
    return Text(f"{SIGNS[suit]} {_fit(look.speech.suit_name(suit), 9)}", style=COLOURS[suit])


def _holding(scene: Scene, suit: str, look: Look) -> str:
    return f"{_fit(tell.held(scene, suit, look.speech) or '-', 16)} "


def _trumps(scene: Scene, armed: Armed | None, look: Look) -> Text:
    deal, lines = scene.deal, []
    for number, suit in enumerate(SUITS, 1):
        chosen = armed is not None and armed.kind == "trump" and armed.what == suit
        line = Text.assemble(f"{number} ", _chosen(_suit(suit, look), chosen), " ", _holding(scene, suit, look))
        if deal and deal.trump == suit:
            line.append(look.speech.t("trump_now"))
        lines.append(line)
    return Text("\n").join(lines)


# --- the hand and the last lines ------------------------------------------------------------------


def hand(scene: Scene, armed: Armed | None, look: Look) -> Text:
    """The viewer's cards with their numbers: boxes where there is room, else two rows."""
    cards = scene.deal.hand if scene.deal else []
    what = armed.what if armed and armed.kind == "play" else ""
    if look.width < BOXED:
        return _bare(scene, cards, what, look)
    rows = [Text(no_wrap=True) for _ in range(4 if cards else 0)]
    for number, name in enumerate(cards, 1):
        style = COLOURS[suit_of(name)] + (" reverse bold" if name == what else "" if _may(scene, name) else " dim")
        for row, part in zip(rows, _box(scene, name, number, name == what, look), strict=True):
            row.append(part, style)
    return Text("\n").join(rows)


def _box(scene: Scene, name: str, number: int, chosen: bool, look: Look) -> tuple[str, str, str, str]:
    """A card in seven columns: its number, rank, marks and suit: ``●`` called, ``▒`` face down, ``·`` not now."""
    deal, suit = scene.deal, suit_of(name)
    left, right = ("▸", "◂") if chosen else ("│", "│")
    mark = "▒" if deal and deal.covered == name else "●" if deal and deal.called == name else " "
    bar = " " if _may(scene, name) else "·"
    rank, short = look.speech.rank_letter(rank_of(name)), look.speech.suit_name(suit)[:3]
    return f"┌{number}────┐", f"{left}{bar}{rank:2}{mark} {right}", f"{left} {SIGNS[suit]}{short}{right}", "└─────┘"


def _may(scene: Scene, name: str) -> bool:
    """Whether it may be played now, or nothing may be."""
    return not options(scene).plays or name in options(scene).plays


def _bare(scene: Scene, cards: list[str], what: str, look: Look) -> Text:
    lines: list[Text] = []
    for first in range(0, len(cards), 4):
        line = Text()
        for number, name in enumerate(cards[first : first + 4], first + 1):
            label = card(name, look)
            playable = bool(options(scene).plays) and _may(scene, name)
            shown = _chosen(label, name == what) if playable else Text.assemble(" ", label, " ")
            line.append_text(Text.assemble(f"{number}", shown, " "))
        lines.append(line)
    return Text("\n").join(lines)


def action(scene: Scene, armed: Armed | None, look: Look) -> Text:
    """What Enter does, or what is waited for."""
    speech, may = look.speech, scene.table.may
    enter = speech.texts.say("play.enter")
    if armed and armed.again:
        return Text.assemble(f"{enter}  ", speech.t("own_yes"), "  ·  Esc  ", speech.t("own_no"))
    if armed:
        return Text(f"{enter}  {told(armed, scene, speech)}", style="bold")
    if is_my_cut(scene):
        return Text(f"{enter}  {speech.texts.say('fair.cut_here')}", style="bold")
    parts = [hint(scene, speech)]
    if "sit" in may:
        parts.append(f"{enter}  {speech.t('sit')}")
    elif "start" in may:
        parts.append(f"{enter}  {speech.t('start_with_bots')}")
    elif "next" in may:
        parts.append(f"{enter}  {speech.t('rematch' if scene.table.state == 'over' else 'next_deal')}")
    if scene.table.next_in is not None:
        parts.append(speech.t("goes_on_in", n=max(0, -((look.elapsed - scene.table.next_in) // 1000))))
    keys = options(scene)
    if keys.may_pass:
        parts.append(f"P  {speech.t('no_claim' if scene.deal and scene.deal.phase == 'claim' else 'pass')}")
    if keys.may_claim:
        parts.append(f"M  {speech.t('claim')}")
    return Text("  ·  ".join(part for part in parts if part), style="bold")


def in_ascii(text: Text) -> Text:
    """The same drawing in ASCII."""
    return Text(to_ascii(text.plain), style=text.style, no_wrap=text.no_wrap, spans=text.spans)
