"""Files that are dropped onto the page: a script that hands them to the upload button.

viser has no drag and drop. The script takes the first file of a drop, gives it a type of its own,
and puts it into the button's input, so that it goes the way of any other upload, with the same
limits; by its type the server knows that it was dropped, and builds at once.
"""

from __future__ import annotations

DROP_TYPE = "application/x-walkmesh-drop"
"""The media type of a file that was dropped."""

# The input is there once its tab was open; a script opens tabs by keys, since clicks do not count.
# React listens to events that bubble.
_SCRIPT = """
(() => {
  const hasFiles = (event) => event.dataTransfer && event.dataTransfer.types.includes("Files");
  const input = () => document.querySelector('input[type="file"]');
  const tabs = () => [...document.querySelectorAll('[role="tab"]')];
  const open = (tab) =>
    tab && tab.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  const send = (file, tries, back) => {
    const target = input();
    if (target === null) {
      if (tries > 0) setTimeout(() => send(file, tries - 1, back), 100);
      return;
    }
    const files = new DataTransfer();
    files.items.add(new File([file], file.name, { type: "DROP_TYPE" }));
    target.files = files.files;
    target.dispatchEvent(new Event("change", { bubbles: true }));
    open(back);
  };
  window.addEventListener("dragover", (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const file = event.dataTransfer.files[0];
    if (!file) return;
    let back = null;
    if (input() === null) {
      back = tabs().find((tab) => tab.getAttribute("aria-selected") === "true");
      open(tabs().find((tab) => tab.textContent === "File"));
    }
    send(file, 50, back);
  });
})();
""".replace("DROP_TYPE", DROP_TYPE)

_HEAD_END = b"</head>"


def with_drops(page: bytes) -> bytes:
    """Return a page that takes dropped files; what is no page stays as it is."""
    script = b"<script>" + _SCRIPT.encode() + b"</script>"
    return page.replace(_HEAD_END, script + _HEAD_END, 1)
