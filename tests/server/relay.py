"""Carries bytes from a port to a Unix socket, in the network namespace where it is started: ADDRESS PORT SOCKET."""

from __future__ import annotations

import asyncio
import contextlib
import sys


async def carry(address: str, port: int, socket: str) -> None:
    """For ever; says ``ready`` once it listens."""

    async def line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            onward, back = await asyncio.open_unix_connection(socket)
            await asyncio.gather(_pump(reader, back), _pump(onward, writer))

    async with await asyncio.start_server(line, address, port) as server:
        print("ready", flush=True)
        await server.serve_forever()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(65_536):
            writer.write(chunk)
            await writer.drain()
    except OSError:
        pass  # that side has gone
    finally:
        writer.close()


if __name__ == "__main__":
    asyncio.run(carry(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
