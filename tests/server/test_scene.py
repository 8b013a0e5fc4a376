"""What a screen is given to draw."""

from __future__ import annotations

import itertools

from chiamata.rules.moves import Pass
from chiamata.server import picture
from tests.server.driver import Driver, rules_with

# --- what is seen -----------------------------------------------------------------------------------


def test_covered_cards_show_their_rank_alone() -> None:
    for seed in itertools.count():
        house = Driver("first-trick-blind", seed=seed)
        house.sit_and_start("anna")
        house.play_to("call", "done")
        trick = house.deal().trick
        covered = [played for played in trick.cards if played.card.endswith("?")] if trick else []
        if covered:
            break
    own = {chair: house.view(chair).covered for chair in range(5)}
    for played in covered:
        assert house.rules.card_name(own[played.chair])[:-1] == played.card[:-1]
    if covered[0].chair == 0:
        assert house.deal("anna").covered
    assert house.deal("walter").covered == ""
    house.move()
    shown = house.deal().trick
    assert shown is not None
    assert not any(played.card.endswith("?") for played in shown.cards)


def test_a_full_trick_stays_with_its_winner() -> None:
    house = Driver()
    house.sit_and_start("anna")
    house.play_to("play")
    for _ in range(5):
        house.move()
    deal = house.deal()
    assert deal.trick is not None
    assert deal.trick.winner == deal.turn
    assert len(deal.trick.cards) == 5
    assert deal.last is None
    for _ in range(5):
        house.move()
    assert house.deal().last == deal.trick


def test_what_is_at_stake_is_told_from_the_first_bid_on() -> None:
    house = Driver("trattoria-points", seed=3)
    house.sit_and_start("anna")
    told = set()
    while house.stage == "playing":
        deal = house.deal("anna")
        if deal.standing is None:
            assert deal.unit == 0
        else:
            steps = [unit for least, unit in house.rules.scoring.unit_by_target if int(deal.standing.say) >= least]
            assert deal.unit == steps[-1] * deal.multiplier
            told.add(deal.phase)
        house.move()
    assert told == {"auction", "call", "play"}


def test_roles_appear_with_the_called_card() -> None:
    house = Driver()
    house.sit_and_start("anna")
    house.play_to("play")
    while house.stage == "playing":
        deal, chairs = house.deal("anna"), house.scene("anna").chairs
        roles = sorted(chair.role for chair in chairs)
        if deal.partner is None:
            assert roles == ["", "", "", "", "caller"]
        else:
            assert chairs[deal.partner].role in ("partner", "caller")
            assert "" not in roles
        house.move()
    assert "" not in [chair.role for chair in house.scene().chairs]


def test_what_a_bid_is_worth() -> None:
    house = Driver("gingo")
    house.sit_and_start("anna")
    bids = house.deal(house.state.places[0].who).options.bids if house.turn == 0 else []
    while not bids:
        house.move(Pass(house.turn))
        bids = house.deal("anna").options.bids if house.turn == 0 else []
    assert all(bid.unit == bid.target for bid in bids)
    house = Driver()
    house.sit_and_start("anna")
    house.to_turn_of(0)
    assert {bid.unit for bid in house.deal("anna").options.bids if bid.target == 61} <= {1}


def test_options_are_exactly_the_legal_moves() -> None:
    house = Driver("bastarda", seed=3)
    house.sit_and_start("anna")
    seen = set()
    while house.stage != "over":
        while house.stage == "playing":
            if house.turn == 0:
                options, legal = house.deal("anna").options, house.view(0).legal()
                count = options.may_pass + options.may_claim + len(options.bids) + len(options.calls)
                assert count + len(options.plays) + len(options.trumps) == len(legal)
                seen.add(house.deal().phase)
            house.move()
        if house.stage == "between":
            house.must("anna", "next")
    assert {"auction", "play"} <= seen


def test_before_the_auction_a_pass_says_keep() -> None:
    claim = {"max_points": 0, "four_lowest": False, "when": "before_auction", "mandatory": False, "same_dealer": True}
    house = Driver(rules_with("classic", hand_claim=claim | {"multiplier": 1}))
    house.sit_and_start("anna")
    while house.deal().phase == "claim":
        house.move(Pass(house.turn))
    assert [word.say for word in house.deal().auction] == ["keep"] * 5
    house.move(Pass(house.turn))
    assert house.deal().auction[-1].say == "pass"


def test_the_lobby_has_no_deal() -> None:
    house = Driver()
    scene = house.scene()
    assert scene.deal is None
    assert scene.sheet == []
    assert scene.table.rules.session == "deals 10"
    assert Driver("open-classic").scene().table.rules.session == "open"
    assert picture.facts(house.state).free == 5
