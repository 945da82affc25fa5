"""A server that speaks TLS itself: requests, sockets and the cookie."""

from __future__ import annotations

import json
import ssl
import time
import urllib.request
from datetime import UTC, datetime, timedelta
from http.client import HTTPSConnection
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from websockets.sync.client import connect

from tests.floor.operated import operated

if TYPE_CHECKING:
    from pathlib import Path


def certificate(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for this machine that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "house")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    paths = folder / "cert.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return paths


def test_requests_and_sockets_go_over_tls(tmp_path: Path) -> None:
    paths = certificate(tmp_path)
    variables = {
        "CROUPIER_SERVER__TLS_CERTIFICATE": str(paths[0]),
        "CROUPIER_SERVER__TLS_KEY": str(paths[1]),
    }
    trusted = ssl.create_default_context(cafile=str(paths[0]))
    house = tmp_path / "house"
    with operated(house, "--demo", "--demo-patrons", 0, **variables) as server:
        assert server.url.startswith("https://127.0.0.1:")
        login = {"name": "patron-01", "password": server.password("patron-01")}
        request = urllib.request.Request(  # noqa: S310  # our own server
            f"{server.url}/api/v1/sessions", json.dumps(login).encode(), method="POST"
        )
        with urllib.request.urlopen(request, context=trusted) as answer:  # noqa: S310
            assert "Secure" in answer.headers["set-cookie"]
            token = json.load(answer)["token"]
        where = server.url.replace("https", "wss") + "/api/v1/live"
        headers = {"Authorization": f"Bearer {token}"}
        with connect(where, ssl=trusted, additional_headers=headers) as socket:
            socket.send('{"type": "subscribe", "topic": "table:tiger"}')
            assert json.loads(socket.recv(timeout=10))["type"] == "snapshot"
    said = house.with_name("output.log").read_text(encoding="utf-8")
    assert "without TLS" not in said


def test_an_answer_over_tls_is_told_once(tmp_path: Path) -> None:
    """Whichever way somebody closes who has read it."""
    paths = certificate(tmp_path)
    variables = {
        "CROUPIER_SERVER__TLS_CERTIFICATE": str(paths[0]),
        "CROUPIER_SERVER__TLS_KEY": str(paths[1]),
    }
    trusted = ssl.create_default_context(cafile=str(paths[0]))
    options = ("--demo", "--demo-patrons", 0)
    with operated(tmp_path / "house", *options, **variables) as server:
        where = urlsplit(server.url)
        assert where.hostname is not None
        login = {"name": "patron-01", "password": server.password("patron-01")}
        door = HTTPSConnection(where.hostname, where.port, context=trusted)
        door.request("POST", "/api/v1/sessions", json.dumps(login))
        headers = {"Authorization": f"Bearer {json.load(door.getresponse())['token']}"}
        cash = json.dumps({"command": {"type": "cash_out", "cents": 100}})
        for ends in ("at once", "in order"):
            key = {**headers, "Idempotency-Key": ends.replace(" ", "-")}
            told = []
            for _ in range(2):
                line = HTTPSConnection(where.hostname, where.port, context=trusted)
                line.request("POST", "/api/v1/cage/commands", cash, key)
                told.append("validation" in json.load(line.getresponse()))
                if ends == "in order":
                    line.sock.settimeout(2.0)
                    line.sock.unwrap()
                line.close()
                time.sleep(0.3)
            assert told == [True, False], ends
        door.close()
