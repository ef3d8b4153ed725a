"""The server of the page: viser's, with less of the world let in.

viser listens on all addresses, lets any site in the browser connect, offers a tunnel to a public
server, and takes uploads of any size. A viewer of someone's building plans does none of this. What
viser has no settings for is set here, in one place, through names that it does not promise to keep;
`tests/viewer/page/test_server.py` tells when they are gone.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import socket
import threading
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from walkmesh.arguments import read_count
from walkmesh.errors import SettingsError
from walkmesh.viewer.page.drop import DROP_TYPE, with_drops

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from viser import ViserServer

_TITLE = b"<title>Viser</title>"

FIRST_PORT = 8080
_PORTS = 100

# One server is started or stopped at a time: what viser has no settings for is changed meanwhile.
_lock = threading.Lock()


def start_server(
    host: str, port: int | None, max_upload: int, refuse: Callable[[str, int], None]
) -> ViserServer:
    """Start the server; SettingsError if its address cannot be listened on.

    Only if `host` is not an address of this machine alone can other machines connect, and then
    anyone there can. The port 0 is any that is free, None the first free one from
    :data:`FIRST_PORT` on. Of a file that is larger than `max_upload` bytes, `refuse` is told the
    name and the size.
    """
    import rich
    import viser
    from websockets.asyncio import server as websockets

    with _lock:
        address, free = _free_address(host, port)
        serve = Gate(host, address).serve
        with _replaced(websockets, "serve", serve), _replaced(rich, "print", _say_nothing):
            server = viser.ViserServer(host=address, port=free, verbose=False)
    _without_tunnel(server)
    _limit_uploads(server, max_upload, refuse)
    return server


def stop_server(server: ViserServer) -> None:
    """Stop the server; pages that are open say that they lost it."""
    import rich

    with _lock, _replaced(rich, "print", _say_nothing):
        server.stop()


def forget_upload(button: Any) -> None:
    """Free the memory of the last file that was sent by an upload button."""
    from viser import UploadedFile

    button._impl.value = UploadedFile("", b"")


def was_dropped(gui: Any, name: str) -> bool:
    """Tell whether the file of a name that was just sent had been dropped onto the page."""
    dropped: set[str] = gui.walkmesh_dropped
    if name not in dropped:
        return False
    dropped.discard(name)
    return True


@contextlib.contextmanager
def _replaced(module: Any, name: str, value: object) -> Iterator[None]:
    """Have a name of a module mean something else for a while."""
    before = getattr(module, name)
    setattr(module, name, value)
    try:
        yield
    finally:
        setattr(module, name, before)


def _say_nothing(*_: object, **__: object) -> None:
    """Print nothing: standard output is for results, not for what viser says about itself."""


class Gate:
    """Lets pages of this server connect, and no others.

    A site could otherwise read, through the browser of someone who visits it, what is shown here: a
    browser lets any page connect to any server, and tells which page it is. So that must be one of
    this server, under the name that it was asked for by; and on the loopback address, that name
    must be one of this machine, since others can be made to mean any address.

    Parameters
    ----------
    host : str
        The server's address as it was given.
    address : str
        The number that it stands for.
    """

    def __init__(self, host: str, address: str) -> None:
        from websockets.asyncio import server as websockets

        self._serve = websockets.serve
        number = ipaddress.ip_address(address)
        number = getattr(number, "ipv4_mapped", None) or number
        names = {host.lower(), address, "localhost", "127.0.0.1", "::1"}
        self._names = names if number.is_loopback else None

    def serve(self, *arguments: Any, process_request: Any, **options: Any) -> Any:
        """Serve as :func:`websockets.asyncio.server.serve` does, with every request looked at."""

        def looked_at(connection: Any, request: Any) -> Any:
            headers = request.headers
            is_own = self.is_own(headers.get_all("Host"), headers.get_all("Origin"))
            if "Upgrade" in headers and not is_own:
                return connection.respond(HTTPStatus.FORBIDDEN, "not a page of this server\n")
            if "Accept-Encoding" in headers:
                del headers["Accept-Encoding"]  # the answer must be plain to be given its name
            return _named(process_request(connection, request))

        return self._serve(*arguments, process_request=looked_at, **options)

    def is_own(self, hosts: list[str], origins: list[str]) -> bool:
        """Tell whether a page of some origin, which asked for the server by a host, is its own."""
        if len(hosts) != 1 or len(origins) != 1:
            return False
        host, origin = hosts[0].lower(), origins[0].lower()
        if not host or "@" in host or origin not in (f"http://{host}", f"https://{host}"):
            return False
        try:
            return self._names is None or urlsplit(f"//{host}").hostname in self._names
        except ValueError:  # half of a bracket
            return False


def _named(answer: Any) -> Any:
    """Give the page its name, which viser calls its own, and have it take dropped files."""
    if answer is not None and answer.body:
        is_page = _TITLE in answer.body
        answer.body = named_page(answer.body)
        if is_page:
            answer.body = with_drops(answer.body)
        answer.headers.pop("Content-Length", None)
        answer.headers["Content-Length"] = str(len(answer.body))
    return answer


def named_page(content: bytes) -> bytes:
    """Return a page of viser's under our name."""
    return content.replace(_TITLE, b"<title>walkmesh</title>", 1)


def _free_address(host: str, port: int | None) -> tuple[str, int]:
    """Return an address and a port that can be listened on; viser would wait forever for them."""
    if not isinstance(host, str):
        raise SettingsError(f"host is {host!r}; it must be the name or number of an address")
    if port is not None:
        port = read_count("port", port, 0, 65535)
    tried = range(FIRST_PORT, FIRST_PORT + _PORTS) if port is None else (port,)
    where = host if port is None else f"{host}, port {port}"
    try:
        found = socket.getaddrinfo(host, tried[0], type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        for candidate in tried:
            with socket.socket(family, kind, protocol) as trial:
                # As the server will: a port that was just left is free, and an address of the
                # new kind does not stand for one of the old.
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    trial.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                try:
                    trial.bind((address[0], candidate, *address[2:]))
                except OSError as error:
                    taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
                    if not taken or candidate == tried[-1]:
                        raise
                else:
                    return str(address[0]), int(trial.getsockname()[1])
    except (OSError, UnicodeError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise SettingsError(f"cannot listen on {where}: {reason}") from None
    raise AssertionError("the last port either can be had or raises")


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
    dropped: set[str] = set()
    gui.walkmesh_dropped = dropped  # type: ignore[attr-defined]

    def start(client_id: Any, message: _messages.FileTransferStartUpload) -> None:
        waiting = sum(transfer["total_bytes"] for transfer in under_way.values())
        if 0 <= message.size_bytes <= most - waiting:
            if message.mime_type == DROP_TYPE:
                dropped.add(message.filename)
            else:
                dropped.discard(message.filename)
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
