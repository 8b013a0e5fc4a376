"""Cards, bids and events as people say them: the sentences of ``web/src/speech.ts``, by the same keys of locales."""

from __future__ import annotations

from typing import Literal

from chiamata.doors.terminal.changes import Change, rank_of, suit_of
from chiamata.server.texts import Texts
from chiamata.server.wire import Chair, DealScene, ResultScene, RulesTag, Scene

Suits = Literal["latin", "french"]
"""Whether ``H`` is called cups or hearts, and ``K`` in Italian re or king."""
_PLAIN_WORDS = {"pass": "word_pass", "claim": "word_claim", "keep": "word_keep"}


def signed(n: int) -> str:
    """``+2``, ``-1``, ``0``."""
    return f"{n:+d}" if n else "0"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def name_of(scene: Scene, chair: int | None) -> str:
    """The name in a chair; '' for nobody."""
    return scene.chairs[chair].name if chair is not None and 0 <= chair < len(scene.chairs) else ""


def points_of(card: str, rules: RulesTag) -> int:
    """Card points of a card."""
    rank = rank_of(card)
    return rules.card_points[rules.ranks.index(rank)] if rank in rules.ranks else 0


def side_points(scene: Scene) -> tuple[int, int]:
    """Card points of the caller's side and of the others, once the sides are known."""
    ours = sum(chair.points for chair in scene.chairs if chair.role in ("caller", "partner"))
    return ours, sum(chair.points for chair in scene.chairs) - ours


class Speech:
    """Says things in one language, of Italian or of French suits."""

    def __init__(self, texts: Texts, suits: Suits = "latin") -> None:
        self.texts = texts
        self.suits = suits
        self.bot_names = self.t("bot_names").split()

    def t(self, key: str, **facts: object) -> str:
        """A text of the page."""
        return self.texts.say(f"ui.{key}", **facts)

    def count(self, noun: Literal["point", "trick", "card", "deal"], n: int) -> str:
        """``1 punto``, ``5 punti``."""
        return self.t(f"one_{noun}" if abs(n) == 1 else f"{noun}s", n=n)

    def _of_cards(self, name: str) -> str:
        french = f"cards.french_{name}"
        return self.texts.say(french if self.suits == "french" and self.texts.has(french) else f"cards.{name}")

    def rank_letter(self, rank: str) -> str:
        """``R`` for the re in Italian, ``K`` in English."""
        return self._of_cards(f"letter_{rank}")

    def rank_name(self, rank: str) -> str:
        return self._of_cards(f"rank_{rank}")

    def suit_name(self, suit: str) -> str:
        return self._of_cards(f"suit_{suit}")

    def card_name(self, card: str) -> str:
        """``tre di spade``; of a covered card the rank only."""
        rank = self.rank_name(rank_of(card))
        if suit_of(card) == "?":
            return self.texts.say("cards.covered", rank=rank)
        return self.texts.say("cards.card", rank=rank, suit=self.suit_name(suit_of(card)))

    def spoken_card(self, card: str, scene: Scene) -> str:
        """``Tre di spade, 10 punti, briscola, la carta chiamata``."""
        deal = scene.deal
        parts = [capital(self.card_name(card))]
        if points := points_of(card, scene.table.rules):
            parts.append(self.count("point", points))
        if deal and deal.trump and suit_of(card) == deal.trump:
            parts.append(self.t("trump"))
        if deal and deal.called == card:
            parts.append(self.t("the_called_card"))
        if deal and deal.covered == card:
            parts.append(self.t("covered"))
        return ", ".join(parts)

    def rules_name(self, rules: RulesTag) -> str:
        """The name of a rule set; one that has none in the locales is of the table's own making."""
        key = f"rules.{rules.id}.name"
        return self.texts.say(key) if self.texts.has(key) else self.t("rules_of_your_own")

    def level(self, level: str) -> str:
        key = f"bots.{level}"
        return self.texts.say(key) if self.texts.has(key) else level

    def clock(self, chair: Chair, elapsed: int) -> str:
        """What is left of a turn clock, ``1:05``; it runs while it is that chair's turn.  '' without one."""
        if chair.clock is None:
            return ""
        seconds = max(0, -((elapsed * chair.turn - chair.clock) // 1000))
        return f"{seconds // 60}:{seconds % 60:02d}"

    def refusal(self, code: str) -> str:
        key = f"refusals.{code}"
        return self.texts.say(key) if self.texts.has(key) else self.t("refused")

    def who(self, scene: Scene, chair: int | None) -> str:
        """``Tu`` for the viewer, else the name."""
        return self.t("you") if chair is not None and chair == scene.table.you else name_of(scene, chair)

    # --- the auction -----------------------------------------------------------------------------

    def bid_short(self, say: str, scene: Scene) -> str:
        """A bid in few letters: ``R``, ``2 · 65``, ``75``, ``passo``."""
        if say in _PLAIN_WORDS:
            return self.t(_PLAIN_WORDS[say])
        rank, _, points = say.partition("@")
        if points:
            return f"{self.rank_letter(rank)} {points}"
        return say if scene.table.rules.auction_kind == "points" else self.rank_letter(rank)

    def bid_name(self, say: str, scene: Scene) -> str:
        """A bid in full: ``cavallo``, ``due a 65``, ``75 punti``."""
        if say in _PLAIN_WORDS:
            return self.t(_PLAIN_WORDS[say])
        rank, _, points = say.partition("@")
        if points:
            return self.t("rank_at", rank=self.rank_name(rank), points=points)
        return self.count("point", int(say)) if scene.table.rules.auction_kind == "points" else self.rank_name(rank)

    # --- what is being played --------------------------------------------------------------------

    def deal_number(self, scene: Scene) -> str:
        """``Smazzata 4 di 10``; redeals do not count in the length of the game.  '' before the first deal."""
        if scene.deal is None:
            return ""
        kind, _, limit = scene.table.rules.session.partition(" ")
        scored = sum(row.kind == "scored" for row in scene.sheet)
        running = scored if scene.deal.phase == "done" and scene.table.state != "playing" else scored + 1
        if kind == "deals":
            return self.t("deal_of", n=running, of=limit)
        return self.t("deal_to", n=running, points=limit) if kind == "points" else self.t("deal_n", n=running)

    def contract(self, scene: Scene, deal: DealScene) -> str:
        """What is being played for, in one line."""
        if deal.caller is None:
            parts = [self.t("phase_claim" if deal.phase == "claim" else "phase_auction")]
            if deal.standing:
                parts.append(self.t("bid_by", name=self.who(scene, deal.standing.chair)))
                parts[-1] += f" {self.bid_name(deal.standing.say, scene)}"
            elif deal.phase == "auction":
                parts.append(self.t("nobody_bid"))
            if deal.multiplier > 1:
                parts.append(self.t("carried", n=deal.multiplier))
            return " · ".join(parts)
        card = self.card_name(deal.called) if deal.called else self.t("not_named_yet")
        parts = [self.t("contract_label", name=name_of(scene, deal.caller), card=card, target=deal.target)]
        if deal.unit > 1 and deal.unit != deal.target:
            parts.append(self.t("stake", n=deal.unit))
        if deal.trump and suit_of(deal.called) != deal.trump:
            parts.append(f"{self.t('trump')} {self.suit_name(deal.trump)}")
        if deal.mine:
            parts.append(self.t("card_is_mine"))
        return " · ".join(parts)

    def role(self, scene: Scene, chair: int) -> str:
        """``chiamante``, ``solo``, ``socio``, ``contro``; '' while nobody may know."""
        role = scene.chairs[chair].role
        alone = role == "caller" and scene.deal is not None and scene.deal.partner == chair
        return self.t("role_alone" if alone else f"role_{role}") if role else ""

    def result(self, scene: Scene) -> str:
        """How a deal ended, in one line; '' while it goes on."""
        deal = scene.deal
        if deal is None or deal.result is None:
            return ""
        kind, made = deal.result.kind, deal.result.made
        if kind in ("all_pass", "claim"):
            return self.t(f"result_{kind}")
        name, points = name_of(scene, deal.caller), deal.result.points
        if kind == "draw":
            return self.t("result_draw", points=points)
        end = "made" if made else "lost"
        if deal.partner == deal.caller:
            return self.t(f"result_{end}_alone", name=name, points=points, target=deal.target)
        partner = name_of(scene, deal.partner)
        return self.t(f"result_{end}", name=name, partner=partner, points=points, target=deal.target)

    def sum_of(self, result: ResultScene) -> str:
        """``74 punti in 5 prese · posta ×2 · cappotto ×2``."""
        both = {"points": self.count("point", result.points), "tricks": self.count("trick", result.tricks)}
        parts = [self.t("points_in_tricks", **both)]
        for key, n in (("stake", result.unit), ("cappotto", result.factor), ("carried", result.multiplier)):
            if n > 1:
                parts.append(self.t(key, n=n))
        return " · ".join(parts)

    def winners(self, scene: Scene) -> str:
        """Who has won the game."""
        won = scene.table.winners
        names = ", ".join(name_of(scene, chair) for chair in won)
        if len(won) > 1:
            return self.t("winners_shared", names=names)
        return self.t("you_won") if scene.table.you in won else self.t("winner", name=names)

    # --- what has happened -----------------------------------------------------------------------

    def sentence(self, change: Change, scene: Scene) -> str:
        """What is said of a change; ``scene`` is the one after it."""
        name = self.who(scene, change.chair)
        match change.what:
            case "revealed":
                return self.reveal(scene)
            case "ended":
                return self.result(scene)
            case "over":
                return self.t("say_over", names=", ".join(name_of(scene, chair) for chair in scene.table.winners))
            case "turn":
                return self.t("your_turn")
            case "dealt":
                return self.t("say_dealt", n=change.n)
            case "won":
                return self.t("say_won", name=name_of(scene, change.chair), target=change.n)
            case "taken":
                name = name_of(scene, change.chair)  # "you takes" is nobody's grammar
                return self.t("say_taken", name=name, points=self.count("point", change.n))
            case "voided":
                return self.texts.say("fair.voided", n=change.n)
            case "away" | "back":
                return self.t(f"say_{change.what}", name=name)
            case _:
                return self._word(change, name, scene)

    def _word(self, change: Change, name: str, scene: Scene) -> str:
        """What somebody has said or shown."""
        match change.what:
            case "said":
                return f"{name}: {self.bid_name(change.word, scene)}."
            case "called":
                name = name_of(scene, change.chair)
                return self.t("say_called", name=name, card=self.card_name(change.word), target=change.n)
            case "trump":
                return self.t("say_trump", suit=self.suit_name(change.word))
            case "spoke":
                return self.t("said_by", name=name, words=self.texts.say(f"phrases.{change.word}"))
            case _:
                return f"{name}: {self.card_name(change.word)}."

    def reveal(self, scene: Scene) -> str:
        """``Due di spade. Il socio di Anna: Elena. 34 a 21, servono 71.``"""
        deal = scene.deal
        assert deal is not None
        ours, theirs = side_points(scene)
        caller = name_of(scene, deal.caller)
        if deal.caller == deal.partner:
            who = self.t("reveal_alone", name=caller)
        else:
            who = self.t("reveal_partner", partner=name_of(scene, deal.partner), name=caller)
        card = capital(self.card_name(deal.called))
        return f"{card}. {who} {self.t('reveal_points', ours=ours, theirs=theirs, target=deal.target)}"
