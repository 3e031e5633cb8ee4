"""The errors functrans raises, and the user's line they speak of.

Every class is a `FunctransError` and also the builtin a user would catch, so ``except ValueError`` works
as it does with NumPy.  Messages say what was given, what was expected, which argument, and what to do.
"""

from __future__ import annotations

import errno
import functools
import os
import sys
from collections.abc import Sequence
from types import FrameType

import numpy as np

__all__ = [
    "ArgumentError",
    "ArgumentValueError",
    "AxisError",
    "CompileError",
    "CompilerNotFound",
    "ConfigError",
    "ConvergenceError",
    "DtypeError",
    "FunctransError",
    "FunctransWarning",
    "IndexOutOfRange",
    "IntegerOutOfRange",
    "LeakedValueError",
    "LinAlgError",
    "NanError",
    "OutOfMemory",
    "ShapeError",
    "SparsityError",
    "SpecError",
    "TracedValueError",
    "UnsupportedError",
    "WeightsError",
    "at_line",
    "at_user_line",
    "refuse_descriptors",
    "text_of",
    "user_frame",
]


class FunctransWarning(UserWarning):
    """Something works less well than it could; the result is right all the same.

    Raised once a process for each cause: no compiler (the NumPy interpreter answers), no usable cache
    directory (a private temporary one is used), or a line of a Python loop that was traced more than 2000
    times (``ft.scan`` would be one loop).  Turn it off with ``warnings.filterwarnings("ignore",
    category=FunctransWarning)`` once you know why it is there.
    """


class FunctransError(Exception):
    """The base of every error functrans raises on purpose.

    Catch it to tell a refusal of functrans from any other failure.  An exception that is not one of these
    and comes out of functrans is a defect of functrans.  ``message`` is the text alone, without the line that says
    where more stands.
    """

    @property
    def message(self) -> str:
        """What was given, expected, and what to do."""
        return super().__str__()

    def __str__(self) -> str:
        known = next(kind for kind in type(self).__mro__ if kind.__module__ == __name__)
        return f"{self.message}\n  see: python -m functrans error {known.__name__}"


class ShapeError(FunctransError, ValueError):
    """Shapes, or the sizes of mapped axes, do not fit together.

    What: operands that do not broadcast, a reshape that changes the size, a vmap whose arguments have
    different extents, a tangent of another shape than its primal.
    Why: compiled loops have one extent; a mismatch would read past the end of a buffer.
    Fix: print ``x.shape`` at the line in the message; for vmap, check ``in_axes``.
    """


class WeightsError(ShapeError, RuntimeError):
    """Weights that are not one for each observation.

    What: ``fweights`` or ``aweights`` of ``np.cov`` that have another length than the observations, or two axes.
    Why: NumPy raises RuntimeError here, and code that catches it works on Tensors as well.
    Fix: give one weight for each column of the variables, with ``rowvar=False`` for each row.
    """


class AxisError(FunctransError, np.exceptions.AxisError):
    """An axis number lies outside the rank of the array, or is given twice.

    What: ``in_axes=5`` for an array of rank 2, ``x.sum(axis=3)`` for rank 3.
    Why: inside a vmap the mapped axis is not part of the shape, so an axis counts one less than outside.
    Fix: use an axis from ``-x.ndim`` to ``x.ndim - 1`` of the array the function sees.
    """

    def __reduce__(self) -> tuple[type[AxisError], tuple[str]]:
        """Pickled by its text, also where a library has rules of its own for exceptions."""
        return type(self), (self.message,)


class DtypeError(FunctransError, TypeError):
    """A dtype that is not supported, or not where it was given.

    What: object, string, datetime or long double arrays; a complex argument to a real function; a tangent
    of another dtype than its primal; the derivative of an integer output.
    Why: generated C has fixed-width numbers only, and silent casts lose digits.
    Fix: convert first, for example ``x.astype(np.float64)``.
    """


class IntegerOutOfRange(DtypeError, OverflowError):
    """A Python integer does not fit the integer dtype that it gives way to.

    What: ``u + 300`` for an array of dtype uint8, ``np.full(3, -1, np.uint32)``, ``np.where(c, 300, u)``.
    Why: to wrap it would give a wrong number; NumPy raises OverflowError, and where it wraps this raises too.
    Fix: convert the array to a wider dtype first, or write the wrapped number, ``np.uint8(300 % 256)``.
    """


class TracedValueError(FunctransError, TypeError):
    """A value was read whose number is not known yet.

    What: ``if x > 0``, ``float(x)``, ``np.asarray(x)`` or a traced boolean mask in a transformed function.
    Why: the function runs once on placeholders to record its operations; there is no number to read.
    Fix: ``fnp.where(x > 0, a, b)`` for branches, a fixed number of rounds for loops, and keep
    values as Tensors until the function has returned.
    """


class LeakedValueError(FunctransError, RuntimeError):
    """A traced value was used after the trace that made it had ended.

    What: a function under a transform stored a Tensor in a global, a list or an attribute, which was
    used later.
    Why: the placeholder's graph belongs to one trace; outside it there is nothing to compute it from.
    Fix: return the value from the function instead of storing it.
    """


class ConvergenceError(FunctransError, RuntimeError):
    """An iteration that ended without a solution.

    What: `functrans.implicit.root` or `fixed_point` did not meet its tolerance, with the batch index where there are
    many; or the solver of a quadratic subproblem of an `nlp` found no minimum.
    Why: the last iterate is no solution, and its derivatives are none either.
    Fix: begin nearer to the solution (``x0``), raise ``maxiter`` or ``tol``; with ``on_failure="nan"`` such a lane is
    NaN, and ``full_output=True`` says how many iterations it took and what the residual was. A subproblem that is not
    convex is with ``damping``.
    """


class LinAlgError(FunctransError, np.linalg.LinAlgError):
    """A matrix that LAPACK refuses.

    What: a singular matrix in ``solve`` or ``inv``, one that is not positive definite in ``cholesky``, with its
    batch index where there are many; an array that is no matrix, or is not square.
    Why: NumPy raises here, and so does functrans; a lane of NaN would go unnoticed.
    Fix: regularize the matrix (``a + eps * fnp.eye(n)``), also in branches whose result is not taken.
    """


class SpecError(FunctransError, ValueError):
    """A graph node breaks the rules of its stage.

    What: a hand-built UOp with a wrong number of sources, a VMAPIN varg of the wrong length, or a pass
    that left a node that its stage does not know.
    Why: every later stage relies on the rules, and would give wrong numbers without them.
    Fix: compare the node in the message with the UOp reference; if you did not build it, report a defect.
    """


class SparsityError(FunctransError, ValueError):
    """A sparsity pattern or coloring does not cover the derivative.

    What: ``pattern=`` given by hand lacks entries, has the wrong shape, or ``check=True`` found a
    nonzero outside of it.
    Why: compressed columns would be added together and come out as wrong numbers.
    Fix: leave ``pattern`` out to have it detected, or add the entries that the message names.
    """


class UnsupportedError(FunctransError, NotImplementedError):
    """The request is meaningful, but functrans does not do it.

    What: a NumPy function without a counterpart, ``out=``, an option that is not built.
    Why: guessing would give a wrong number.
    Fix: use the replacement that the message names.
    """


class ArgumentError(FunctransError, TypeError):
    """An argument of the wrong kind, or a wrong number of arguments.

    What: ``in_axes=True``, ``out_axes=`` for ``out_axis=``, primals that are not a tuple, a function
    that returns a string.
    Why: transforms map over pytrees of arrays; other values have no meaning there.
    Fix: pass what the message expects, or bind constants with ``functools.partial``.
    """


class ArgumentValueError(FunctransError, ValueError):
    """An argument of the right kind whose value is refused.

    What: ``np.quantile(x, 1.5)``, an unknown ``mode=`` or ``kind=``, a negative count, an integer to a negative
    power.
    Why: NumPy raises ValueError here, and code that catches it works on Tensors as well.
    Fix: use one of the values that the message names.
    """


class IndexOutOfRange(FunctransError, IndexError):
    """A static index lies outside the axis it indexes, or is no index.

    What: ``x[10]`` for an axis of extent 6, ``x[1.5]``, a mask of another shape, index arrays that do not broadcast.
    Why: NumPy raises IndexError here, and so does functrans; only indices that are Tensors are clamped.
    Fix: use integers from ``-n`` to ``n - 1``, and masks of the shape of what they index.
    """


class NanError(FunctransError, FloatingPointError):
    """A NaN appeared while ``ft.config.debug_nans`` is on.

    What: the first operation whose result holds a NaN, with its line and index.
    Why: NaN otherwise propagates silently, as in NumPy.
    Fix: guard the argument with ``fnp.where`` or ``fnp.clip``; derivatives of ``where`` are NaN-safe.
    """


class OutOfMemory(FunctransError, MemoryError):
    """An array is too large for this machine, or for 64-bit indices.

    What: the shapes and bytes in the message.
    Why: sizes are checked before anything runs, so no result is half written.
    Fix: map over fewer elements at a time (a Python loop over slices), or use a smaller dtype.
    """


class ConfigError(FunctransError, ValueError):
    """A setting, or the environment variable it came from, has a value that makes no sense.

    What: ``FUNCTRANS_THREADS=abc``, ``ft.config.debug = 99``.
    Why: a setting that is silently ignored is worse than an error.
    Fix: give a value of the kind the message names, or unset the variable.
    """


class CompileError(FunctransError, RuntimeError):
    """The C compiler failed, was stopped, or its output does not load.

    What: `command` is what was run, `stderr` the end of what it said, `source` the path of the C file,
    which is kept.
    Why: a compiler without GNU C extensions, one that hangs or has too little time, a full disk, no file
    descriptor left, or a defect in the C that functrans writes.
    Fix: what the message says: more seconds or shorter code, another compiler with ``FUNCTRANS_CC``, files
    closed; or run the command by hand and report the kept file.
    """

    def __init__(
        self, message: str, *, command: Sequence[str] = (), stderr: str = "", source: str | None = None
    ) -> None:
        super().__init__(message)
        self.command = tuple(command)
        self.stderr = stderr
        self.source = source


class CompilerNotFound(CompileError):
    """No working C compiler.

    What: everything that was tried is in the message.
    Why: functrans compiles what it traces; without a compiler it falls back on its NumPy interpreter,
    but not when ``FUNCTRANS_CC`` asks for a certain compiler.
    Fix: install gcc or clang; or ``pip install ziglang``; or point ``FUNCTRANS_CC`` at a compiler.
    """


def text_of(error: BaseException) -> str:
    """What an error says, to be quoted in the message of another.

    >>> text_of(ShapeError("a shape")), text_of(OSError("no file"))
    ('a shape', 'no file')
    """
    return error.message if isinstance(error, FunctransError) else str(error)


def refuse_descriptors(error: OSError, what: str) -> None:
    """Raise CompileError where an error says that no file can be opened any more."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        raise CompileError(
            f"{what} needs files, and no file descriptor is left ({os.strerror(error.errno)}): close files that are "
            "open, or raise the limit (ulimit -n, or resource.setrlimit with RLIMIT_NOFILE)"
        ) from error


_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_HIDDEN = frozenset({"functrans", "numpy", "scipy", "contextlib", "functools"})


@functools.lru_cache(maxsize=1024)
def _is_internal(filename: str, module: str) -> bool:
    """Whether a frame is plumbing: functrans, NumPy, or the stdlib wrappers that stand between them."""
    # Code made at run time (dataclasses) has no file name but does have its module's globals.
    return filename.startswith(_PACKAGE) or module.partition(".")[0] in _HIDDEN


def user_frame() -> tuple[str, int] | None:
    """File and line of the innermost call outside functrans and NumPy, or None when there is none.

    >>> file, line = user_frame()
    >>> line > 0
    True
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not _is_internal(frame.f_code.co_filename, str(frame.f_globals.get("__name__", ""))):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None


def user_frame_of(error: BaseException) -> tuple[str, int] | None:
    """File and line of the innermost call outside functrans and NumPy that an error went through, or None."""
    found, at = None, error.__traceback__
    while at is not None:
        name = at.tb_frame.f_code.co_filename
        if not _is_internal(name, str(at.tb_frame.f_globals.get("__name__", ""))):
            found = name, at.tb_lineno
        at = at.tb_next
    return found


def at_user_line() -> str:
    """The user's place in the code, ready to end a sentence: ``" (model.py:12)"``, or ``""``."""
    return at_line(user_frame())


def at_line(place: tuple[str, int] | None) -> str:
    """A file and line, ready to end a sentence."""
    return "" if place is None else f" ({os.path.basename(place[0])}:{place[1]})"
