"""Takes the network away from this process and from those that it starts, except for this machine.

It needs Linux; where the system does not permit it, nothing changes.
"""

import ctypes
import fcntl
import os
import socket
import struct

NEW_NETWORK = 0x40000000  # CLONE_NEWNET of <linux/sched.h>
NEW_USER = 0x10000000  # CLONE_NEWUSER: what a process without root needs beside
SET_FLAGS = 0x8914  # SIOCSIFFLAGS of <linux/sockios.h>
UP = 0x1  # IFF_UP


def leave_network() -> bool:
    """Move to a network namespace that has the loopback interface alone; return whether it worked.

    The process must have one thread, since a namespace is that of the calling thread.
    """
    flags = NEW_NETWORK if os.geteuid() == 0 else NEW_NETWORK | NEW_USER
    try:
        if ctypes.CDLL(None, use_errno=True).unshare(flags):
            return False
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
            fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sh14x", b"lo", UP))
    except (OSError, AttributeError):
        return False
    return True
