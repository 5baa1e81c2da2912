"""A Windows job: a process with all that it starts, ended together."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import contextlib
    import ctypes
    import subprocess
    from ctypes import wintypes

    __all__ = ["Job"]

    _EXTENDED_LIMITS = 9
    _ACCOUNTING = 1
    _KILL_ON_CLOSE = 0x2000

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
            ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
            ("LimitFlags", wintypes.DWORD),
            ("MinimumWorkingSetSize", ctypes.c_size_t),
            ("MaximumWorkingSetSize", ctypes.c_size_t),
            ("ActiveProcessLimit", wintypes.DWORD),
            ("Affinity", ctypes.c_size_t),
            ("PriorityClass", wintypes.DWORD),
            ("SchedulingClass", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("BasicLimitInformation", _BasicLimits),
            ("IoInfo", ctypes.c_ulonglong * 6),
            ("ProcessMemoryLimit", ctypes.c_size_t),
            ("JobMemoryLimit", ctypes.c_size_t),
            ("PeakProcessMemoryUsed", ctypes.c_size_t),
            ("PeakJobMemoryUsed", ctypes.c_size_t),
        )

    class _Accounting(ctypes.Structure):
        _fields_ = (
            ("TotalUserTime", wintypes.LARGE_INTEGER),
            ("TotalKernelTime", wintypes.LARGE_INTEGER),
            ("ThisPeriodTotalUserTime", wintypes.LARGE_INTEGER),
            ("ThisPeriodTotalKernelTime", wintypes.LARGE_INTEGER),
            ("TotalPageFaultCount", wintypes.DWORD),
            ("TotalProcesses", wintypes.DWORD),
            ("ActiveProcesses", wintypes.DWORD),
            ("TotalTerminatedProcesses", wintypes.DWORD),
        )

    def _kernel() -> ctypes.WinDLL:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = (wintypes.LPVOID, wintypes.LPCWSTR)
        kernel.SetInformationJobObject.argtypes = (
            wintypes.HANDLE,
            ctypes.c_int,
            wintypes.LPVOID,
            wintypes.DWORD,
        )
        kernel.QueryInformationJobObject.argtypes = (
            wintypes.HANDLE,
            ctypes.c_int,
            wintypes.LPVOID,
            wintypes.DWORD,
            wintypes.LPVOID,
        )
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        kernel.TerminateJobObject.argtypes = (wintypes.HANDLE, wintypes.UINT)
        kernel.CloseHandle.argtypes = (wintypes.HANDLE,)
        return kernel

    class Job:
        """A job with one process in it, and what that starts. Without jobs, only the process itself is ended."""

        def __init__(self, process: subprocess.Popen[bytes]) -> None:
            self._kernel = _kernel()
            self._job = self._kernel.CreateJobObjectW(None, None)
            limits = _ExtendedLimits()
            limits.BasicLimitInformation.LimitFlags = _KILL_ON_CLOSE
            made = bool(self._job) and bool(
                self._kernel.SetInformationJobObject(
                    self._job, _EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits)
                )
            )
            # Popen keeps the handle of the process, which is what a job takes; its number could be another's by now.
            handle = int(getattr(process, "_handle", 0))
            self._holds = made and bool(self._kernel.AssignProcessToJobObject(self._job, handle))

        def kill(self) -> None:
            """End all of it."""
            if self._job:
                self._kernel.TerminateJobObject(self._job, 1)
                with contextlib.suppress(OSError):
                    self._kernel.CloseHandle(self._job)
                self._job = None

        def has_members(self) -> bool:
            """Whether anything of it still runs."""
            if not self._job or not self._holds:
                return False
            counts = _Accounting()
            self._kernel.QueryInformationJobObject(
                self._job, _ACCOUNTING, ctypes.byref(counts), ctypes.sizeof(counts), None
            )
            return bool(counts.ActiveProcesses)
