"""A bot for ``chiamata arena`` in plain Python: it passes, and takes with its cheapest card what is worth taking."""

import json
import random
import sys

POINTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
STRENGTH = "2456" + "7JQK" + "3A"


def choose(view, legal, dice):
    """One of the legal moves."""
    cards = [move for move in legal if move["do"] == "play"]
    if not cards:
        passes = [move for move in legal if move["do"] == "pass"]
        return passes[0] if passes else dice.choice(legal)
    words = view["words"]
    played = [word["card"] for word in words if word["do"] == "play"]
    table = played[len(played) - len(played) % 5 :]
    trump = next((word["card"][-1] for word in words if word["do"] == "call"), "")

    def power(card):
        return card[-1] == trump, card[-1] == table[0][-1], STRENGTH.find(card[0])

    def price(move):
        return POINTS.get(move["card"][0], 0), move["card"][-1] == trump, STRENGTH.find(move["card"][0])

    if table and sum(POINTS.get(card[0], 0) for card in table) > 0:
        best = max(map(power, table))
        cards = [move for move in cards if power(move["card"]) > best] or cards
    return min(cards, key=price)


for line in sys.stdin:
    asked = json.loads(line)
    if asked["is"] == "hello":
        answer = {"is": "hello", "protocol": 1, "name": "cheapest"}
    else:
        answer = choose(asked["view"], asked["legal"], random.Random(asked["seed"]))
    print(json.dumps(answer), flush=True)
