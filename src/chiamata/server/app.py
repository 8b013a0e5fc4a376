"""HTTP and WebSocket routes: who is asking, may they, and what do they say."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from chiamata.rules import catalogue, paytable, schema
from chiamata.rules.errors import Malformed
from chiamata.rules.fair import Transcript
from chiamata.rules.paytable import PayTable
from chiamata.rules.ruleset import BadRuleSet, RuleSet
from chiamata.server import answers, examples, guests, lessons, paper, replay, rulebook, sockets
from chiamata.server.answers import KEEPABLE, PATIENCE
from chiamata.server.coach import Coach
from chiamata.server.hub import Hub, NoTable
from chiamata.server.limits import Gate, Limits
from chiamata.server.log import Unwritten
from chiamata.server.notes import Notebook
from chiamata.server.openapi import PAGE, says
from chiamata.server.page import RESTARTING, UNKNOWN
from chiamata.server.preview import Preview, into, of_deal, of_table
from chiamata.server.seating import Refused
from chiamata.server.static import Client
from chiamata.server.table import State
from chiamata.server.texts import Texts, language_of
from chiamata.server.web import FRAMED, OneAddress, Origins, SafeHeaders

TOO_MANY_PAGES = 4029
NO_TABLE = "There is no such table. Check the five letters."
NO_DEAL = "There is no such deal, or it has not ended: it can be seen once it has."
_NUMBER, _CHAIR, _CODE = re.compile(r"[1-9]\d{0,5}"), re.compile(r"[0-8]?"), re.compile(r"[A-Za-z]{5}")
COOKIE_AGE = 400 * 86_400
"""Seconds; browsers keep no cookie longer."""


class Doors(msgspec.Struct, frozen=True):
    """What the routes work with."""

    hub: Hub
    client: Client
    origins: Origins
    gate: Gate
    limits: Limits
    coach: Coach
    secure: bool = False
    """The cookie is for HTTPS alone."""


def make_app(doors: Doors) -> Starlette:
    """The web application of one server."""
    routes = Routes(doors)
    return Starlette(
        routes=routes_of(routes),
        middleware=[Middleware(SafeHeaders), Middleware(OneAddress)],
        exception_handlers={
            Malformed: answers.malformed,
            HTTPException: answers.refused,
            NoTable: routes.no_table,
            Unwritten: answers.unwritten,
            ClientDisconnect: answers.gone,
            Exception: answers.broken,
        },
        max_body_size=doors.limits.body,
    )


def routes_of(routes: Routes | type[Routes]) -> list[BaseRoute]:
    """Every address; of the class itself, for those who only want to know what there is."""
    return [
        Route("/health", routes.health),
        Route("/ready", routes.ready),
        Route("/api/rules", routes.menu),
        Route("/api/rules/schema", routes.schema),
        Route("/api/rules/check", routes.check, methods=["POST"]),
        Route("/api/rules/payoffs", routes.payoffs, methods=["POST"]),
        Route("/api/rules/{id}", routes.rules),
        Route("/api/rules/{id}/example", routes.example),
        Route("/api/lessons", routes.lessons),
        Route("/api/me", routes.me, methods=["GET"]),
        Route("/api/me", routes.enter, methods=["POST"]),
        Route("/api/me", routes.forget, methods=["DELETE"]),
        Route("/api/tables", routes.create, methods=["POST"]),
        Route("/api/tables/{code}", routes.table),
        Route("/api/tables/{code}/notes", routes.notes, methods=["GET"]),
        Route("/api/tables/{code}/notes", routes.jot, methods=["POST"]),
        Route("/api/tables/{code}/hint", routes.hint, methods=["POST"]),
        Route("/api/tables/{code}/rules", routes.table_rules),
        Route("/api/tables/{code}/games", routes.games),
        Route("/api/tables/{code}/deals/{name}", routes.deal),
        Route("/api/tables/{code}/deals/{number}/transcript", routes.transcript),
        Route("/api/tables/{code}/transcripts", routes.transcripts),
        Route("/api/{rest:path}", routes.nothing, methods=["GET", "POST", "PUT", "PATCH", "DELETE"]),
        WebSocketRoute("/ws/{code}", routes.socket),
        WebSocketRoute("/at/{node}/ws/{code}", routes.socket),
        Route("/t/{code}", routes.table_page),
        Route("/r/{code}/{number}", routes.deal_page),
        Route("/e/{code}/{number}", routes.framed_page),
        Route("/g/{code}", routes.sheets_page),
        Route("/rules/{id}", routes.rules_page),
        Route("/rules/{id}/example", routes.rules_page),
        Route("/{path:path}", routes.page),
    ]


# --- routes ---------------------------------------------------------------------------------------


class Routes:
    """The handlers of one server's routes."""

    def __init__(self, doors: Doors) -> None:
        self.doors = doors
        self.store = doors.hub.house.store
        self.notebook = Notebook(self.store)

    @says("text/plain")
    async def health(self, _: Request) -> Response:
        """``GET /health``: the process answers."""
        return PlainTextResponse("ok\n")

    @says("text/plain", refuses=(503,))
    async def ready(self, _: Request) -> Response:
        """``GET /ready``: tables can be opened and the log answers; 503 while not."""
        try:
            async with asyncio.timeout(PATIENCE / 2):
                await self.store.last("")
        except (Unwritten, TimeoutError):
            return PlainTextResponse("the log does not answer\n", 503)
        if self.doors.hub.closing or self.store.broken:
            return PlainTextResponse("closing\n", 503)
        return PlainTextResponse("ready\n")

    @says(list[paper.MenuEntry])
    async def menu(self, _: Request) -> Response:
        """``GET /api/rules``."""
        return answers.json(
            [
                paper.MenuEntry(name, catalogue.load(name).title, about.menu, about.approximate)
                for name, about in ((name, catalogue.about(name)) for name in catalogue.names())
            ],
            headers=KEEPABLE,
        )

    @says(paper.RulesPage)
    async def rules(self, request: Request) -> Response:
        """``GET /api/rules/{id}``."""
        return answers.json(rulebook.page(catalogue.load(request.path_params["id"])), headers=KEEPABLE)

    @says(paper.Example)
    async def example(self, request: Request) -> Response:
        """``GET /api/rules/{id}/example``: a deal that shows what is special in a named rule set."""
        found = await asyncio.to_thread(examples.example, request.path_params["id"])
        return answers.json(found, headers=KEEPABLE)

    @says(paper.Lessons)
    async def lessons(self, request: Request) -> Response:
        """``GET /api/lessons``."""
        return await answers.lasting(request, lessons.lessons)

    @says(paper.RulesPage)
    async def table_rules(self, request: Request) -> Response:
        """``GET /api/tables/{code}/rules``: those of a table, to read before one sits down."""
        return answers.json(rulebook.page((await self._state(request)).rules))

    @says(paper.Schema)
    async def schema(self, _: Request) -> Response:
        """``GET /api/rules/schema``."""
        return answers.json(paper.Schema(list(schema.options())), headers=KEEPABLE)

    @says(paper.Checked, takes=paper.Proposal)
    async def check(self, request: Request) -> Response:
        """``POST /api/rules/check``: what is wrong with a rule set; nothing is made."""
        self._check_pace(request)
        mapping = (await answers.read(request, paper.Proposal)).rules
        try:
            rules = RuleSet.from_mapping(mapping)
        except BadRuleSet as error:
            return answers.json(paper.Checked([answers.of_problem(one) for one in error.problems], None, []))
        return answers.json(
            paper.Checked([], rulebook.page(rules), [answers.of_problem(one) for one in rules.warnings])
        )

    @says(PayTable, takes=paper.Proposal)
    async def payoffs(self, request: Request) -> Response:
        """``POST /api/rules/payoffs``: what deals pay under a rule set, for a score sheet; nothing is made."""
        self._check_pace(request)
        rules = RuleSet.from_mapping((await answers.read(request, paper.Proposal)).rules)
        return answers.json(paytable.table_of(rules))

    @says(paper.Me)
    async def me(self, request: Request) -> Response:
        """``GET /api/me``: the guest's name, '' for one who has none yet."""
        guest = await self._guest(request)
        return answers.json(paper.Me(guest.name))

    @says(paper.Me, takes=paper.Me)
    async def enter(self, request: Request) -> Response:
        """``POST /api/me``."""
        self._check(request)
        name = guests.clean_name((await answers.read(request, paper.Me)).name)
        guest, cookie = await guests.enter(self.store, request.cookies.get(guests.COOKIE), name)
        answer = answers.json(paper.Me(guest.name))
        answer.set_cookie(
            guests.COOKIE, cookie, max_age=COOKIE_AGE, httponly=True, samesite="strict", secure=self.doors.secure
        )
        return answer

    @says(paper.Me)
    async def forget(self, request: Request) -> Response:
        """``DELETE /api/me``: the cookie opens nothing any more, and the pages opened by it are closed."""
        self._check(request)
        guest = await guests.forget(self.store, request.cookies.get(guests.COOKIE))
        if guest != guests.NOBODY:
            self.doors.hub.forget(guest.who)
        answer = answers.json(paper.Me(""))
        answer.delete_cookie(guests.COOKIE, httponly=True, samesite="strict", secure=self.doors.secure)
        return answer

    @says(paper.Created, takes=paper.NewTable, status=201)
    async def create(self, request: Request) -> Response:
        """``POST /api/tables``."""
        self._check(request)
        guest = await self._guest(request)
        if guest == guests.NOBODY:
            return answers.fault(401, "NAME_NEEDED", "cookie", "", "Send your name to POST /api/me first.")
        asked = await answers.read(request, paper.NewTable)
        rules = catalogue.load(asked.rules) if isinstance(asked.rules, str) else RuleSet.from_mapping(asked.rules)
        code = await self.doors.hub.create(rules, asked.clock, guest.who, guest.name, asked.manners)
        return answers.json(paper.Created(code), 201)

    @says(paper.TableFacts)
    async def table(self, request: Request) -> Response:
        """``GET /api/tables/{code}``."""
        return answers.json(await self.doors.hub.facts(self._code(request)))

    @says(paper.Notes)
    async def notes(self, request: Request) -> Response:
        """``GET /api/tables/{code}/notes``: one's own, of the running deal."""
        guest = await self._guest(request)
        return answers.json(await self.notebook.of(await self._state(request), guest.who))

    @says(paper.Notes, takes=paper.Jot)
    async def jot(self, request: Request) -> Response:
        """``POST /api/tables/{code}/notes``."""
        self._check(request)
        guest = await self._guest(request)
        jot = await answers.read(request, paper.Jot)
        state = await self._state(request)
        if not await self.notebook.jot(state, guest.who, jot):
            return answers.fault(
                409, "STALE", "deal", str(jot.deal), "Notes are taken on the running deal, by those who play."
            )
        return answers.json(await self.notebook.of(state, guest.who))

    @says(paper.Hint, takes=paper.AskHint)
    async def hint(self, request: Request) -> Response:
        """``POST /api/tables/{code}/hint``."""
        self._check(request)
        guest = await self._guest(request)
        asked = await answers.read(request, paper.AskHint)
        state = await self._state(request)
        try:
            return answers.json(await self.doors.coach.hint(state, guest.who, asked.v))
        except Refused as refusal:
            return answers.fault(409, refusal.code, "hint", "", "Hints are for one's own turn, alone with bots.")

    async def _state(self, request: Request) -> State:
        self._check_pace(request)
        return await self.doors.hub.state(self._code(request))

    @says(paper.Games)
    async def games(self, request: Request) -> Response:
        """``GET /api/tables/{code}/games``: the sheet of each game."""
        self._check_pace(request)
        told = await self.doors.hub.games(self._code(request))
        return answers.json(told, headers=None if told.running else KEEPABLE)

    @says(paper.Replay, also=("text/plain", "application/jsonl"), query=("chair",))
    async def deal(self, request: Request) -> Response:
        """``GET /api/tables/{code}/deals/{number}``: a deal that has ended; ``3.txt`` and ``3.jsonl`` to keep it."""
        self._check_pace(request)
        number, _, kind = request.path_params["name"].partition(".")
        chair = request.query_params.get("chair", "")
        if not (_NUMBER.fullmatch(number) and kind in ("", "txt", "jsonl") and _CHAIR.fullmatch(chair)):
            raise HTTPException(404, NO_DEAL)
        past = await self.doors.hub.past(self._code(request), int(number), await self._who(request))
        if past is None or int(chair or 0) >= len(past.steps[0].places):
            raise HTTPException(404, NO_DEAL)
        if kind == "txt":
            return PlainTextResponse(replay.as_text(past))
        if kind == "jsonl":
            return Response(replay.as_lines(past), media_type="application/jsonl")
        seen = replay.show(past, int(chair) if chair else None, await self.notebook.told(past))
        return answers.json(seen, headers=KEEPABLE)

    @says(Transcript)
    async def transcript(self, request: Request) -> Response:
        """``GET /api/tables/{code}/deals/{number}/transcript``: how a deal that has ended came about."""
        number = request.path_params["number"]
        for one in await self._transcripts(request):
            if str(one.deal) == number and one.hands:
                return answers.json(one)
        raise HTTPException(404, NO_DEAL)

    @says(dict[str, list[Transcript]])
    async def transcripts(self, request: Request) -> Response:
        """``GET /api/tables/{code}/transcripts``: those of all its deals that have ended."""
        return answers.json({"deals": await self._transcripts(request)})

    async def _transcripts(self, request: Request) -> tuple[Transcript, ...]:
        self._check_pace(request)
        return await self.doors.hub.transcripts(self._code(request), await self._who(request))

    async def no_table(self, request: HTTPConnection, error: Exception) -> Response:
        """For a code that names no table here: 404."""
        assert isinstance(error, NoTable)
        self._count_guess(request, error)
        return answers.fault(404, "NOT_FOUND", "code", request.path_params["code"], NO_TABLE)

    async def nothing(self, _: Request) -> Response:
        """Everything else below ``/api``."""
        raise HTTPException(404, "There is no such address. docs/protocol.md lists them all.")

    async def page(self, request: Request) -> Response:
        """The client."""
        return self.doors.client.answer(request)

    @says(PAGE, refuses=(404, 503))
    async def table_page(self, request: Request) -> Response:
        """``GET /t/{code}``: the client, with a few words about the table for those to whom the link is sent."""
        code = request.path_params["code"].upper()

        async def preview(texts: Texts) -> Preview | None:
            return of_table(await self.doors.hub.facts(code), texts)

        return await self._page_with(request, preview)

    @says(PAGE, refuses=(404, 503))
    async def deal_page(self, request: Request) -> Response:
        """``GET /r/{code}/{number}``: the client, with a few words about a deal that everybody may see."""
        code, number = request.path_params["code"].upper(), request.path_params["number"]

        async def preview(texts: Texts) -> Preview | None:
            past = await self.doors.hub.past(code, int(number)) if _NUMBER.fullmatch(number) else None
            return None if past is None else of_deal(past, texts)

        return await self._page_with(request, preview)

    @says(PAGE, refuses=(404, 503))
    async def framed_page(self, request: Request) -> Response:
        """``GET /e/{code}/{number}``: the client, which shows a replay there and nothing else; others may frame it."""
        answer = self.doors.client.answer(request)
        if _CODE.fullmatch(request.path_params["code"]) and _NUMBER.fullmatch(request.path_params["number"]):
            answer.headers.update(FRAMED)
        return answer

    @says(PAGE, refuses=(404, 503))
    async def sheets_page(self, request: Request) -> Response:
        """``GET /g/{code}``: the client, which shows the sheet of each game of a table."""
        code = request.path_params["code"].upper()

        async def preview(_: Texts) -> Preview | None:
            await self.doors.hub.state(code)
            return None

        return await self._page_with(request, preview)

    @says(PAGE, refuses=(404, 503))
    async def rules_page(self, request: Request) -> Response:
        """``GET /rules/{id}`` and its example: the client, which shows a named rule set."""
        return self.doors.client.answer(request, request.path_params["id"] not in catalogue.names())

    async def _page_with(self, request: Request, preview: Callable[[Texts], Awaitable[Preview | None]]) -> Response:
        """The client's page with a preview in it, where there is one to be had at once."""
        origin = self.doors.origins.of_host(request.headers.get("host", ""))
        page, found, missing = self.doors.client.page(), None, False
        gate, address = self.doors.gate, _address(request)
        if page and origin and gate.may_guess(address) and gate.may_change(address):
            wish = request.headers.get("accept-language", "").partition(",")[0].strip()
            try:
                async with asyncio.timeout(PATIENCE / 5):
                    found = await preview(Texts(language_of(wish)))
            except NoTable as error:
                self._count_guess(request, error)
                missing = True
            except (Unwritten, TimeoutError):
                pass  # whoever opens the page is told by it
        if found is None:
            return self.doors.client.answer(request, missing)
        text = into(page, found, origin, request.url.path)
        return HTMLResponse(text, headers={"cache-control": "no-cache", "vary": "accept-language"})

    async def _guest(self, asked: HTTPConnection) -> guests.Guest:
        return await guests.find(self.store, asked.cookies.get(guests.COOKIE))

    async def _who(self, asked: HTTPConnection) -> str:
        return (await self._guest(asked)).who

    def _check(self, request: Request) -> None:
        """Refuses a change that another site's page asks for, and one too many."""
        if not self.doors.origins.allows(request):
            raise HTTPException(403, "Only this server's own pages may do that (start it with --origin for others).")
        self._check_pace(request)

    def _code(self, request: Request) -> str:
        """The code in the address; refuses who has named too many that are no table's."""
        if not self.doors.gate.may_guess(_address(request)):
            raise HTTPException(429, "Too many codes that are no table's; wait a minute.")
        return str(request.path_params["code"])

    def _count_guess(self, asked: HTTPConnection, error: NoTable) -> None:
        if error.code == UNKNOWN:  # and not one that is stopped, or served elsewhere
            self.doors.gate.guessed(_address(asked))

    def _check_pace(self, request: Request) -> None:
        """Refuses an address that asks for too much at a time."""
        if not self.doors.gate.may_change(_address(request)):
            raise HTTPException(429, "Too many requests; wait a moment.")

    # --- sockets ---------------------------------------------------------------------------------

    async def socket(self, socket: WebSocket) -> None:
        """``/ws/{code}``: one page at one table; a proxy in front of several nodes heeds ``/at/NODE`` before it."""
        if not self.doors.origins.allows(socket):
            await socket.close()  # before it is accepted: the browser gets 403
            return
        await socket.accept()
        try:
            await self._take_in(socket)
        except Unwritten:
            await sockets.close(socket, RESTARTING)  # the page comes back, as the database may

    async def _take_in(self, socket: WebSocket) -> None:
        """Lets a page take part, if there are not too many of its guest's.  Raises Unwritten."""
        guest = await self._guest(socket)
        address = _address(socket)
        if not (self.doors.gate.may_guess(address) and self.doors.gate.enter(address, guest.who)):
            await socket.close(TOO_MANY_PAGES)
            return
        try:
            await sockets.serve(socket, guest, self.doors.hub, self.doors.gate)
        except NoTable as error:
            self._count_guess(socket, error)
            await sockets.close(socket, error.code, error.node)
        finally:
            self.doors.gate.leave(address, guest.who)


def _address(asked: HTTPConnection) -> str:
    return asked.client.host if asked.client is not None else ""
