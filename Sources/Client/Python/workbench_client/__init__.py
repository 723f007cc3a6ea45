"""Workbench from Python: every command as a function, in scripts, notebooks and asyncio.

    from workbench_client import Workbench

    with Workbench() as wb:
        print(wb.molecules.info("4hhb").atoms)
        wb.molecules.render("4hhb", size=(800, 600)).save("4hhb.png")

Python 3.9 or newer and the standard library are all it needs; `to_pandas()` and `to_numpy()` need pandas and numpy. In
a notebook, `%load_ext workbench_client` adds `%wb` and `%%wb`. `Documentation/Scripting.md` has more.
"""
from ._asynchronous import AsyncStream, AsyncSubscription, AsyncWorkbench
from ._client import Handle, Notification, Stream, Subscription, Workbench
from ._errors import Canceled, ServerEnded, WorkbenchError, WorkbenchWarning
from ._values import Array, Column, Picture, Quantity, Record, Records, Table

__all__ = [
    "Array", "AsyncStream", "AsyncSubscription", "AsyncWorkbench", "Canceled", "Column", "Handle", "Notification",
    "Picture", "Quantity", "Record", "Records", "ServerEnded", "Stream", "Subscription", "Table", "Workbench",
    "WorkbenchError", "WorkbenchWarning",
]


def load_ipython_extension(shell):
    """Adds the magics `%wb` and `%%wb`."""
    from . import _magics
    _magics.load(shell)


def unload_ipython_extension(shell):
    """Ends the Workbench of the magics."""
    from . import _magics
    _magics.unload()
