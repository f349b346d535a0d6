"""Stands in for a slow service: ``python -m bench.slow_service LATENCY`` prints its port.

It is for `make bench`.

It answers every OpenAI-compatible chat completion with the same letter, with usage and
log-probabilities, `LATENCY` seconds after it came; it looks at nothing that is sent. It runs in a
process of its own, so that what is measured shares no interpreter with it.
"""

import asyncio
import json
import sys

ANSWER = '{"answer":"A"}'
_TOKENS = ('{"', "answer", '":"', "A", '"}')
_LETTERS = {"A": -0.2, "B": -2.5, "C": -3.0, "D": -3.5, "E": -4.0}


def main(latency: float) -> None:
    asyncio.run(_serve(latency))


async def _serve(latency: float) -> None:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await _read(reader):
                await asyncio.sleep(latency)
                writer.write(REPLY)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=1 << 20)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


async def _read(reader: asyncio.StreamReader) -> bool:
    """Read one request to its end; False where the client has gone."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return False
    fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:] if b":" in line)
    await reader.readexactly(int(fields.get(b"content-length", b"0")))
    return True


def _completion() -> bytes:
    """The reply as a whole, head and body."""
    tokens = [
        {"token": token, "logprob": -0.01, "bytes": None, "top_logprobs": _beside(token)}
        for token in _TOKENS
    ]
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": ANSWER, "refusal": None},
        "logprobs": {"content": tokens, "refusal": None},
        "finish_reason": "stop",
    }
    usage = {
        "prompt_tokens": 300,
        "completion_tokens": len(_TOKENS),
        "total_tokens": 300 + len(_TOKENS),
    }
    whole = {
        "id": "loopback",
        "object": "chat.completion",
        "created": 0,
        "model": "loopback",
        "choices": [choice],
        "usage": usage,
    }
    body = json.dumps(whole).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (
        len(body),
        body,
    )


def _beside(token: str) -> list[dict[str, object]]:
    beside = _LETTERS if token in _LETTERS else {token: -0.01}
    return [{"token": name, "logprob": value, "bytes": None} for name, value in beside.items()]


REPLY = _completion()

if __name__ == "__main__":
    main(float(sys.argv[1]))
