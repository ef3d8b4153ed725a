"""The server of the page: who may connect, and what they may send."""

import asyncio
import dataclasses
import socket
import sys
import threading
import urllib.error
import urllib.request

import pytest
import viser
import websockets.asyncio.server
from viser import _messages

import walkmesh as wm
from walkmesh.viewer.page.server import Gate, forget_upload


@pytest.fixture
def viewer():
    with wm.view(wm.samples.floor(), port=0, open_browser=False) as found:
        yield found


def connect(viewer, origin, messages=()):
    """Connect as a page of some origin would, send messages, and return what was answered."""

    async def run():
        address = viewer.url.replace("http://", "ws://")
        protocol = f"viser-v{viser.__version__}"
        async with websockets.connect(
            address, origin=origin, subprotocols=[protocol], max_size=None
        ) as socket:
            for message in messages:
                await socket.send(message.serialize() if hasattr(message, "serialize") else message)
            return await asyncio.wait_for(socket.recv(), 10.0)

    return asyncio.run(run())


def test_it_listens_on_the_loopback_address_only(viewer):
    port = int(viewer.url.rpartition(":")[2])
    assert viewer.url == f"http://127.0.0.1:{port}"
    with urllib.request.urlopen(viewer.url) as answer:
        assert answer.status == 200
        assert b"<title>walkmesh</title>" in answer.read()
    # Another address of this machine can be listened on, so the server does not.
    with socket.socket() as other:
        other.bind(("127.0.0.3", port))
        other.listen()


@pytest.mark.parametrize("path", ["/../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/nothing"])
def test_it_serves_no_other_files(viewer, path):
    with pytest.raises(urllib.error.HTTPError) as error:
        urllib.request.urlopen(viewer.url + path)
    with error.value:
        assert error.value.code == 404


@pytest.mark.parametrize(
    "origin",
    [
        "https://example.com", "http://127.0.0.1.example.com", "http://localhost:1", "null", None,
        "http://127.0.0.1:99999", "file://", "http://[::1", "",
    ],
)  # fmt: skip
def test_pages_of_other_origins_cannot_connect(viewer, origin):
    with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
        connect(viewer, origin)


def test_its_own_page_can_connect(viewer):
    assert len(connect(viewer, viewer.url)) > 100


@pytest.mark.parametrize("host", ["127.0.0.2", "localhost", "::1", "0.0.0.0"])
def test_its_own_page_can_connect_wherever_it_is(host):
    with wm.view(host=host, port=0, open_browser=False) as viewer:
        assert len(connect(viewer, viewer.url)) > 100
        with pytest.raises(websockets.exceptions.InvalidStatus, match="403"):
            connect(viewer, "http://example.com")


@pytest.mark.parametrize(
    ("host", "origin", "expected"),
    [
        ("localhost:8080", "http://localhost:8080", True),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("[::1]:8080", "http://[::1]:8080", True),
        ("127.0.0.1:8080", "http://localhost:8080", False),
        ("127.0.0.1:8080", "http://127.0.0.1:8081", False),
        # A name that someone made to mean this machine.
        ("evil.example:8080", "http://evil.example:8080", False),
        ("LOCALHOST:8080", "http://localhost:8080", True),
        ("VM:8080", "http://vm:8080", True),
        ("x@127.0.0.1:8080", "http://x@127.0.0.1:8080", False),
        ("127.0.0.1:8080", "http://evil.example\\@127.0.0.1:8080", False),
        ("[::1:8080", "http://[::1:8080", False),
        ("", "http://", False),
        ("", "", False),
    ],
)
def test_whose_page_it_is(host, origin, expected):
    gate = Gate("VM", "127.0.0.1")
    assert gate.is_own([host], [origin]) is expected
    assert not gate.is_own([], [origin])
    assert not gate.is_own([host], [])
    assert not gate.is_own([host, host], [origin])
    assert not gate.is_own([host], [origin, origin])


def test_in_a_network_it_may_have_any_name():
    gate = Gate("0.0.0.0", "0.0.0.0")
    assert gate.is_own(["plans.example:8080"], ["http://plans.example:8080"])
    assert not gate.is_own(["plans.example:8080"], ["http://evil.example:8080"])
    assert not gate.is_own([""], [""])


def test_an_old_address_in_new_clothes_is_refused():
    # viser would wait for it forever.
    with pytest.raises(wm.SettingsError, match="cannot listen on ::ffff:127"):
        wm.view(host="::ffff:127.0.0.1", port=0, open_browser=False)


def test_other_servers_are_as_they_were(viewer):
    from websockets.asyncio import server

    assert server.serve.__module__ == "websockets.asyncio.server"


def test_there_is_no_tunnel_to_the_world(viewer):
    tunnel = {_messages.ShareUrlRequest, _messages.ShareUrlDisconnect}
    plain = viser.ViserServer(host="127.0.0.1", port=0, verbose=False)
    try:
        usual = set(plain._websock_server._incoming_handlers)
        assert set(viewer._server._websock_server._incoming_handlers) == usual - tunnel
        assert tunnel <= usual  # they are still called that
    finally:
        plain.stop()


def test_servers_can_be_started_at_once(capsys):
    def start_and_stop():
        wm.view(port=0, open_browser=False).close()

    threads = [threading.Thread(target=start_and_stop) for _ in range(6)]
    before = sys.stdout
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.stdout is before
    assert websockets.asyncio.server.serve.__module__ == "websockets.asyncio.server"
    print("heard")
    assert capsys.readouterr().out == "heard\n"


class Uploads:
    """Sends parts of files to the handlers of a server, as a page does."""

    def __init__(self, viewer):
        self.server = viewer._server
        self.states = self.server.gui._current_file_upload_states
        self.button = next(
            uuid
            for uuid, handle in self.server.gui._gui_input_handle_from_uuid.items()
            if isinstance(handle, viser.GuiUploadButtonHandle)
        )

    def send(self, message):
        (handler,) = self.server._websock_server._incoming_handlers[type(message)]
        handler(0, message)

    def start(self, name, size, parts, transfer="t"):
        self.send(
            _messages.FileTransferStartUpload(
                source_component_uuid=self.button, transfer_uuid=transfer, filename=name,
                mime_type="", part_count=parts, size_bytes=size,
            )
        )  # fmt: skip

    def part(self, index, content, transfer="t"):
        self.send(_messages.FileTransferPart(self.button, transfer, index, content))


def test_uploads_are_limited_before_they_are_received():
    with wm.view(port=0, open_browser=False, max_upload=1000) as viewer:
        uploads = Uploads(viewer)
        uploads.start("large.obj", 1001, 1)
        assert uploads.states == {}
        assert "large.obj has" in viewer.page.panel._error.content
        uploads.start("negative.obj", -1, 1)
        assert uploads.states == {}
        uploads.start("fits.obj", 600, 2)
        assert len(uploads.states) == 1
        # Two at once are not allowed what one alone is not.
        uploads.start("too.obj", 600, 1, "u")
        assert list(uploads.states) == ["t"]
        # Whoever sends more than was announced is cut off.
        uploads.part(0, b"x" * 601)
        assert uploads.states == {}
        uploads.part(1, b"x")
        assert uploads.states == {}


def test_an_upload_is_opened():
    content = b"v 0 0 0\nv 0 0 4\nv 4 0 4\nv 4 0 0\nf 1 2 3 4\n"
    with wm.view(port=0, open_browser=False) as viewer:
        page = viewer.page
        page.open_upload("../plate.obj", content)
        assert page.wait(30.0)
        assert len(page.document.scene.faces) == 2
        assert page.document.name == "plate"


def test_settings_are_those_of_the_navmesh_unless_others_are_given(tmp_path):
    method = wm.Voxel(cell_size=0.2, partition="slices")
    navmesh = wm.build(wm.samples.floor(), wm.Agent(radius=0.5), method)
    for given, expected in (
        ({}, (wm.Agent(radius=0.5), method)),
        ({"agent": wm.Agent(height=2.0)}, (wm.Agent(height=2.0), method)),
        ({"method": wm.Exact(stair_slope=30)}, (wm.Agent(radius=0.5), wm.Exact(stair_slope=30))),
    ):
        with wm.view(navmesh, port=0, open_browser=False, **given) as viewer:
            assert viewer.page.panel.build.read() == expected
    # The same when it is opened on the page.
    navmesh.save(tmp_path / "floor.walkmesh")
    with wm.view(port=0, open_browser=False) as viewer:
        assert viewer.page.panel.build.read() == (wm.Agent(), wm.Exact())
        viewer.page.open_upload("floor.walkmesh", (tmp_path / "floor.walkmesh").read_bytes())
        assert viewer.page.wait(60.0)
        assert viewer.page.panel.build.read() == (wm.Agent(radius=0.5), method)


def test_a_navmesh_with_impossible_settings_is_shown():
    navmesh = wm.build(wm.samples.floor())
    report = dataclasses.replace(
        navmesh.report, settings={**navmesh.report.settings, "stair_slope": 500.0}
    )
    odd = wm.NavMesh(
        navmesh.vertices, navmesh.polygon_offsets, navmesh.polygon_vertices, report=report
    )
    with wm.view(odd, port=0, open_browser=False) as viewer:
        assert viewer.page.panel.build.read()[1] == wm.Exact()


def test_the_bytes_of_an_upload_are_not_kept():
    with wm.view(port=0, open_browser=False) as viewer:
        uploads = Uploads(viewer)
        button = viewer._server.gui._gui_input_handle_from_uuid[uploads.button]
        button._impl.value = viser.UploadedFile("x.obj", b"x" * 1000)
        forget_upload(button)
        assert button.value.content == b""


def test_a_taken_port_is_told(viewer):
    port = int(viewer.url.rpartition(":")[2])
    with pytest.raises(wm.SettingsError, match=rf"cannot listen on 127\.0\.0\.1, port {port}: "):
        wm.view(port=port, open_browser=False)


def test_without_a_port_the_next_free_one_is_taken():
    with (
        wm.view(open_browser=False) as first,
        wm.view(open_browser=False) as second,
    ):
        ports = [int(v.url.rpartition(":")[2]) for v in (first, second)]
        assert 8080 <= ports[0] < ports[1] < 8180


@pytest.mark.parametrize("host", ["no.such.host.invalid", "192.0.2.1", "", "a" * 300, "\0"])
def test_an_address_that_is_none_is_told(host):
    with pytest.raises(wm.SettingsError, match="cannot listen on"):
        wm.view(host=host, port=0, open_browser=False)


@pytest.mark.parametrize(
    "settings",
    [
        {"port": -1}, {"port": 70_000}, {"port": True}, {"port": "8080"}, {"port": 80.5},
        {"host": None}, {"host": 5}, {"max_upload": -1}, {"max_upload": 1.5},
        {"agent": "me"}, {"method": "exact"}, {"scene": 3}, {"shown": "house.obj"},
        {"shown": wm.samples.floor(), "scene": wm.samples.floor()},
        {"shown": wm.build(wm.samples.floor()), "scene": wm.samples.floor(up="z")},
    ],
)  # fmt: skip
def test_impossible_settings_are_told(settings):
    with pytest.raises(wm.SettingsError, match=f"{list(settings)[-1]}|up is"):
        wm.view(**{"port": 0, **settings}, open_browser=False)


def test_closing_frees_the_port():
    viewer = wm.view(port=0, open_browser=False)
    port = int(viewer.url.rpartition(":")[2])
    viewer.close()
    viewer.close()
    with wm.view(port=port, open_browser=False) as again:
        assert again.url == viewer.url


def test_nothing_is_printed(capfd):
    wm.view(port=0, open_browser=False).close()
    assert capfd.readouterr() == ("", "")
