"""Behind a server with HTTPS, as docs/serving.md sets one up, and the names and addresses that are then told."""

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.test_utils import make_mocked_request
from aiohttp.web import HTTPForbidden, Request
from multidict import CIMultiDict

from oasis.server.names import Names, checked_public_url, counted_address
from tactics.errors import InputError
from tests.optional import missing
from tests.server.serving import Served, Visitor, free_port, pretending

NAME = "classroom.example"
NO_URLS = ("classroom.example", "ftp://a.example", "https://", "https://a@b.example", "https://a:x", "https://[", "//a")
PAGE = Path(__file__).parents[2] / "docs" / "serving.md"


def example(language: str) -> str:
    """Return the one example in this language on the page."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(), re.DOTALL)
    return str(found)


# Names


def asking(host: str, **headers: str) -> Request:
    """Return a request to a name or address."""
    return make_mocked_request("GET", "/", {"Host": host, **headers})


@pytest.mark.parametrize(
    ("options", "ours", "foreign"),
    [
        ({}, ["127.0.0.1:8000", "LOCALHOST.:8000", "[::1]:8000"], ["192.0.2.7", "[2001:db8::1]", f"localhost.{NAME}"]),
        ({"host": "0.0.0.0"}, ["192.0.2.7:8000", "[2001:db8::7]", "127.0.0.1", socket.gethostname()], [NAME]),
        ({"host": "0.0.0.0", "allowed": [NAME]}, ["Classroom.Example"], ["elsewhere.example"]),
        ({"public_url": "https://classroom.example/"}, [NAME, "127.0.0.1:8000"], ["elsewhere.example"]),
    ],
)
def test_a_server_answers_to_its_own_names_alone(options: dict[str, Any], ours: list[str], foreign: list[str]) -> None:
    names = Names(**{"host": "127.0.0.1", **options})
    for host in ours:
        names.check(asking(host))
    for host in foreign:
        with pytest.raises(HTTPForbidden):
            names.check(asking(host))


def test_a_page_has_come_from_where_it_says_and_over_https_where_that_is_so() -> None:
    names = Names("127.0.0.1", "https://classroom.example")
    names.check(asking(NAME, Origin="https://classroom.example"))
    for origin in ("http://classroom.example:80", "https://classroom.example.evil.example", "null", ""):
        with pytest.raises(HTTPForbidden):
            names.check(asking(NAME, Origin=origin))
    assert names.is_secure(asking(NAME)) and not names.is_secure(asking("127.0.0.1:8000"))
    with pytest.raises(HTTPForbidden):
        Names("127.0.0.1").check(asking("127.0.0.1", Origin=""))


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("https://classroom.example/", "https://classroom.example"),
        ("https://Classroom.Example:443", "https://classroom.example"),
        ("http://192.0.2.7:8080", "http://192.0.2.7:8080"),
        ("https://[2001:db8::7]", "https://[2001:db8::7]"),
    ],
)
def test_a_public_address_is_told_as_browsers_tell_it(given: str, told: str) -> None:
    assert checked_public_url(given) == told


@pytest.mark.parametrize(
    ("given", "said"),
    [
        *(
            (given, f"--public-url is an address such as https://classroom.example, not {given!r}.")
            for given in NO_URLS
        ),
        ("https://a.example/oasis", "--public-url has nothing behind the name and port: https://a.example, not "),
    ],
)
def test_what_is_no_public_address_or_name_is_refused_in_words(given: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        Names("127.0.0.1", given)
    assert str(refused.value).startswith(said)
    with pytest.raises(InputError, match=r"is a name such as classroom\.example, not 'https://"):
        Names("127.0.0.1", "", ["https://a.example"])


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", "unknown"),
        ("x" * 5000, "unknown"),
    ],
)
def test_an_address_is_counted_with_all_that_its_owner_has(peer: str, counted: str) -> None:
    assert counted_address(peer) == counted


def test_of_several_lines_that_tell_an_address_the_last_one_is_believed() -> None:
    told = CIMultiDict([("Host", NAME), ("X-Forwarded-For", "192.0.2.1"), ("X-Forwarded-For", "192.0.2.2, 192.0.2.3")])
    request = make_mocked_request("GET", "/", told).clone(remote="127.0.0.1")
    assert Names("127.0.0.1", f"https://{NAME}").address(request) == "192.0.2.3"


@pytest.mark.slow
async def test_without_a_public_address_nobody_speaks_for_another(server: Served) -> None:
    async with Visitor(server, 7, **{"X-Forwarded-For": "192.0.2.99"}) as eve:
        await eve.knock()
        assert (await (await eve.tab()).wait_for("from")).endswith("from 127.0.0.7")


# With nginx and Caddy


class _Here(AbstractResolver):
    """Finds every name on this machine."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        found = {"hostname": host, "host": "127.0.0.1", "port": port, "family": family, "proto": 0, "flags": 0}
        return [ResolveResult(**found)]  # type: ignore[typeddict-item]

    async def close(self) -> None:
        pass


class Guest(Visitor):
    """A visitor who comes over HTTPS."""

    def __init__(self, url: str, certificate: Path, number: int, **headers: str) -> None:
        context = ssl.create_default_context(cafile=str(certificate))
        self._comes(url, number, headers, ssl=context, resolver=_Here())


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A certificate, and beside it its key."""
    openssl = shutil.which("openssl") or missing("there is no openssl; on Debian apt-get install openssl")
    path = tmp_path / "classroom.pem"
    asked = f"req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN={NAME}"
    names = f"subjectAltName=DNS:{NAME},DNS:elsewhere.example"
    files = ["-keyout", str(path.with_suffix(".key")), "-out", str(path)]
    subprocess.run([openssl, *asked.split(), "-addext", names, *files], check=True, capture_output=True)
    return path


@contextmanager
def nginx(folder: Path, port: int, behind: int) -> Iterator[None]:
    """Run nginx as the page sets it up."""
    found = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    command = found or missing("there is no nginx; on Debian apt-get install nginx-light")
    site = example("nginx").replace("443 ssl", f"127.0.0.1:{port} ssl").replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    temporary = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{}}\n"
        f"http {{ access_log off; {temporary} {site.replace('/etc/ssl/', f'{folder}/')} }}\n"
    )
    with _running([command, "-e", f"{folder}/error.log", "-p", str(folder), "-c", str(folder / "nginx.conf")], port):
        yield


@contextmanager
def caddy(folder: Path, port: int, behind: int) -> Iterator[None]:
    """Run Caddy as the page sets it up, with a certificate that is there already."""
    command = shutil.which("caddy") or missing("there is no Caddy; on Debian apt-get install caddy")
    site = example("caddy").replace(NAME, f"https://{NAME}:{port}").replace("127.0.0.1:8000", f"127.0.0.1:{behind}")
    own = f"{{\n    tls {folder}/classroom.pem {folder}/classroom.key\n    bind 127.0.0.1"
    options = f"{{\n    admin off\n    auto_https off\n    storage file_system {folder}/caddy\n}}\n"
    (folder / "Caddyfile").write_text(options + site.replace("{", own, 1))
    with _running([command, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"], port):
        yield


@contextmanager
def _running(command: list[str], port: int) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        for _ in range(200):
            with socket.socket() as client:
                client.settimeout(0.1)
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
            assert process.poll() is None, process.communicate()[1].decode()
        yield
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.mark.slow
@pytest.mark.parametrize("proxy", [nginx, caddy])
async def test_a_class_behind_a_proxy_of_the_page_is_as_without(tmp_path: Path, certificate: Path, proxy: Any) -> None:
    port = free_port()
    url = f"https://{NAME}:{port}"
    with pretending(tmp_path, public_url=url) as server, proxy(tmp_path, port, server.port):
        assert any(f"is open at {url}, by way of {server.url};" in line for line in server.said)
        async with Guest(url, certificate, 7, Origin=url) as ada:
            status, text = await ada.get("/")
            assert status == 200 and "Type the code" in text
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await ada.tab()
            await ada.knock()
            assert all(cookie["secure"] for cookie in ada.session.cookie_jar)
            tab = await ada.tab()
            assert (await tab.wait_for("from")).endswith("from 127.0.0.7")
            await tab.type("hello", shows="hello")
            server.children()[0].kill()
            assert "has stopped" in await tab.ended(10)
        async with Guest(url, certificate, 8, **{"X-Forwarded-For": "192.0.2.99"}) as eve:
            await eve.get("/")
            assert [(await eve.knock("wrong-code"))[0] for _ in range(4)] == [403, 403, 403, 429]
        async with Guest(url, certificate, 9) as bob:
            assert (await bob.knock())[0] == 303
        async with Guest(f"https://elsewhere.example:{port}", certificate, 9) as mallory:
            with suppress(aiohttp.ClientError):
                status, text = await mallory.get("/")
                assert status != 200 or "classroom" not in text
