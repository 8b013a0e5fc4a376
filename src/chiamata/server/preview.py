"""What a chat shows below a link: a title, a line, a picture.  Of a running deal it says nothing.  Pure."""

from __future__ import annotations

from html import escape

import msgspec

from chiamata.server import paper, picture, replay, wire
from chiamata.server.texts import Texts

PICTURE = "/preview.png"
"""1,200 by 630 points, as chats like it."""
_END_OF_HEAD = b"</head>"


class Preview(msgspec.Struct, frozen=True):
    """The words of one page, for those who have not opened it yet."""

    title: str
    line: str


def of_table(facts: paper.TableFacts, texts: Texts) -> Preview:
    """A table: its code, its rules, whether there is a chair.  Nobody's name: a link is sent on."""
    key = f"rules.{facts.rules.id}.name"
    name = texts.say(key if texts.has(key) else "ui.rules_of_your_own")
    free = texts.say("preview.free" if facts.free else "preview.full", rules=name)
    return Preview(texts.say("preview.table", code=facts.code), free)


def of_deal(past: replay.Past, texts: Texts) -> Preview:
    """A deal that has ended and that everybody with the link may see: who called, with whom, and how it went."""
    seen = picture.Gallery(past.steps[-1], past.steps[-1].at).of_chair(picture.WATCHER)
    return Preview(texts.say("preview.deal", n=past.number, code=seen.table.code), _result(seen, texts))


def _result(seen: wire.Scene, texts: Texts) -> str:
    deal = seen.deal
    if deal is None or deal.result is None or deal.result.kind in ("all_pass", "claim"):
        return texts.say("preview.void")
    result, names = deal.result, _names(seen, texts)
    facts = {"points": result.points, "target": deal.target}
    if result.kind == "draw" or deal.caller is None or deal.partner is None:
        return texts.say("ui.result_draw", **facts)
    key = ("ui.result_made" if result.made else "ui.result_lost") + ("_alone" if deal.partner == deal.caller else "")
    return texts.say(key, **facts, name=names[deal.caller], partner=names[deal.partner])


def _names(seen: wire.Scene, texts: Texts) -> list[str]:
    """The names by chair; bots get one as they do on the page (``nameBots`` in the client)."""
    taken = {chair.name for chair in seen.chairs}
    free = [name for name in texts.say("ui.bot_names").split() if name not in taken]
    return [chair.name or free[index % len(free)] for index, chair in enumerate(seen.chairs)]


def into(page: bytes, preview: Preview, origin: str, path: str) -> bytes:
    """The page with the preview in its head.  ``origin``: such as ``https://cards.example.org``."""
    facts = {
        "og:type": "website",
        "og:site_name": "Chiamata",
        "og:title": preview.title,
        "og:description": preview.line,
        "og:url": origin + path,
        "og:image": origin + PICTURE,
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    tags = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in facts.items()]
    tags.append('<meta name="twitter:card" content="summary_large_image" />')
    return page.replace(_END_OF_HEAD, "\n".join([*tags, ""]).encode() + _END_OF_HEAD, 1)
