"""The server of the page: viser's, with less of the world let in.

viser listens on all addresses, lets any site in the browser connect, offers a tunnel to a public
server, and takes uploads of any size. A viewer of someone's building plans does none of this. What
viser has no settings for is set here, in one place, through names that it does not promise to keep;
`tests/test_page_server.py` tells when they are gone.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import io
import ipaddress
import re
import socket
from typing import TYPE_CHECKING, Any

from walkmesh.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from viser import ViserServer

FIRST_PORT = 8080
_PORTS = 100

# Pages of this machine alone may connect, whatever other sites the browser has open.
_OWN_PAGES = re.compile(r"http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?")


def start_server(
    host: str, port: int | None, max_upload: int, refuse: Callable[[str, int], None]
) -> ViserServer:
    """Start the server.

    Parameters
    ----------
    host : str
        The address to listen on. Only if it is not one of this machine alone can other machines
        connect, and then anyone there can.
    port : int or None
        0 for any that is free, None for the first free one from :data:`FIRST_PORT` on.
    max_upload : int
        The most that may be uploaded at once. [Unit: bytes]
    refuse : callable
        Called with the name and the size of a file that is too large.

    Raises
    ------
    SettingsError
        When there is no such address or port, or it is taken.
    """
    import viser

    free = _free_port(host, port)
    with _own_pages_only() if is_loopback(host) else contextlib.nullcontext(), quiet():
        server = viser.ViserServer(host=host, port=free, verbose=False)
    _without_tunnel(server)
    _limit_uploads(server, max_upload, refuse)
    return server


def stop_server(server: ViserServer) -> None:
    """Stop the server; pages that are open say that they lost it."""
    with quiet():
        server.stop()


def is_loopback(host: str) -> bool:
    """Tell whether an address is one that only this machine can reach."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep what viser prints about itself off standard output, which is for results."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def _free_port(host: str, port: int | None) -> int:
    """Return a port that can be listened on; viser itself would wait forever for an address."""
    if port is not None and (isinstance(port, bool) or not 0 <= port < 65536):
        raise SettingsError(f"port is {port!r}; it must be a whole number from 0 to 65535")
    tried = range(FIRST_PORT, FIRST_PORT + _PORTS) if port is None else (port,)
    where = host if port is None else f"{host}, port {port}"
    try:
        found = socket.getaddrinfo(host, tried[0], type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        for candidate in tried:
            with socket.socket(family, kind, protocol) as trial:
                # As the server will: a port that was just left is free.
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    trial.bind((address[0], candidate, *address[2:]))
                except OSError as error:
                    taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
                    if not taken or candidate == tried[-1]:
                        raise
                else:
                    return int(trial.getsockname()[1])
    except (OSError, UnicodeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SettingsError(f"cannot listen on {where}: {reason}") from None
    raise AssertionError("the last port either can be had or raises")


@contextlib.contextmanager
def _own_pages_only() -> Iterator[None]:
    """Have servers that are started meanwhile turn pages of other sites away.

    A site could otherwise read, through the browser of someone who visits it, what is shown here.
    """
    from websockets.asyncio import server as websockets

    serve = websockets.serve
    websockets.serve = functools.partial(serve, origins=[_OWN_PAGES])  # type: ignore[misc, assignment]
    try:
        yield
    finally:
        websockets.serve = serve  # type: ignore[misc]


def _without_tunnel(server: ViserServer) -> None:
    """Take away viser's offer to make the page public; its button goes with the theme."""
    from viser import _messages

    for kind in (_messages.ShareUrlRequest, _messages.ShareUrlDisconnect):
        server._websock_server.unregister_handler(kind)


def _limit_uploads(server: ViserServer, most: int, refuse: Callable[[str, int], None]) -> None:
    """Refuse files, and more of a file than was announced, beyond what may be kept in memory."""
    from viser import _messages

    gui, connection = server.gui, server._websock_server
    under_way = gui._current_file_upload_states

    def start(client_id: Any, message: _messages.FileTransferStartUpload) -> None:
        waiting = sum(transfer["total_bytes"] for transfer in under_way.values())
        if 0 <= message.size_bytes <= most - waiting:
            gui._handle_file_transfer_start(client_id, message)
            return
        # The browser waits for the last part to be acknowledged before it lets one try again.
        connection.queue_message(
            _messages.FileTransferPartAck(
                source_component_uuid=message.source_component_uuid,
                transfer_uuid=message.transfer_uuid,
                transferred_bytes=message.size_bytes,
                total_bytes=message.size_bytes,
            )
        )
        refuse(message.filename, message.size_bytes)

    def part(client_id: Any, message: _messages.FileTransferPart) -> None:
        transfer = under_way.get(message.transfer_uuid)
        if transfer is None:
            return
        if transfer["transferred_bytes"] + len(message.content) > transfer["total_bytes"]:
            del under_way[message.transfer_uuid]
            return
        gui._handle_file_transfer_part(client_id, message)

    for kind, handler in (
        (_messages.FileTransferStartUpload, start),
        (_messages.FileTransferPart, part),
    ):
        connection.unregister_handler(kind)
        connection.register_handler(kind, handler)  # type: ignore[arg-type]
