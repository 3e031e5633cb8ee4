"""The methods of `solve` by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import functrans.numpy as fnp
from functrans._records import record
from functrans.errors import ArgumentError, ArgumentValueError, ShapeError, UnsupportedError, at_user_line
from functrans.implicit.vectors import layout_of
from functrans.ode import dormand_prince, esdirk, radau
from functrans.ode.control import PREDICTIVE, PROPORTIONAL, Controller, Tolerance
from functrans.ode.dormand_prince import Step
from functrans.ode.mass import Mass
from functrans.ode.problem import Slope
from functrans.ode.reuse import nothing

_IMPLICIT = {"esdirk": (esdirk.stepper, esdirk.factors), "radau": (radau.stepper, radau.factors)}
Make = Callable[[Slope, Sequence[Any], Tolerance, Mass | None], Callable[..., Step]]


@record
class Method:
    """A method: the slope, arguments of the user's, tolerances and mass to a function from time, state, slope there and
    length to a step; how its lengths follow errors; the Jacobian that it was given; and from a slope, a mass, a time
    and a state to what steps share before the first.
    """

    stepper: Make
    controller: Controller
    jac: Any = None
    name: str = "dopri5"
    nothing: Callable[[Slope, Mass | None, Any, Any], Any] = lambda slope, mass, t, y: None

    def of_another(self, what: str) -> Method:
        """The same for other equations, to which a Jacobian that was given does not belong."""
        return method_of(self.name, None if callable(self.jac) else self.jac, what)


def check_method(what: str, method: str, jac: Any, mass: Any) -> None:
    """Raises for a method that is none, and for what it cannot use."""
    if method not in ("dopri5", *_IMPLICIT):
        raise ArgumentValueError(f"method={method!r} of {what}; expected 'dopri5', 'esdirk' or 'radau'{at_user_line()}")
    for name, given in (("jac", jac), ("mass", mass)):
        if given is not None and method == "dopri5":
            raise UnsupportedError(
                f"{name}= of {what}: 'dopri5' is explicit and reads none{at_user_line()}; use method='esdirk' or "
                "'radau', or leave it out"
            )
    if jac is not None and not callable(jac) and not (isinstance(jac, str) and jac in ("dense", "sparse")):
        raise ArgumentError(
            f"jac of {what} is {jac!r}; expected 'dense', 'sparse' or a function jac(t, y, *args){at_user_line()}"
        )


def method_of(method: str, jac: Any, what: str) -> Method:
    """The method of a name."""
    if method == "dopri5":
        return Method(_explicit, PROPORTIONAL)
    jac = None if jac == "dense" else jac
    controller = PREDICTIVE if method == "radau" else PROPORTIONAL
    share = partial(nothing, _IMPLICIT[method][1], jac)
    return Method(partial(_implicit, method, jac, what), controller, jac, method, share)


def _explicit(slope: Slope, args: Sequence[Any], tolerance: Tolerance, _: Mass | None) -> Callable[..., Step]:
    return lambda t, y, first, h, given=None: dormand_prince.step(slope, t, y, first, h)


def _implicit(
    method: str, jac: Any, what: str, slope: Slope, args: Sequence[Any], tolerance: Tolerance, mass: Mass | None
) -> Callable[..., Step]:
    def matrix(t: Any, y: Any) -> Any:
        found, layout = jac(t, y, *args), layout_of(y, "y")
        wanted = (layout.size, layout.size)
        if tuple(getattr(found, "shape", ())) != wanted:
            raise ShapeError(
                f"jac of {what} gives shape {getattr(found, 'shape', ())}; expected {wanted}{at_user_line()}"
            )
        return fnp.asarray(found).astype(layout.dtype)

    step = _IMPLICIT[method][0](slope, matrix if callable(jac) else jac, tolerance, mass)

    def checked(t: Any, y: Any, first: Any, h: Any, given: Any = None) -> Step:
        if layout_of(y, "y").dtype.kind == "c":
            raise UnsupportedError(
                f"y0 of {what} is complex, which {method!r} does not take{at_user_line()}; solve for real and "
                "imaginary parts"
            )
        return step(t, y, first, h, given)

    return checked
