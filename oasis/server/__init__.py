"""The classroom in browsers: a server that starts one process a tab, and starts none before the class code was typed.

The pages, the code of the class, who may connect and how much, and the children are here; what a child draws is the
application's (`oasis tui --served`), which is started as a command and never imported.

textual-serve brings the terminal for the page (`textual.js`, its style and font) and the protocol that it and Textual's
web driver speak; both are kept. Its server is not used, because these things are decided inside of its handlers, where
nothing can be put in from outside:

- it starts a process for whoever opens a web socket, of any size that is asked for, and any number of them;
- it takes messages of 4 MB at any rate and hands on any resize;
- it waits for a process that was asked to quit for as long as that takes, and does not close the web socket of one that
  has died;
- a download is given to anybody who knows its key, and the folder of static files shows an index;
- being asked to end, it waits a minute for its connections.

Bounded here: connections, requests, messages, sizes, children in all and for an address, the memory of each child, the
time for signing in, and the time that a child has after its tab is gone (`limits`).
"""

from tactics.errors import LibraryMissing, install_command

try:
    import aiohttp  # noqa: F401
    import psutil  # noqa: F401
    import textual_serve  # noqa: F401
except ImportError:
    raise LibraryMissing(
        f"Serving the classroom in browsers needs aiohttp, psutil and textual-serve: {install_command('web')}"
    ) from None
