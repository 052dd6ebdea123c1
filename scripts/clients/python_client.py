"""The Python client, over one transport: lists, calls every tool of bench.json, reads.

usage: python_client.py MODE, with how to reach the server as JSON on standard input
"""

import asyncio
import json
import pathlib
import re
import sys

from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

BENCH = json.loads((pathlib.Path(__file__).parent / "bench.json").read_text())


def reach(server):
    if "url" not in server:
        return StdioServerParameters(**server)
    headers = {"Authorization": "Bearer " + server["token"]}
    return streamable_http_client(server["url"], http_client=create_mcp_http_client(headers=headers))


async def call(client, name, given, saved):
    text = re.sub(r"\{\{(\w+)\}\}", lambda m: saved[m[1]], json.dumps(given))
    result = await client.call_tool(name, json.loads(text))
    said = "".join(c.text for c in result.content)
    assert not result.is_error, f"{name}: {said}"
    assert json.loads(said) == result.structured_content, f"{name}: text and structured content differ"
    return result.structured_content


async def call_all(client):
    saved = {}
    for step in BENCH["setup"]:
        value = await call(client, step["name"], step["arguments"], saved)
        for key, path in step.get("save", {}).items():
            for part in path.split(".")[1:]:
                value = value[int(part) if part.isdigit() else part]
            saved[key] = value
    for name, given in BENCH["calls"].items():
        for arguments in given if isinstance(given, list) else [given]:
            await call(client, name, arguments, saved)


async def main(mode, server):
    async with Client(reach(server), mode=mode, read_timeout_seconds=60) as client:
        tools = (await client.list_tools()).tools
        assert {t.name for t in tools} == set(BENCH["calls"]), "the tools listed are not those called"
        await call_all(client)
        for resource in (await client.list_resources()).resources:
            assert (await client.read_resource(resource.uri)).contents, resource.uri
        assert (await client.list_resource_templates()).resource_templates
        assert (await client.list_prompts()).prompts


asyncio.run(main(sys.argv[1], json.load(sys.stdin)))
